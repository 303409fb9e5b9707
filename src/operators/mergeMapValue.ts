import type { ObservableInput, OperatorFunction } from 'rxjs';
import type { StreamElement } from '../element/element.js';
import { assertCount, assertFunction } from '../time/assert.js';
import { work } from './shared/WorkStage.js';

/** How much work there may be at once. */
export interface MergeMapConfig {
  /** Records worked on at the same time, a whole number ≥ 1; default `Infinity`. */
  readonly concurrent?: number;
}

/**
 * Maps the value of each record through a Promise, an Observable or an iterable, several records at the same time; all
 * results keep the time and key of the record they come from.
 *
 * **Time**: between two watermarks results come as they are ready. A watermark, or an idle mark, waits for the work before
 * it, and the results of later work wait for the watermark: neither overtakes the other.
 * **State**: records that wait for their turn and results that wait for a watermark, without limit; gone with it.
 * **Completion and errors**: completes when the source has and all work is done. An error of the source, of `project` or of
 * an inner stream passes at once. Unsubscribing lets go of all inner streams.
 *
 * ```ts
 * from([record(20, 5), record(10, 6), watermark(6)]).pipe(
 *   mergeMapValue((ms) => timer(ms).pipe(map(() => ms))),
 * ); // record(10, 6), record(20, 5), watermark(6)
 * ```
 *
 * @throws RangeError at once, if `concurrent` is no whole number ≥ 1.
 * @see `concatMapValue` for one after the other; Flink's unorderedWait.
 * @category record-wise
 * @since 0.1.0
 */
export function mergeMapValue<A, B, K>(
  project: (value: A, timestamp: number) => ObservableInput<B>,
  config: MergeMapConfig = {},
): OperatorFunction<StreamElement<A, K>, StreamElement<B, K>> {
  const { concurrent = Infinity } = config;
  assertFunction('mergeMapValue', 'project', project);
  assertCount('mergeMapValue', 'concurrent', concurrent, 1, true);
  return work(project, concurrent);
}

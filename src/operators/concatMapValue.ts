import type { ObservableInput, OperatorFunction } from 'rxjs';
import type { StreamElement } from '../element/element.js';
import { assertFunction } from '../time/assert.js';
import { work } from './shared/WorkStage.js';

/**
 * Maps the value of each record through a Promise, an Observable or an iterable, one record after the other; all results
 * keep the time and key of the record they come from.
 *
 * **Time**: a watermark, or an idle mark, waits for the work before it, so that no result is late by the waiting.
 * **State**: what waits for its turn, without limit; gone with it.
 * **Completion and errors**: completes when the source has and all work is done. An error of the source, of `project` or of
 * an inner stream passes at once. Unsubscribing lets go of the inner stream.
 *
 * ```ts
 * from([record('b', 5), watermark(5)]).pipe(concatMapValue(async (id) => `user ${id}`)); // record('user b', 5), watermark(5)
 * ```
 *
 * @see `mergeMapValue` for several at once; Flink's orderedWait.
 * @category record-wise
 * @since 0.1.0
 */
export function concatMapValue<A, B, K>(
  project: (value: A, timestamp: number) => ObservableInput<B>,
): OperatorFunction<StreamElement<A, K>, StreamElement<B, K>> {
  assertFunction('concatMapValue', 'project', project);
  return work(project, 1);
}

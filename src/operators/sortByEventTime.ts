import type { OperatorFunction, Subscriber } from 'rxjs';
import type { StreamElement, StreamRecord } from '../element/element.js';
import type { Same } from '../element/same.js';
import { operate } from '../internal/operate.js';
import { assertCount } from '../time/assert.js';
import { type SortedConfig, SortedStage } from './shared/SortedStage.js';

/** What `sortByEventTime` does with late records and with a full buffer. */
export interface SortConfig<A, K> extends SortedConfig<A, K> {
  /** How many records may wait; default `Infinity`. Above it the earliest goes out before the watermark, and what is earlier still is late. */
  readonly maxBuffer?: number;
}

/**
 * The same records in the order of their times, those of equal time in the order in which they came.
 *
 * **Time**: a record waits for the watermark that reaches it, and comes before that watermark. Keys play no part.
 * **State**: the records above the watermark, at most `maxBuffer`.
 * **Late records**: those at or behind the watermark: `lateTo`, counted as `late`.
 * **Completion and errors**: at completion what waits comes out, then `MAX_TIMESTAMP`. An error passes at once.
 *
 * ```ts
 * from([record('b', 2), record('a', 1), watermark(2), record('late', 2)]).pipe(
 *   sortByEventTime(),
 * ); // record('a', 1), record('b', 2), watermark(2), watermark(MAX_TIMESTAMP)
 * ```
 *
 * **Cost**: a record that is the latest costs nothing to speak of, another one a search by halving among those that wait.
 *
 * @throws RangeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError`.
 * @category order
 * @since 0.1.0
 */
export function sortByEventTime<A, K>(
  config: SortConfig<Same<A>, Same<K>> = {},
): OperatorFunction<StreamElement<A, K>, StreamElement<A, K>> {
  const { maxBuffer = Infinity } = config;
  assertCount('sortByEventTime', 'maxBuffer', maxBuffer, 1, true);
  return operate((out) => new SortStage<A, K>(out, maxBuffer, config as SortConfig<A, K>));
}

class SortStage<A, K> extends SortedStage<A, K, A> {
  constructor(
    out: Subscriber<StreamElement<A, K>>,
    private readonly maxBuffer: number,
    config: SortConfig<A, K>,
  ) {
    super(out, 'sortByEventTime', config);
  }
  protected onRecord(record: StreamRecord<A, K>): void {
    this.out.next(record);
  }
  protected override onKept(): void {
    if (this.sorted.size <= this.maxBuffer) return;
    const record = this.sorted.takeEarly();
    if (record !== undefined) this.out.next(record);
  }
}

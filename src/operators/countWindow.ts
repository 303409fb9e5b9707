import type { Same } from '../element/same.js';
import type { Counters } from '../internal/counters.js';
import { assertCount, assertOneOf } from '../time/assert.js';
import type { Aggregate } from '../windows/aggregates/aggregate.js';
import { type GlobalWindow, global } from '../windows/assigners/global.js';
import { count } from '../windows/evictors/evictors.js';
import { purging } from '../windows/triggers/composite.js';
import { afterCount } from '../windows/triggers/simple.js';
import { assignedWindow } from './shared/assignedWindow.js';
import type { Windowed } from './shared/windowConfig.js';

/** How count windows overlap and end. */
export interface CountWindowConfig {
  /** Fire at every `slide`th record, with the last records up to `size`; default: `size`, one after the other. A whole number ≥ 1. */
  readonly slide?: number;
  /** What is left when the stream completes: dropped and counted as `discarded` (`'drop'`, the default), or a last, short window (`'emit'`). */
  readonly partial?: 'drop' | 'emit';
  /** Counts `records` and `discarded`. */
  readonly counters?: Counters;
}

/**
 * Folds every `size` records of each key, or with a slide every so often the last `size`.
 *
 * **Time**: results are stamped `MAX_TIMESTAMP`; nothing is ever late. With a slide the first firings are short.
 * **State**: an accumulator a key, or with a slide the last `size` records. **Completion and errors**: what is left is
 * dropped and counted, or put out with `partial: 'emit'`; an error passes at once.
 *
 * ```ts
 * fromElements(record(1, 1), record(2, 2), record(3, 3)).pipe(
 *   countWindow(2, aggregates.sum(), { partial: 'emit' }),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // 3, 3
 * ```
 *
 * @param size a whole number ≥ 1.
 * @throws RangeError or TypeError at once, for an argument out of range.
 * @see Flink's countWindow.
 * @category windows
 * @since 0.1.0
 */
export function countWindow<A, R, K>(
  size: number,
  aggregate: Aggregate<Same<A>, R>,
  config: CountWindowConfig = {},
): Windowed<A, R, K, GlobalWindow> {
  const { slide, partial = 'drop', counters } = config;
  assertCount('countWindow', 'size', size, 1);
  if (slide !== undefined) assertCount('countWindow', 'slide', slide, 1);
  assertOneOf('countWindow', 'partial', partial, ['drop', 'emit']);
  const windowConfig = {
    trigger: slide === undefined ? purging(afterCount(size)) : afterCount(slide),
    ...(slide === undefined ? {} : { evict: count(size) }),
    ...(counters === undefined ? {} : { counters }),
  };
  return assignedWindow<A, R, K, GlobalWindow>('countWindow', global(), aggregate, windowConfig, partial === 'emit');
}

import type { Same } from '../element/same.js';
import type { Aggregate } from '../windows/aggregates/aggregate.js';
import { cumulative } from '../windows/assigners/cumulative.js';
import type { AlignedConfig } from './shared/alignedConfig.js';
import { assignedWindow } from './shared/assignedWindow.js';
import type { Windowed } from './shared/windowConfig.js';

/**
 * Folds the records of each key in windows that grow by `step` ms up to `size`: a running total that begins anew.
 *
 * **Time, state, late records, completion and errors**: as `slidingWindow`.
 *
 * ```ts
 * fromElements(record('a', 2), record('b', 7), watermark(14)).pipe(
 *   cumulativeWindow(5, 15, aggregates.count()),
 *   toValues(),
 *   map(({ window, value }) => `[${window.start}, ${window.end}): ${value}`),
 * ); // '[0, 5): 1', '[0, 10): 2', '[0, 15): 2'
 * ```
 *
 * @param step ms, a whole number ≥ 1 of which `size` is a multiple.
 * @param size ms, a whole number ≥ 1; |offset| < size.
 * @throws RangeError or TypeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError` for
 * a record without a time, in event time.
 * @see Flink SQL's CUMULATE.
 * @category windows
 * @since 0.1.0
 */
export function cumulativeWindow<A, R, K>(
  step: number,
  size: number,
  aggregate: Aggregate<Same<A>, R>,
  config: AlignedConfig<Same<A>, Same<K>> = {},
): Windowed<A, R, K> {
  return assignedWindow('cumulativeWindow', cumulative(step, size, config), aggregate, config);
}

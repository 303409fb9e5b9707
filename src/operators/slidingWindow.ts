import type { Same } from '../element/same.js';
import type { Aggregate } from '../windows/aggregates/aggregate.js';
import { sliding } from '../windows/assigners/sliding.js';
import type { AlignedConfig } from './shared/alignedConfig.js';
import { assignedWindow } from './shared/assignedWindow.js';
import type { Windowed } from './shared/windowConfig.js';

/**
 * Folds the records of each key in windows of `size` ms that start every `slide` ms.
 *
 * **Time**: as `tumblingWindow`; one watermark fires windows in the order of their ends, one late record the windows it is
 * in from the latest start back. A record is late for each window by itself. Results of the same end come in the order of
 * panes, the stretches of time between neighbouring starts and ends of windows: a key by its oldest pane of the window,
 * then by its first appearance in that pane (where windows share none, by its first appearance in the window).
 * **State**: an accumulator a key and pane; one a key and open window where windows share no panes. **Late records**: late for all windows → `lateTo`; in no window, as a slide above the size leaves gaps → counted as
 * `unassigned`. **Completion and errors**: as `tumblingWindow`.
 *
 * ```ts
 * fromElements(record('a', 7), watermark(14)).pipe(
 *   slidingWindow(10, 5, aggregates.count()),
 *   toValues(),
 *   map(({ window, value }) => `[${window.start}, ${window.end}): ${value}`),
 * ); // '[0, 10): 1', '[5, 15): 1'
 * ```
 *
 * **Cost**: for aggregates that are `commutative` (and merge), by event time, under the default trigger, with accumulating
 * panes stamped with their end: about that of a tumbling window, however many windows a record is in. What leaves a window
 * is subtracted if the aggregate can `remove`, else each pane is merged twice. A record behind the watermark costs a walk over
 * the later panes of its key. Anything else: two lookups and a fold for each window that a record is in.
 *
 * @param size ms, a whole number ≥ 1; need not be a multiple of `slide`.
 * @param slide ms, a whole number ≥ 1; |offset| < slide.
 * @throws RangeError or TypeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError` for
 * a record without a time, in event time.
 * @see Flink's SlidingEventTimeWindows, SQL's HOP, Kafka Streams' hopping windows.
 * @category windows
 * @since 0.1.0
 */
export function slidingWindow<A, R, K>(
  size: number,
  slide: number,
  aggregate: Aggregate<Same<A>, R>,
  config: AlignedConfig<Same<A>, Same<K>> = {},
): Windowed<A, R, K> {
  return assignedWindow('slidingWindow', sliding(size, slide, config), aggregate, config);
}

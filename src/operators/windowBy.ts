import type { Same } from '../element/same.js';
import type { Aggregate, MergeableAggregate } from '../windows/aggregates/aggregate.js';
import { collect } from '../windows/aggregates/collect.js';
import type { MergingAssigner, WindowAssigner } from '../windows/assigner.js';
import { assignedWindow } from './shared/assignedWindow.js';
import type { MergingConfig, WindowConfig, Windowed } from './shared/windowConfig.js';

/**
 * Folds the records of each key in the windows of any assigner, also one of your own.
 *
 * **Time**: a window fires at the first watermark ≥ its largest timestamp, and once more for each record that comes
 * within the allowed lateness. Results are stamped with that largest timestamp and come before the watermark that caused
 * them, ordered by window end, then by the first appearance of the key in the window (of `assigners.sliding`: see
 * `slidingWindow`). By processing time the clock stands in for the watermark, and what is open when the stream completes
 * fires then.
 * **State**: an accumulator a key and open window; gone once the watermark passes the end plus the lateness.
 * **Late records**: late for all windows → `lateTo`, counted as `late`; in no window → counted as `unassigned`.
 * **Completion and errors**: at completion all open windows fire, then come `MAX_TIMESTAMP` and completion. An error passes
 * at once, without partial windows.
 *
 * ```ts
 * from([record('a', 1), record('b', 2), watermark(9)]).pipe(
 *   windowBy(assigners.tumbling(10), aggregates.count()),
 *   toValues(),
 * ); // { key: undefined, window: { start: 0, end: 10 }, value: 2, pane: { index: 0, … } }
 * ```
 *
 * **Cost**: two lookups a record and window; timers are grouped by their time.
 *
 * @throws RangeError or TypeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError` for
 * a record without a time, in event time.
 * @see Flink's window(assigner) and WindowOperator (rules V1–V8).
 * @category windows
 * @since 0.1.0
 */
export function windowBy<A, K, W>(
  assigner: WindowAssigner<Same<A>, W> | MergingAssigner<Same<A>, W>,
): Windowed<A, ReadonlyArray<A>, K, W>;
export function windowBy<A, R, K, W>(
  assigner: MergingAssigner<Same<A>, W>,
  aggregate: MergeableAggregate<Same<A>, R>,
  config?: MergingConfig<Same<A>, Same<K>, Same<W>>,
): Windowed<A, R, K, W>;
export function windowBy<A, R, K, W>(
  assigner: WindowAssigner<Same<A>, W>,
  aggregate: Aggregate<Same<A>, R>,
  config?: WindowConfig<Same<A>, Same<K>, Same<W>>,
): Windowed<A, R, K, W>;
export function windowBy<A, R, K, W>(
  assigner: WindowAssigner<A, W> | MergingAssigner<A, W>,
  aggregate: Aggregate<A, R> = collect<A>() as Aggregate<A, never>,
  config: WindowConfig<A, K, W> = {},
): Windowed<A, R, K, W> {
  return assignedWindow('windowBy', assigner, aggregate, config);
}

import type { Same } from '../element/same.js';
import { assertFunction, refuse } from '../time/assert.js';
import type { Aggregate, MergeableAggregate } from '../windows/aggregates/aggregate.js';
import type { MergingAssigner, WindowAssigner } from '../windows/assigner.js';
import { assignedPlan } from './shared/assignedWindow.js';
import { ClearingWindowStage, ProcessWindowStage, type WindowProcess, windowLocal } from './shared/ProcessWindowStage.js';
import type { MergingConfig, WindowConfig, Windowed } from './shared/windowConfig.js';
import { windowOperator } from './shared/windowOperator.js';

/**
 * Windows of any assigner whose results are made by a function of your own: it sees the folded value, the window, the pane,
 * the watermark and the clock, has a state for each window and for each key, and can fill side outputs.
 *
 * **Time**: as `windowBy`; each of the results of a firing is stamped as the one of `windowBy` would be. **State**: an
 * accumulator and, if asked for, a state a key and open window; `onClear` is called when they go. A state a key, if asked
 * for, which stays as long as the subscription: keys that come and go add up. **Late records**: as `windowBy`.
 * Retracting panes withdraw each result of the earlier firing, without another call. **Completion and errors**: at
 * completion open windows fire and are cleared (those without end are dropped, and not cleared), then side outputs
 * complete. What the function throws is the error; nothing is flushed.
 *
 * ```ts
 * const total = aggregates.sum<number>((n) => n);
 * from([record(5, 1), record(7, 12), record(9, 21)]).pipe(
 *   processWindowBy(assigners.tumbling(10), total, {
 *     keyState: () => ({ before: 0 }),
 *     onPane(sum, { window }, _windowState, keyState) {
 *       const rise = sum - keyState.before;
 *       keyState.before = sum;
 *       return [`by ${window.end}: ${sum} (+${rise})`];
 *     },
 *   }),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // 'by 10: 5 (+5)', 'by 20: 7 (+2)', 'by 30: 9 (+2)'
 * ```
 *
 * **Cost**: as `windowBy`, and a call a firing. With `windowState`, `onClear` or retracting panes overlapping windows don't
 * share what they fold: each record is folded into each of its windows.
 *
 * @param process what to do at each firing and when a window goes. For windows that merge it has no `windowState`.
 * @throws RangeError or TypeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError` for
 * a record without a time, in event time; TypeError for results that are not iterable, or a string.
 * @see Flink's ProcessWindowFunction.
 * @category windows
 * @since 0.1.0
 */
export function processWindowBy<A, R, B, K, W, S = undefined, G = undefined>(
  assigner: MergingAssigner<Same<A>, W>,
  aggregate: MergeableAggregate<Same<A>, R>,
  process: Omit<WindowProcess<R, B, Same<K>, Same<W>, undefined, G>, 'windowState'>,
  config?: MergingConfig<Same<A>, Same<K>, Same<W>>,
): Windowed<A, B, K, W>;
export function processWindowBy<A, R, B, K, W, S = undefined, G = undefined>(
  assigner: WindowAssigner<Same<A>, W>,
  aggregate: Aggregate<Same<A>, R>,
  process: WindowProcess<R, B, Same<K>, Same<W>, S, G>,
  config?: WindowConfig<Same<A>, Same<K>, Same<W>>,
): Windowed<A, B, K, W>;
export function processWindowBy<A, R, B, K, W, S, G>(
  assigner: WindowAssigner<A, W> | MergingAssigner<A, W>,
  aggregate: Aggregate<A, R>,
  process: WindowProcess<R, B, K, W, S, G>,
  config: WindowConfig<A, K, W> = {},
): Windowed<A, B, K, W> {
  const name = 'processWindowBy';
  assertFunction(name, 'process.onPane', process?.onPane);
  for (const part of ['windowState', 'keyState', 'onClear'] as const) {
    if (process[part] !== undefined) assertFunction(name, `process.${part}`, process[part]);
  }
  if (assigner?.merge !== undefined && process.windowState !== undefined) {
    throw refuse(name, 'process.windowState', process.windowState, 'absent, as these windows merge (keyState is there)');
  }
  const retracting = config.panes === 'retracting';
  const keeps = process.windowState !== undefined || process.onClear !== undefined || retracting;
  const Stage = process.onClear === undefined ? ProcessWindowStage : ClearingWindowStage;
  return windowOperator(
    {
      ...assignedPlan(name, assigner, aggregate, config),
      // who keeps nothing for a window leaves the choice of the core free
      ...(keeps ? { local: () => windowLocal<S, B>(process.windowState?.() as S) } : {}),
    },
    (out, wiring) => new Stage(out, wiring, name, process, retracting),
  );
}

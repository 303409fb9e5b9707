import type { Same } from '../element/same.js';
import type { Aggregate } from '../windows/aggregates/aggregate.js';
import { type GlobalWindow, global } from '../windows/assigners/global.js';
import type { Trigger } from '../windows/trigger.js';
import { assignedWindow } from './shared/assignedWindow.js';
import type { WindowConfig, Windowed } from './shared/windowConfig.js';

/**
 * Folds all records of each key in one window, which `trigger` fires.
 *
 * **Time**: results are stamped `MAX_TIMESTAMP`; nothing is ever late. **State**: an accumulator a key, for ever, unless the
 * trigger purges. **Completion and errors**: what no firing has put out is dropped at completion and counted as `discarded`;
 * an error passes at once.
 *
 * ```ts
 * fromElements(record('a', 1), record('b', 2), record('c', 3)).pipe(
 *   globalWindow(triggers.afterCount(2), aggregates.collect()),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // ['a', 'b']
 * ```
 *
 * @throws TypeError at once, for a trigger that never fires or that drops data, unless `allowDataLoss` is set.
 * @see Flink's GlobalWindows.
 * @category windows
 * @since 0.1.0
 */
export function globalWindow<A, R, K>(
  trigger: Trigger<Same<A>, GlobalWindow>,
  aggregate: Aggregate<Same<A>, R>,
  config: Omit<WindowConfig<Same<A>, Same<K>, GlobalWindow>, 'trigger'> = {},
): Windowed<A, R, K, GlobalWindow> {
  return assignedWindow('globalWindow', global(), aggregate, { ...config, trigger });
}

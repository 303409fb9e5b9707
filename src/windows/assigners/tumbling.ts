import { TUMBLING } from '../../time/tumbling.js';
import type { WindowAssigner } from '../assigner.js';
import { type Grid, type GridConfig, gridOf } from '../grid.js';

/** A tumbling assigner, inspectable. */
export interface TumblingAssigner extends WindowAssigner<unknown>, Grid {
  readonly type: 'tumbling';
  readonly kind: 'event' | 'processing';
}

/**
 * Windows of `size` ms side by side: each record belongs to one.
 *
 * ```ts
 * assigners.tumbling(5_000).assign('a', 7_000, 0); // [{ start: 5000, end: 10000 }]
 * ```
 *
 * @param size ms, a whole number ≥ 1.
 * @throws RangeError at once, if size or offset are out of range; TypeError for an unknown clock.
 * @see Flink's TumblingEventTimeWindows and TumblingProcessingTimeWindows (rules T3, T4).
 * @category windows
 * @since 0.1.0
 */
export function tumbling(size: number, config: GridConfig = {}): TumblingAssigner {
  return { type: 'tumbling', ...gridOf('tumbling', size, config), ...TUMBLING };
}

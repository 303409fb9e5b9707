import { assertMs, refuse } from '../../time/assert.js';
import { windowStart } from '../../time/windowStart.js';
import type { WindowAssigner } from '../assigner.js';
import { type Grid, type GridConfig, gridOf } from '../grid.js';
import type { TimeWindow } from '../result.js';
import { endOf, lastMillisecond } from './tumbling.js';

/** A cumulative assigner, inspectable. */
export interface CumulativeAssigner extends WindowAssigner<unknown>, Grid {
  readonly type: 'cumulative';
  readonly kind: 'event' | 'processing';
  /** ms. */
  readonly step: number;
}

/**
 * Windows that grow by `step` ms up to `size`, then begin anew: a running total of the day, every hour.
 *
 * ```ts
 * assigners.cumulative(5, 15).assign('a', 7, 0); // [{ start: 0, end: 10 }, { start: 0, end: 15 }]
 * ```
 *
 * @param step ms, a whole number ≥ 1 of which `size` is a multiple.
 * @param size ms, a whole number ≥ 1.
 * @throws RangeError at once, if step, size or offset are out of range; TypeError for an unknown clock.
 * @see Flink SQL's CUMULATE.
 * @category windows
 * @since 0.1.0
 */
export function cumulative(step: number, size: number, config: GridConfig = {}): CumulativeAssigner {
  assertMs('cumulative', 'step', step, 1);
  const { kind, offset } = gridOf('cumulative', size, config);
  if (size % step !== 0) throw refuse('cumulative', 'size', size, `a multiple of step (${step})`);
  return {
    type: 'cumulative',
    kind,
    size,
    step,
    offset,
    assign(_value, timestamp, now) {
      const at = kind === 'event' ? timestamp : now;
      const start = windowStart(at, size, offset);
      const windows: TimeWindow[] = [];
      for (let end = windowStart(at, step, start) + step; end <= start + size; end += step) windows.push({ start, end });
      return windows;
    },
    maxTimestamp: lastMillisecond,
    // windows of one start have different ends, and two starts have none in common
    keyOf: endOf,
  };
}

import { assertMs, refuse } from '../../time/assert.js';
import { onward } from '../../time/onward.js';
import { endOf, lastMillisecond } from '../../time/tumbling.js';
import { windowStart } from '../../time/windowStart.js';
import type { WindowAssigner } from '../assigner.js';
import { type Grid, type GridConfig, gridOf } from '../grid.js';
import type { TimeWindow } from '../result.js';

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
  const { kind, offset } = gridOf('cumulative', size, config);
  assertMs('cumulative', 'step', step, 1);
  if (size % step !== 0) throw refuse('cumulative', 'size', size, `a multiple of step (${step})`);
  return {
    type: 'cumulative',
    kind,
    size,
    step,
    offset,
    assign,
    maxTimestamp: lastMillisecond,
    // windows of one start have different ends, and two starts have none in common
    keyOf: endOf,
  };
}

function assign(this: CumulativeAssigner, _value: unknown, timestamp: number, now: number): TimeWindow[] {
  const { size, step } = this;
  const at = this.kind === 'event' ? timestamp : now;
  const start = windowStart(at, size, this.offset);
  const windows: TimeWindow[] = [];
  for (let end = windowStart(at, step, start) + step; end <= start + size; end = onward(end, step)) windows.push({ start, end });
  return windows;
}

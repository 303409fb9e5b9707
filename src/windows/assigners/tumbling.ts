import { assertMs, assertOffset, refuse } from '../../time/assert.js';
import { windowStart } from '../../time/windowStart.js';
import type { WindowAssigner } from '../assigner.js';
import type { TimeWindow } from '../result.js';

/** The grid of aligned windows, and the clock they go by. */
export interface AssignerConfig {
  /** Shifts the grid, ms; |offset| < size; default 0. Days of UTC+8 start at `-hours(8)`. */
  readonly offset?: number;
  /** Which time decides: that of the records (`'event'`, the default) or that of the scheduler when they arrive. */
  readonly clock?: 'event' | 'processing';
}

/** A tumbling assigner, inspectable. */
export interface TumblingAssigner extends WindowAssigner<unknown> {
  readonly type: 'tumbling';
  readonly size: number;
  readonly offset: number;
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
export function tumbling(size: number, config: AssignerConfig = {}): TumblingAssigner {
  const { offset = 0, clock = 'event' } = config;
  assertMs('tumbling', 'size', size, 1);
  assertOffset('tumbling', offset, size);
  assertClock('tumbling', clock);
  return {
    type: 'tumbling',
    kind: clock,
    size,
    offset,
    assign(_value, timestamp, now) {
      const start = windowStart(clock === 'event' ? timestamp : now, size, offset);
      return [{ start, end: start + size }];
    },
    maxTimestamp: lastMillisecond,
    keyOf: endOf,
  };
}

/** Throws unless `clock` is one of the two. */
export function assertClock(where: string, clock: string): void {
  if (clock !== 'event' && clock !== 'processing') throw refuse(where, 'clock', clock, "'event' or 'processing'");
}

export function lastMillisecond(window: TimeWindow): number {
  return window.end - 1;
}

export function endOf(window: TimeWindow): number {
  return window.end;
}

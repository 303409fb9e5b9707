import { OWN_CORE, type OwnCore } from '../../core/engineSlot.js';
import { slidingEngine } from '../../core/slidingEngine.js';
import { assertMs } from '../../time/assert.js';
import { onward } from '../../time/onward.js';
import { endOf, lastMillisecond } from '../../time/tumbling.js';
import { windowStart } from '../../time/windowStart.js';
import type { WindowAssigner } from '../assigner.js';
import { type Grid, type GridConfig, gridOf } from '../grid.js';
import type { TimeWindow } from '../result.js';

/** A sliding assigner, inspectable. */
export interface SlidingAssigner extends WindowAssigner<unknown>, Grid {
  readonly type: 'sliding';
  readonly kind: 'event' | 'processing';
  /** ms. */
  readonly slide: number;
}

/**
 * Windows of `size` ms that start every `slide` ms: they overlap, or leave gaps if `slide` is greater.
 *
 * ```ts
 * assigners.sliding(10, 5).assign('a', 7, 0); // [{ start: 5, end: 15 }, { start: 0, end: 10 }]
 * ```
 *
 * @param size ms, a whole number ≥ 1; need not be a multiple of `slide`.
 * @param slide ms, a whole number ≥ 1.
 * @throws RangeError at once, if size, slide or offset (|offset| < slide) are out of range; TypeError for an unknown clock.
 * @see Flink's SlidingEventTimeWindows and SlidingProcessingTimeWindows.
 * @category windows
 * @since 0.1.0
 */
export function sliding(size: number, slide: number, config: GridConfig = {}): SlidingAssigner {
  assertMs('sliding', 'size', size, 1);
  assertMs('sliding', 'slide', slide, 1);
  const { kind, offset } = gridOf('sliding', slide, config);
  const assigner: SlidingAssigner & { readonly [OWN_CORE]: OwnCore<TimeWindow> } = {
    type: 'sliding',
    kind,
    size,
    slide,
    offset,
    assign,
    maxTimestamp: lastMillisecond,
    keyOf: endOf,
    [OWN_CORE]: ownCore,
  };
  return assigner;
}

function assign(this: SlidingAssigner, _value: unknown, timestamp: number, now: number): TimeWindow[] {
  const { size, slide, offset } = this;
  const at = this.kind === 'event' ? timestamp : now;
  const windows: TimeWindow[] = [];
  let after = NaN;
  for (let start = windowStart(at, slide, offset); start > at - size; start = onward(start, -slide)) {
    const end = start + size;
    if (end !== after) windows.push({ start, end }); // beyond the safe integers two windows may be one
    after = end;
  }
  return windows;
}

/** For assigners as they were made: a copy with windows of its own has no grid. */
const ownCore: OwnCore<TimeWindow> = (assigner, options, sink) =>
  assigner.assign === assign ? slidingEngine(assigner as unknown as SlidingAssigner, options, sink) : undefined;

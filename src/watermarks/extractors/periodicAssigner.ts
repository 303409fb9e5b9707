import { MIN_TIMESTAMP } from '../../element/element.js';
import { assertFunction } from '../../time/assert.js';
import type { StampedStrategy } from '../strategy.js';

/**
 * Flink 1.x's `AssignerWithPeriodicWatermarks`.
 *
 * @category watermarks
 * @since 0.1.0
 */
export interface PeriodicAssigner<in A> {
  /** The event time of `value` in ms since the epoch; `previousTimestamp` is `MIN_TIMESTAMP` if it had none. */
  extractTimestamp(value: A, previousTimestamp: number): number;
  /** Asked at each tick; `undefined` or one that does not rise is no watermark. */
  getCurrentWatermark(): number | undefined;
}

/**
 * A periodic assigner of Flink 1.x, exactly as it was: it stamps each record, and is asked for the watermark at each tick.
 *
 * ```ts
 * const assigner = periodicAssigner<{ at: number }>(() => {
 *   let max = 0;
 *   return {
 *     extractTimestamp: (e) => { max = Math.max(max, e.at); return e.at; },
 *     getCurrentWatermark: () => max - 3_000,
 *   };
 * });
 * from([{ at: 5_000 }]).pipe(assignWatermarks(assigner), toWatermarks()); // 2000, Infinity
 * ```
 *
 * @param create called at each subscription: state belongs to one run.
 * @see rule W2: no 1 is taken off what it says.
 * @category watermarks
 * @since 0.1.0
 */
export function periodicAssigner<A>(create: () => PeriodicAssigner<A>): StampedStrategy<A> {
  assertFunction('periodicAssigner', 'create', create);
  return {
    stamped: true,
    create: () => {
      const assigner = create();
      return {
        timestamp: (value, previous) => assigner.extractTimestamp(value, previous),
        onRecord() {},
        onTick: (_now, output) => output.emit(assigner.getCurrentWatermark() ?? MIN_TIMESTAMP),
      };
    },
  };
}

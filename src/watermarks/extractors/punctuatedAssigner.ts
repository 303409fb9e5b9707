import { MIN_TIMESTAMP } from '../../element/element.js';
import { assertFunction } from '../../time/assert.js';
import type { StampedStrategy } from '../strategy.js';

/**
 * Flink 1.x's `AssignerWithPunctuatedWatermarks`.
 *
 * @category watermarks
 * @since 0.1.0
 */
export interface PunctuatedAssigner<in A> {
  /** The event time of `value` in ms since the epoch; `previousTimestamp` is `MIN_TIMESTAMP` if it had none. */
  extractTimestamp(value: A, previousTimestamp: number): number;
  /** Asked after each record; `undefined` or one that does not rise is no watermark. */
  checkAndGetNextWatermark(lastValue: A, extractedTimestamp: number): number | undefined;
}

/**
 * A punctuated assigner of Flink 1.x, exactly as it was: it stamps each record, and may give a watermark right after it.
 *
 * ```ts
 * const assigner = punctuatedAssigner<{ at: number; n: number }>(() => ({
 *   extractTimestamp: (e) => e.at,
 *   checkAndGetNextWatermark: (e, timestamp) => (e.n % 3 === 0 ? timestamp : undefined),
 * }));
 * from([{ at: 1, n: 1 }, { at: 3, n: 3 }]).pipe(assignWatermarks(assigner), toWatermarks()); // 3, Infinity
 * ```
 *
 * @param create called at each subscription: state belongs to one run.
 * @see rule W2: no 1 is taken off what it says.
 * @category watermarks
 * @since 0.1.0
 */
export function punctuatedAssigner<A>(create: () => PunctuatedAssigner<A>): StampedStrategy<A> {
  assertFunction('punctuatedAssigner', 'create', create);
  return {
    stamped: true,
    create: () => {
      const assigner = create();
      return {
        timestamp: (value, previous) => assigner.extractTimestamp(value, previous),
        onRecord: (value, timestamp, output) => output.emit(assigner.checkAndGetNextWatermark(value, timestamp) ?? MIN_TIMESTAMP),
        onTick() {},
      };
    },
  };
}

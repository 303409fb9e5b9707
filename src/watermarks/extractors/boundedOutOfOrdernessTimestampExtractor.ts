import { assertFunction, assertMs } from '../../time/assert.js';
import { MaxTimestamp } from '../boundedOutOfOrderness.js';
import type { StampedGenerator, StampedStrategy } from '../strategy.js';

/**
 * Flink 1.x's `BoundedOutOfOrdernessTimestampExtractor`, exactly as it was: the watermark is `max − maxDelay`.
 *
 * That is 1 ms further than {@link boundedOutOfOrderness}: a record exactly `maxDelay` behind may be late.
 *
 * ```ts
 * from([{ at: 5_000 }]).pipe(
 *   assignWatermarks(boundedOutOfOrdernessTimestampExtractor(2_000, (e) => e.at)),
 *   toWatermarks(),
 * ); // 3000, Infinity
 * ```
 *
 * @param maxDelay ms, a whole number ≥ 0.
 * @param timestamp ms since the epoch; `previous` is `MIN_TIMESTAMP` if the value had none.
 * @throws RangeError at once, if `maxDelay` is negative or no whole number.
 * @see rule W2.
 * @category watermarks
 * @since 0.1.0
 */
export function boundedOutOfOrdernessTimestampExtractor<A>(
  maxDelay: number,
  timestamp: (value: A, previous: number) => number,
): StampedStrategy<A> {
  assertMs('boundedOutOfOrdernessTimestampExtractor', 'maxDelay', maxDelay, 0);
  assertFunction('boundedOutOfOrdernessTimestampExtractor', 'timestamp', timestamp);
  return { stamped: true, create: () => new Extractor(maxDelay, timestamp) };
}

class Extractor<A> extends MaxTimestamp implements StampedGenerator<A> {
  constructor(
    maxDelay: number,
    readonly timestamp: (value: A, previous: number) => number,
  ) {
    super(maxDelay);
  }
}

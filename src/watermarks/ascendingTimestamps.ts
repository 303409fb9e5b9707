import { MaxTimestamp } from './boundedOutOfOrderness.js';
import type { WatermarkStrategy } from './strategy.js';

/**
 * Records come in the order of their time, equal times allowed: the watermark is `max − 1`.
 *
 * ```ts
 * from([{ at: 1_000 }, { at: 1_000 }, { at: 2_000 }]).pipe(
 *   assignWatermarks(ascendingTimestamps(), { timestamp: (e) => e.at, interval: 'record' }),
 *   toWatermarks(),
 * ); // 999, 1999, Infinity
 * ```
 *
 * **Cost**: one comparison a record.
 *
 * @see Flink's forMonotonousTimestamps (rule W2).
 * @category watermarks
 * @since 0.1.0
 */
export function ascendingTimestamps<A>(): WatermarkStrategy<A> {
  return ASCENDING;
}

const ASCENDING: WatermarkStrategy<unknown> = { kind: 'ascendingTimestamps', create: () => new MaxTimestamp(1) };

import { assertMs } from '../time/assert.js';
import { enrich, type StrategyEnrichment } from './enrich.js';

/**
 * Keeps a record whose time is more than `skew` ms ahead of the clock from moving the watermark.
 *
 * One device with a wrong date would otherwise make every honest record after it late. Such a record takes no part in
 * the strategy (nor does it count against idleness); it is forwarded, and counted as `held`.
 *
 * ```ts
 * from([{ at: Date.UTC(2100) }, { at: 5_000 }]).pipe(
 *   assignWatermarks(withMaxFutureSkew(minutes(5))(boundedOutOfOrderness(seconds(2))), { timestamp: (e) => e.at }),
 *   toWatermarks(),
 * ); // 2_999, Infinity
 * ```
 *
 * @param skew ms, a whole number ≥ 0; `Infinity` is no guard.
 * @throws RangeError at once, if it is not.
 * @see rule W8; Flink has no such guard.
 * @category watermarks
 * @since 0.1.0
 */
export function withMaxFutureSkew(skew: number): StrategyEnrichment {
  assertMs('withMaxFutureSkew', 'skew', skew, 0, true);
  return enrich('withMaxFutureSkew', { maxFutureSkew: skew });
}

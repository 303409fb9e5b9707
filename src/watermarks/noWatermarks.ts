import type { WatermarkStrategy } from './strategy.js';

/**
 * No watermark but the final one: event-time windows fire when the stream completes, as in a batch.
 *
 * ```ts
 * from([{ at: 5 }]).pipe(assignWatermarks(noWatermarks(), { timestamp: (e) => e.at }), toWatermarks()); // Infinity
 * ```
 *
 * @see Flink's noWatermarks.
 * @category watermarks
 * @since 0.1.0
 */
export function noWatermarks<A>(): WatermarkStrategy<A> {
  return NONE;
}

const NONE: WatermarkStrategy<unknown> = { kind: 'noWatermarks', create: () => ({ onRecord() {}, onTick() {} }) };

import { assertFunction } from '../time/assert.js';
import type { WatermarkGenerator, WatermarkStrategy } from './strategy.js';

/**
 * A strategy of your own, periodic (emits in `onTick`), per record (emits in `onRecord`), or both.
 *
 * ```ts
 * const lastSeen = fromGenerator<{ at: number }>(() => {
 *   let last = MIN_TIMESTAMP;
 *   return {
 *     onRecord(_value, timestamp) { last = timestamp; },
 *     onTick(_now, output) { output.emit(last); },
 *   };
 * });
 * from([{ at: 7 }]).pipe(assignWatermarks(lastSeen, { timestamp: (e) => e.at }), toWatermarks()); // 7, Infinity
 * ```
 *
 * @param create called at each subscription: state belongs to one run.
 * @see Flink's WatermarkStrategy.forGenerator.
 * @category watermarks
 * @since 0.1.0
 */
export function fromGenerator<A>(create: () => WatermarkGenerator<A>): WatermarkStrategy<A> {
  assertFunction('fromGenerator', 'create', create);
  return { kind: 'fromGenerator', create };
}

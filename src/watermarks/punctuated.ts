import { MIN_TIMESTAMP } from '../element/element.js';
import { assertFunction } from '../time/assert.js';
import type { WatermarkGenerator, WatermarkStrategy } from './strategy.js';

/**
 * The records themselves say how far time has come: asked after every record, `undefined` or a smaller watermark is none.
 *
 * ```ts
 * from([{ at: 1, end: false }, { at: 3, end: true }]).pipe(
 *   assignWatermarks(punctuated((e) => (e.end ? e.at : undefined)), { timestamp: (e) => e.at }),
 *   toWatermarks(),
 * ); // 3, Infinity
 * ```
 *
 * **Errors**: a watermark that is no time is an `InvalidTimestampError`.
 *
 * @param watermarkOf the watermark in ms since the epoch that follows the record, or `undefined`.
 * @see Flink's per-event WatermarkGenerator (rule W4).
 * @category watermarks
 * @since 0.1.0
 */
export function punctuated<A>(watermarkOf: (value: A, timestamp: number) => number | undefined): WatermarkStrategy<A> {
  assertFunction('punctuated', 'watermarkOf', watermarkOf);
  const strategy: Punctuated<A> = { kind: 'punctuated', watermarkOf, create };
  return strategy;
}

interface Punctuated<in A> extends WatermarkStrategy<A> {
  readonly watermarkOf: (value: A, timestamp: number) => number | undefined;
}

function create<A>(this: Punctuated<A>): WatermarkGenerator<A> {
  const { watermarkOf } = this;
  return {
    onRecord(value, timestamp, output) {
      output.emit(watermarkOf(value, timestamp) ?? MIN_TIMESTAMP);
    },
    onTick() {},
  };
}

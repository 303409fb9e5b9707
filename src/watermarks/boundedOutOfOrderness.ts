import { MIN_TIMESTAMP } from '../element/element.js';
import { assertMs } from '../time/assert.js';
import { earlier } from '../time/timestamp.js';
import type { WatermarkGenerator, WatermarkOutput, WatermarkStrategy } from './strategy.js';

/**
 * Records are at most `maxDelay` ms behind the newest one: the watermark is `max − maxDelay − 1`.
 *
 * What comes later still is late for windows that have closed. A larger delay waits longer and drops less. Says nothing
 * before the first record.
 *
 * ```ts
 * from([{ at: 5_000 }, { at: 3_000 }]).pipe(
 *   assignWatermarks(boundedOutOfOrderness(1_000), { timestamp: (e) => e.at, interval: 'record' }),
 *   toWatermarks(),
 * ); // 3999, Infinity
 * ```
 *
 * **Cost**: one comparison a record.
 *
 * @param maxDelay ms, a whole number ≥ 0.
 * @throws RangeError at once, if it is not.
 * @see Flink's forBoundedOutOfOrderness (rule W2).
 * @category watermarks
 * @since 0.1.0
 */
export function boundedOutOfOrderness<A>(maxDelay: number): WatermarkStrategy<A> {
  assertMs('boundedOutOfOrderness', 'maxDelay', maxDelay, 0);
  const strategy: Bounded = { kind: 'boundedOutOfOrderness', maxDelay, create };
  return strategy;
}

interface Bounded extends WatermarkStrategy<unknown> {
  readonly maxDelay: number;
}

function create(this: Bounded): MaxTimestamp {
  return new MaxTimestamp(this.maxDelay + 1);
}

/** The largest timestamp seen, less a constant. */
export class MaxTimestamp implements WatermarkGenerator<unknown> {
  private max: number = MIN_TIMESTAMP;
  constructor(private readonly behind: number) {}
  onRecord(_value: unknown, timestamp: number): void {
    if (timestamp > this.max) this.max = timestamp;
  }
  onTick(_now: number, output: WatermarkOutput): void {
    output.emit(earlier(this.max, this.behind));
  }
}

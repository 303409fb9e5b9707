import { assertMs } from '../time/assert.js';
import { enrich, type StrategyEnrichment } from './enrich.js';
import { watchIdleness } from './idleness.js';

/**
 * Marks the stream idle after `timeout` ms of processing time without a record, so that a union or join does not wait for it.
 *
 * Idle means "do not wait for me"; it does not move time on, and closes no window by itself. With a tick interval it is
 * noticed by ticks, as in Flink: the clock starts at the first tick that saw no new record, and the first tick *more*
 * than `timeout` after that one says idle. Without ticks (`interval: 'record'` or `Infinity`) it has a timer of its own,
 * exactly `timeout` after the last record. A tick that is itself late by more than an interval starts the clock anew: a
 * blocked thread is not silence. Only a watermark that rises makes the stream active again.
 *
 * ```ts
 * // 30.6 s on (the ticks are at 0.2 s, 0.4 s, …) a union no longer waits for it
 * concat([{ at: 5_000 }], NEVER).pipe(
 *   assignWatermarks(withIdleness(30_000)(boundedOutOfOrderness(2_000)), { timestamp: (e) => e.at }),
 * ); // record({ at: 5_000 }, 5_000), watermark(2_999), idle(2_999)
 * ```
 *
 * @param timeout ms, a whole number ≥ 1; `Infinity` is never.
 * @throws RangeError at once, if it is not.
 * @see Flink's withIdleness (rules W6, W7).
 * @category watermarks
 * @since 0.1.0
 */
export function withIdleness(timeout: number): StrategyEnrichment {
  assertMs('withIdleness', 'timeout', timeout, 1, true);
  return enrich('withIdleness', { idleness: { timeout, watch: watchIdleness } });
}

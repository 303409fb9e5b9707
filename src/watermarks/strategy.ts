import type { Idleness } from './idleness.js';

/**
 * What a generator may do when it is called.
 *
 * @category watermarks
 * @since 0.1.0
 */
export interface WatermarkOutput {
  /**
   * Offers a watermark in ms since the epoch. One that does not rise is swallowed; `MIN_TIMESTAMP` says nothing; a
   * fraction is floored; anything else that is no time is an `InvalidTimestampError`.
   */
  emit(timestamp: number): void;
  /** Says "do not wait for this stream", until the next watermark that rises. */
  markIdle(): void;
  /** The scheduler's clock, in ms. */
  now(): number;
}

/**
 * Watches the records of one subscription and says how far event time has come.
 *
 * @category watermarks
 * @since 0.1.0
 */
export interface WatermarkGenerator<in A> {
  /** After each record. Punctuated generators emit here. */
  onRecord(value: A, timestamp: number, output: WatermarkOutput): void;
  /** At each tick of the interval (after each record with `interval: 'record'`), and once at completion. */
  onTick(now: number, output: WatermarkOutput): void;
}

/**
 * How a stream makes watermarks: a value without clock or RxJS, whose `create` gives each subscription fresh state.
 *
 * @category watermarks
 * @since 0.1.0
 */
export interface WatermarkStrategy<in A> {
  readonly create: () => WatermarkGenerator<A>;
  /** What it is, for whoever prints it; its parameters stand beside it. */
  readonly kind?: string;
  /** When silence makes the stream idle; set by `withIdleness`, which brings the code along. */
  readonly idleness?: Idleness;
  /** ms ahead of the clock beyond which a record takes no part; see `withMaxFutureSkew`. */
  readonly maxFutureSkew?: number;
}

/**
 * A generator that stamps its records too.
 *
 * @category watermarks
 * @since 0.1.0
 */
export interface StampedGenerator<in A> extends WatermarkGenerator<A> {
  /** The event time of `value` in ms since the epoch; `previous` is what it was stamped with, `MIN_TIMESTAMP` if nothing. */
  timestamp(value: A, previous: number): number;
}

/**
 * A strategy that carries its timestamp function, as the assigners of Flink 1.x do: `assignWatermarks` needs no other.
 *
 * @category watermarks
 * @since 0.1.0
 */
export interface StampedStrategy<in A> extends WatermarkStrategy<A> {
  readonly stamped: true;
  readonly create: () => StampedGenerator<A>;
}

import type { Aggregate } from '../windows/aggregates/aggregate.js';
import type { EvictorRules } from '../windows/evictor.js';
import type { Pane } from '../windows/result.js';

/**
 * Windows as a plain state machine: it is told of records, watermarks and the clock, and hands what comes out to a sink.
 * It knows no RxJS and no clock of its own.
 */
export interface WindowCore<A, K> {
  record(value: A, timestamp: number, key: K): void;
  /** The watermark has risen to `time`: fires what is due, and lets go of what is over. */
  watermark(time: number): void;
  /** The clock is at `time`: fires the processing-time timers that are due. */
  clock(time: number): void;
  /** The earliest processing-time timer, `Infinity` if there is none. */
  readonly nextTimer: number;
  /** The earliest time of a result that is still to come on time: the watermark stays below it (W10). `Infinity` if nothing holds. */
  readonly hold: number;
  /** The stream has ended (after the final watermark). */
  end(): void;
}

/** Where a window core puts what comes out. */
export interface WindowSink<A, K, R, W> {
  /** Nobody listens any more: stop firing. */
  readonly closed: boolean;
  /** The clock, in ms. */
  now(): number;
  /** `local` is the state that the window's function keeps for this window. */
  result(key: K, window: W, value: R, pane: Pane, timestamp: number, local: unknown): void;
  /** Too late for all of its windows. */
  late(value: A, timestamp: number, key: K): void;
  /** Belongs to no window. */
  unassigned(value: A): void;
  /** Kept, and dropped without a result. */
  discarded(records: number): void;
  /** The window of a key is gone. */
  cleared?(key: K, window: W, local: unknown): void;
}

/** What a firing leaves behind: everything so far (each pane repeats it), nothing, or everything and a withdrawal of the pane before. */
export type PaneMode = 'accumulating' | 'discarding' | 'retracting';

/** The timestamp of a result: the window's end − 1, or that of the earliest or latest record that was not behind the watermark. */
export type ResultTime = 'end' | 'earliest' | 'latest';

/** What all window cores are built from. */
export interface WindowOptions<A, R> {
  /** The operator, for error messages. */
  readonly name: string;
  readonly aggregate: Aggregate<A, R>;
  /** ms after its end during which a window is kept for late records. */
  readonly allowedLateness: number;
  readonly panes: PaneMode;
  readonly resultTime: ResultTime;
  /** Keeps the records of a window, to fold them at each firing. */
  readonly evictor?: EvictorRules<A> | undefined;
  /** The state that the window's function keeps for each window and key. */
  readonly local?: (() => unknown) | undefined;
  /** What is left of windows without end when the stream ends fires, instead of being dropped. */
  readonly partial?: boolean | undefined;
}

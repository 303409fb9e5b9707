import type { StreamRecord } from '../element/element.js';
import type { Aggregate } from '../windows/aggregates/aggregate.js';
import type { Pane } from '../windows/result.js';

/**
 * Windows as a plain state machine: it is told of records, watermarks and the clock, and hands what comes out to a sink.
 * It knows no RxJS and no clock of its own.
 */
export interface WindowCore<A, K> {
  record(record: StreamRecord<A, K>): void;
  /** The watermark has risen to `time`: fires what is due, and lets go of what is over. */
  watermark(time: number): void;
  /** The clock is at `time`: fires the processing-time timers that are due. */
  clock(time: number): void;
  /** The earliest processing-time timer, `Infinity` if there is none. */
  readonly nextTimer: number;
  /** The stream has ended (after the final watermark). */
  end(): void;
  /** How many window-and-key pairs are open. */
  readonly openWindows: number;
}

/** Where a window core puts what comes out. */
export interface WindowSink<A, K, R, W> {
  /** Nobody listens any more: stop firing. */
  readonly closed: boolean;
  /** The clock, in ms. */
  now(): number;
  result(key: K, window: W, value: R, pane: Pane, timestamp: number): void;
  /** Too late for all of its windows. */
  late(record: StreamRecord<A, K>): void;
  /** Belongs to no window. */
  unassigned(record: StreamRecord<A, K>): void;
  /** Kept, and dropped without a result. */
  discarded(records: number): void;
}

/** What a firing leaves behind: everything so far (each pane repeats it), or nothing. */
export type PaneMode = 'accumulating' | 'discarding';

/** What all window cores are built from. */
export interface WindowOptions<A, R> {
  /** The operator, for error messages. */
  readonly name: string;
  readonly aggregate: Aggregate<A, R>;
  /** ms after its end during which a window is kept for late records. */
  readonly allowedLateness: number;
  readonly panes: PaneMode;
}

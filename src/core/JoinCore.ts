import { MAX_TIMESTAMP, MIN_TIMESTAMP } from '../element/element.js';
import { MissingTimestampError } from '../element/errors.js';

/** One side of a join. */
export type Side = 'left' | 'right';

/**
 * A join of two inputs as a plain state machine: it is told of the records of both sides and of their common watermark, and
 * hands what comes out to a sink. It knows no RxJS and no clock.
 */
export interface JoinCore<L, R, K> {
  left(value: L, timestamp: number, key: K): void;
  right(value: R, timestamp: number, key: K): void;
  /** The watermark has risen to `time`: rows that wait for it come out, and what can take part in nothing more goes. */
  watermark(time: number): void;
  /** How much of the watermark may go on: what comes later is stamped after it, unless it came late (rule W10). */
  passable(time: number): number;
  /** How many records are kept, of both sides. */
  readonly kept: number;
  /** How many keys have records. */
  readonly keys: number;
}

/** Where a join puts what comes out. */
export interface JoinSink<L, R, K> {
  /** Nobody listens any more: stop. */
  readonly closed: boolean;
  pair(left: L, right: R, timestamp: number, key: K): void;
  /** A row of one side that no row of the other belongs to. */
  alone(side: Side, value: L | R, timestamp: number, key: K): void;
  /** Too late to take part. */
  late(side: Side, value: L | R, timestamp: number, key: K): void;
}

/** A join by time is over the times of records: those without one are refused (rule T2). */
export function assertTimed(name: string, value: unknown, timestamp: number): void {
  if (timestamp === MIN_TIMESTAMP || timestamp === MAX_TIMESTAMP) throw new MissingTimestampError(name, timestamp, value);
}

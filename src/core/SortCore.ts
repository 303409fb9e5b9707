import { MIN_TIMESTAMP, type StreamRecord } from '../element/element.js';
import { MissingTimestampError } from '../element/errors.js';
import { TimeBuffer } from './TimeBuffer.js';

/**
 * Records in the order of their times, those of equal time in the order of arrival.
 *
 * A record whose time the watermark has reached is late, since later ones may have gone out already.
 */
export class SortCore<A, K> {
  private time = MIN_TIMESTAMP; // the watermark
  private floor = MIN_TIMESTAMP; // of what a full buffer let go early
  private readonly waiting = new TimeBuffer<StreamRecord<A, K>>();

  /** `name` is the operator's, for error messages. */
  constructor(private readonly name: string) {}

  /** How many records wait. */
  get size(): number {
    return this.waiting.size;
  }

  /** The time of the earliest record, `Infinity` if there is none. */
  get next(): number {
    return this.waiting.next;
  }

  /** Keeps a record; false if it is late. */
  add(record: StreamRecord<A, K>): boolean {
    const { timestamp } = record;
    if (timestamp <= this.time || timestamp < this.floor) {
      if (timestamp === MIN_TIMESTAMP) throw new MissingTimestampError(this.name, timestamp, record.value);
      return false;
    }
    if (timestamp === Infinity) throw new MissingTimestampError(this.name, timestamp, record.value);
    this.waiting.add(timestamp, record);
    return true;
  }

  /** From now on records up to `time` are late. */
  watermark(time: number): void {
    if (time > this.time) this.time = time;
  }

  /** The next record in order, if its time is ≤ `limit`. */
  take(limit: number): StreamRecord<A, K> | undefined {
    return this.waiting.next > limit ? undefined : this.waiting.shift();
  }

  /** The next record in order though the watermark has not reached it: what is earlier than it is late from now on. */
  takeEarly(): StreamRecord<A, K> | undefined {
    const record = this.take(Infinity);
    if (record !== undefined) this.floor = record.timestamp;
    return record;
  }
}

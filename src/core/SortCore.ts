import { MIN_TIMESTAMP, type StreamRecord } from '../element/element.js';
import { MissingTimestampError } from '../element/errors.js';

/**
 * Records in the order of their times, those of equal time in the order of arrival: a binary heap, so that neither a
 * record nor a watermark costs more than the logarithm of what waits.
 *
 * A record whose time the watermark has reached is late, since later ones may have gone out already.
 */
export class SortCore<A, K> {
  private time = MIN_TIMESTAMP; // the watermark
  private floor = MIN_TIMESTAMP; // of what a full buffer let go early
  private arrivals = 0;
  private readonly heap: StreamRecord<A, K>[] = [];
  private readonly order: number[] = []; // the arrival of the record at the same place

  /** `name` is the operator's, for error messages. */
  constructor(private readonly name: string) {}

  /** How many records wait. */
  get size(): number {
    return this.heap.length;
  }

  /** The time of the earliest record, `Infinity` if there is none. */
  get next(): number {
    return this.heap.length === 0 ? Infinity : (this.heap[0] as StreamRecord<A, K>).timestamp;
  }

  /** Keeps a record; false if it is late. */
  add(record: StreamRecord<A, K>): boolean {
    const { timestamp } = record;
    if (timestamp <= this.time || timestamp < this.floor) {
      if (timestamp === MIN_TIMESTAMP) throw new MissingTimestampError(this.name, timestamp, record.value);
      return false;
    }
    if (timestamp === Infinity) throw new MissingTimestampError(this.name, timestamp, record.value);
    const { heap, order } = this;
    let at = heap.length;
    const arrival = this.arrivals++;
    heap.push(record);
    order.push(arrival);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] as StreamRecord<A, K>;
      if (above.timestamp <= timestamp) break; // what came before is never behind what came after it
      heap[at] = above;
      order[at] = order[parent] as number;
      at = parent;
    }
    heap[at] = record;
    order[at] = arrival;
    return true;
  }

  /** From now on records up to `time` are late. */
  watermark(time: number): void {
    if (time > this.time) this.time = time;
  }

  /** The next record in order, if its time is ≤ `limit`. */
  take(limit: number): StreamRecord<A, K> | undefined {
    const first = this.heap[0];
    if (first === undefined || first.timestamp > limit) return undefined;
    this.sink();
    if (this.heap.length === 0) this.arrivals = 0;
    return first;
  }

  /** The next record in order though the watermark has not reached it: what is earlier than it is late from now on. */
  takeEarly(): StreamRecord<A, K> | undefined {
    const record = this.take(Infinity);
    if (record !== undefined) this.floor = record.timestamp;
    return record;
  }

  private sink(): void {
    const { heap, order } = this;
    const moved = heap.pop() as StreamRecord<A, K>;
    const arrival = order.pop() as number;
    const { length } = heap;
    if (length === 0) return;
    const { timestamp } = moved;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= length) break;
      let below = heap[child] as StreamRecord<A, K>;
      if (child + 1 < length) {
        const right = heap[child + 1] as StreamRecord<A, K>;
        if (
          right.timestamp < below.timestamp ||
          (right.timestamp === below.timestamp && (order[child + 1] as number) < (order[child] as number))
        ) {
          child++;
          below = right;
        }
      }
      if (below.timestamp > timestamp || (below.timestamp === timestamp && (order[child] as number) > arrival)) break;
      heap[at] = below;
      order[at] = order[child] as number;
      at = child;
    }
    heap[at] = moved;
    order[at] = arrival;
  }
}

import { TimerQueue } from './TimerQueue.js';

/** What may hold a watermark back: a result that is still to come, stamped earlier than its window's end. */
export interface Held {
  /** The timestamp that the result will have; NaN while there is none. */
  stamp: number;
  /** It has come, or never will. */
  released: boolean;
}

/** The earliest of the results that are still to come (rule W10). */
export class Holds<T extends Held> {
  private readonly queue = new TimerQueue<T>();

  constructor(private readonly latest: boolean) {}

  /** A record at `timestamp`, not behind the watermark, is part of the result. */
  stamp(item: T, timestamp: number): void {
    if (this.latest ? timestamp <= item.stamp : timestamp >= item.stamp) return;
    item.stamp = timestamp; // NaN is neither above nor below
    this.queue.add(timestamp, item);
  }

  get next(): number {
    // what holds no more is dropped when it comes to the front
    for (let at = this.queue.next; at !== Infinity; at = this.queue.next) {
      for (const item of this.queue.peek() ?? []) if (!item.released && item.stamp === at) return at;
      this.queue.take(at);
    }
    return Infinity;
  }
}

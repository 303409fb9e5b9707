import { TimerQueue } from './TimerQueue.js';

/** What may hold a watermark back: a result that is still to come, stamped earlier than its window's end. */
export interface Held {
  /** The timestamp that the result will have; none (or NaN) before a record gave it one. */
  stamp?: number | undefined;
  /** It has come, or never will. */
  released?: boolean;
}

/** The earliest of the results that are still to come (rule W10). */
export class Holds<T extends Held> {
  private readonly queue = new TimerQueue<T>();

  constructor(private readonly latest: boolean) {}

  /** A record at `timestamp`, not behind the watermark, is part of the result. */
  stamp(item: T, timestamp: number): void {
    const { stamp = NaN } = item;
    if (this.latest ? timestamp <= stamp : timestamp >= stamp) return; // NaN is neither above nor below
    item.stamp = timestamp;
    this.queue.add(timestamp, item);
  }

  get next(): number {
    const { queue } = this;
    // what holds no more is dropped when it comes to the front
    for (;;) {
      const { next } = queue;
      if (queue.peek()?.some((item) => !item.released && item.stamp === next) ?? true) return next;
      queue.take(next);
    }
  }
}

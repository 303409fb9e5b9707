import { TimerQueue } from './TimerQueue.js';

/** What may hold a watermark back: a result that is still to come, stamped earlier than its window's end. */
export interface Held {
  /** The timestamp that the result will have; none before a record gave it one. */
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
    const { stamp } = item;
    if (stamp !== undefined && (this.latest ? timestamp <= stamp : timestamp >= stamp)) return;
    item.stamp = timestamp;
    this.queue.add(timestamp, item);
  }

  get next(): number {
    const { queue } = this;
    for (let at = queue.next; at !== Infinity; at = queue.next) {
      const items = queue.due.get(at) as T[];
      // what holds no more is dropped when it is met, the last first: nothing is looked at twice
      for (let item = items.at(-1); item !== undefined; item = items.at(-1)) {
        if (!item.released && item.stamp === at) return at;
        items.pop();
      }
      queue.take(at);
    }
    return Infinity;
  }
}

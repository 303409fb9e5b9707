import { TimerQueue } from './TimerQueue.js';

/** What may be let go at a time, which may be put off. */
export interface Expiring {
  /** When it is to go; `Infinity` is never. */
  due: number;
}

/**
 * What is let go by the watermark. Putting off costs an assignment: an item stays in the queue at the time it was first
 * due, and is queued again when it comes out too early.
 */
export class KeyExpiry<T extends Expiring> {
  private readonly queue = new TimerQueue<T>();

  /** `grain`: items may be let go up to so many ms late, so that many of them share a place in the queue. */
  constructor(private readonly grain: number = 1) {}

  /** An item that is not here yet; its `due` may grow from now on. */
  add(item: T): void {
    const { due } = item;
    if (due !== Infinity) this.queue.add(Math.ceil(due / this.grain) * this.grain, item);
  }

  /** Lets go of all items that are due by `time`, in the order of their times. */
  expire(time: number, gone: (item: T) => void): void {
    for (
      let at = this.queue.next, items = this.queue.take(time);
      items !== undefined;
      at = this.queue.next, items = this.queue.take(time)
    ) {
      for (const item of items) {
        if (item.due > at) this.add(item);
        else gone(item);
      }
    }
  }
}

/** How late state may be let go that is needed for `within` ms: a sixteenth of it. */
export function grainOf(within: number): number {
  return Math.max(1, Math.floor(within / 16));
}

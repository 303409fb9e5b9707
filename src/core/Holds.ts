import { TimeBuffer } from './TimeBuffer.js';

/** What may hold a watermark back: a result that is still to come, stamped earlier than its window's end. */
export interface Held {
  /** The timestamp that the result will have; none before a record gave it one. */
  stamp?: number | undefined;
  /** It has come, or never will. */
  released?: boolean;
}

/** The earliest of the results that are still to come (rule W10). */
export class Holds<T extends Held> {
  private readonly stamps = new TimeBuffer<{ readonly timestamp: number; readonly item: T }>();

  constructor(private readonly latest: boolean) {}

  /** A record at `timestamp`, not behind the watermark, is part of the result. */
  stamp(item: T, timestamp: number): void {
    const { stamp } = item;
    if (stamp !== undefined && (this.latest ? timestamp <= stamp : timestamp >= stamp)) return;
    item.stamp = timestamp;
    this.stamps.add({ timestamp, item });
  }

  get next(): number {
    const { stamps } = this;
    // what holds no more is dropped when it comes to the front
    for (let first = stamps.first; first !== undefined; first = stamps.first) {
      if (!first.item.released && first.item.stamp === first.timestamp) return first.timestamp;
      stamps.shift();
    }
    return Infinity;
  }
}

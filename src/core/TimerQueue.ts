/**
 * What is due at which time: items grouped by their time, the times in a binary heap. Adding to a time that is there
 * costs nothing but a push; nothing is ever searched or removed from the middle (owners look whether an item still
 * holds when it comes out).
 */
export class TimerQueue<T> {
  private readonly times: number[] = []; // a heap of the distinct times
  private readonly due = new Map<number, T[]>();

  /** The earliest time, `Infinity` if there is none (or if that is the earliest: see `size`). */
  get next(): number {
    return this.times.length === 0 ? Infinity : (this.times[0] as number);
  }

  /** How many distinct times there are. */
  get size(): number {
    return this.times.length;
  }

  /** The items of the earliest time, still in the queue. */
  peek(): ReadonlyArray<T> | undefined {
    return this.due.get(this.next);
  }

  /** The latest time there is, `-Infinity` if there is none. A walk over all: for the end of a stream. */
  last(): number {
    return this.times.reduce((a, b) => Math.max(a, b), -Infinity);
  }

  add(time: number, item: T): void {
    const items = this.due.get(time);
    if (items !== undefined) {
      items.push(item);
    } else {
      this.due.set(time, [item]);
      this.up(time);
    }
  }

  /** The items of the earliest time, in the order in which they were added, if that time is ≤ `limit`. */
  take(limit: number): T[] | undefined {
    const time = this.times[0];
    if (time === undefined || time > limit) return undefined;
    const items = this.due.get(time);
    this.due.delete(time);
    this.down();
    return items;
  }

  clear(): void {
    this.times.length = 0;
    this.due.clear();
  }

  private up(time: number): void {
    const { times } = this;
    let at = times.length;
    times.push(time);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = times[parent] as number;
      if (above <= time) break;
      times[at] = above;
      at = parent;
    }
    times[at] = time;
  }

  private down(): void {
    const { times } = this;
    const moved = times.pop() as number;
    const { length } = times;
    if (length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= length) break;
      if (child + 1 < length && (times[child + 1] as number) < (times[child] as number)) child++;
      const below = times[child] as number;
      if (below >= moved) break;
      times[at] = below;
      at = child;
    }
    times[at] = moved;
  }
}

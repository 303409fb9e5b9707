/**
 * What is due at which time: items grouped by their time, the times in a binary heap. Adding to a time that is there
 * costs nothing but a push; nothing is ever searched or removed from the middle (owners look whether an item still
 * holds when it comes out).
 */
export class TimerQueue<T> {
  private readonly times: number[] = []; // a heap of the distinct times
  /** The items by their time; to be looked at only. */
  readonly due: Map<number, T[]> = new Map();

  /** The earliest time, `Infinity` if there is none. */
  get next(): number {
    return this.times[0] ?? Infinity;
  }

  add(time: number, item: T): void {
    const items = this.due.get(time);
    if (items !== undefined) {
      items.push(item);
      return;
    }
    this.due.set(time, [item]);
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

  /** The items of the earliest time, in the order in which they were added, if that time is ≤ `limit`. */
  take(limit: number): T[] | undefined {
    const { times } = this;
    const time = times[0];
    if (time === undefined || time > limit) return undefined;
    const items = this.due.get(time);
    this.due.delete(time);
    const moved = times.pop() as number;
    const { length } = times;
    if (length > 0) {
      let at = 0;
      for (let child = 1; child < length; child = 2 * at + 1) {
        // behind the last there is nothing, which is less than nothing
        if ((times[child + 1] as number) < (times[child] as number)) child++;
        const below = times[child] as number;
        if (below >= moved) break;
        times[at] = below;
        at = child;
      }
      times[at] = moved;
    }
    return items;
  }
}

/**
 * Items in the order of their time, equal times in the order of their arrival. Adding at the end and taking from the front
 * cost nothing to speak of; a place in time is found by halving.
 */
export class TimeBuffer<T extends { readonly timestamp: number }> {
  private items: Array<T | undefined> = [];
  private head = 0; // what lies before it has been taken

  get size(): number {
    return this.items.length - this.head;
  }

  /** One past the last position. */
  get end(): number {
    return this.items.length;
  }

  get first(): T | undefined {
    return this.items[this.head];
  }

  /** The item at a position that `from` gave, or one after it. */
  at(position: number): T | undefined {
    return position < this.head ? undefined : this.items[position];
  }

  /** The position of the first item of this time or later; positions hold until the next change. */
  from(time: number): number {
    let low = this.head;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.items[middle] as T).timestamp < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  add(item: T): void {
    const last = this.items[this.items.length - 1];
    if (this.size === 0 || (last as T).timestamp <= item.timestamp) this.items.push(item);
    else this.items.splice(this.after(item.timestamp), 0, item);
  }

  /** Takes the first item. */
  shift(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.items[this.head];
    this.items[this.head++] = undefined; // let go of it
    // the room in front is given back when it is half of all: a move for each item, on average
    if (this.head > 16 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }

  /** The position behind all items of this time or earlier. */
  private after(time: number): number {
    let low = this.head;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.items[middle] as T).timestamp <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

import { MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamRecord } from '../element/element.js';
import { assertTimed, type JoinCore, type JoinSink, Row, type Side } from './JoinCore.js';
import { TimeBuffer } from './TimeBuffer.js';
import { TimerQueue } from './TimerQueue.js';

/** The timestamp of a pair: the greater of both, or one side's. */
export type JoinTime = 'max' | 'left' | 'right';

/** What an interval join is built from. */
export interface IntervalJoinOptions {
  /** The operator, for error messages. */
  readonly name: string;
  /** Bounds on right − left in ms, both inclusive. */
  readonly lower: number;
  readonly upper: number;
  /** ms behind the watermark that a record may be. */
  readonly allowedLateness: number;
  readonly resultTime: JoinTime;
  /** Do rows of this side come out that nothing of the other side belongs to? */
  readonly unmatched: Readonly<Record<Side, boolean>>;
}

/** The rows of one side and key, and when the first of them is over. */
class Shelf<A, K> extends TimeBuffer<Row<A, K>> {
  /** The time at which the queue knows it. */
  due = NaN;
  constructor(
    readonly side: Side,
    readonly pair: Pair<unknown, unknown, K>,
  ) {
    super();
  }
}

/** A row that nothing of the other side belongs to, and since when that is sure. */
type Alone<L, R, K> = { readonly due: number } & (
  | { readonly side: 'left'; readonly row: Row<L, K> }
  | { readonly side: 'right'; readonly row: Row<R, K> }
);

/** Both sides of one key. */
class Pair<L, R, K> {
  readonly left: Shelf<L, K> = new Shelf<L, K>('left', this);
  readonly right: Shelf<R, K> = new Shelf<R, K>('right', this);
  constructor(readonly key: K) {}
}

/**
 * Pairs of a left and a right row of the same key with `lower ≤ right − left ≤ upper`, each as soon as both are there; and
 * the rows without a partner, once none can come.
 *
 * A record costs a search by halving and its partners; the watermark costs what it takes away. A left row stays until the
 * watermark reaches its time + `upper`, a right one until its time − `lower`, and both at least until it reaches their own
 * time, plus the lateness; whatever the watermark has reached goes, even if nothing else comes.
 */
export class IntervalJoinCore<L, R, K> implements JoinCore<L, R, K> {
  private time = MIN_TIMESTAMP;
  private ages = 0;
  private readonly pairs = new Map<K, Pair<L, R, K>>();
  private readonly queue = new TimerQueue<Shelf<unknown, K>>();
  /** ms that a row stays, from its own time. */
  private readonly stay: Readonly<Record<Side, number>>;
  private readonly holdBack: number;
  kept = 0;

  constructor(
    private readonly options: IntervalJoinOptions,
    private readonly sink: JoinSink<L, R, K>,
  ) {
    const { lower, upper, allowedLateness, resultTime, unmatched } = options;
    const reach = { left: Math.max(upper, 0), right: Math.max(-lower, 0) };
    this.stay = { left: reach.left + allowedLateness, right: reach.right + allowedLateness };
    this.holdBack = Math.max(
      // a record on time is paired with one that is so much older
      resultTime === 'max' ? 0 : reach[resultTime],
      unmatched.left ? this.stay.left : 0,
      unmatched.right ? this.stay.right : 0,
    );
  }

  get keys(): number {
    return this.pairs.size;
  }

  /** By as much as a result may be early, whether or not there is one: the bound holds for every consumer. */
  passable(time: number): number {
    return time === MAX_TIMESTAMP ? time : time - this.holdBack;
  }

  left(record: StreamRecord<L, K>): void {
    if (!this.accepts('left', record)) return;
    const { left, right } = this.pairOf(record.key);
    const { lower, upper } = this.options;
    const row = this.keep(left, record);
    const last = record.timestamp + upper;
    for (let i = right.from(record.timestamp + lower); i < right.end; i++) {
      const other = right.at(i) as Row<R, K>;
      if (other.timestamp > last) return;
      this.join(row, other);
      if (this.sink.closed) return;
    }
  }

  right(record: StreamRecord<R, K>): void {
    if (!this.accepts('right', record)) return;
    const { left, right } = this.pairOf(record.key);
    const { lower, upper } = this.options;
    const row = this.keep(right, record);
    const last = record.timestamp - lower;
    for (let i = left.from(record.timestamp - upper); i < left.end; i++) {
      const other = left.at(i) as Row<L, K>;
      if (other.timestamp > last) return;
      this.join(other, row);
      if (this.sink.closed) return;
    }
  }

  private join(left: Row<L, K>, right: Row<R, K>): void {
    const { resultTime } = this.options;
    left.matched = right.matched = true;
    const later = left.timestamp > right.timestamp ? left : right;
    const of = resultTime === 'left' ? left : resultTime === 'right' ? right : later;
    this.sink.joined(left.record, right.record, of.timestamp);
  }

  /** Strictly behind the watermark is late; at it is not, unlike in windows (Flink's rule). */
  private accepts(side: Side, record: StreamRecord<L, K> | StreamRecord<R, K>): boolean {
    assertTimed(this.options.name, record);
    if (record.timestamp + this.options.allowedLateness >= this.time) return true;
    this.sink.late(side, record);
    return false;
  }

  private pairOf(key: K): Pair<L, R, K> {
    let pair = this.pairs.get(key);
    if (pair === undefined) {
      pair = new Pair(key);
      this.pairs.set(key, pair);
    }
    return pair;
  }

  private keep<A>(shelf: Shelf<A, K>, record: StreamRecord<A, K>): Row<A, K> {
    const row = new Row(record, this.ages++);
    shelf.add(row);
    this.kept++;
    const due = record.timestamp + this.stay[shelf.side];
    if (!(due >= shelf.due)) this.schedule(shelf, due);
    return row;
  }

  private schedule(shelf: Shelf<unknown, K>, due: number): void {
    shelf.due = due;
    this.queue.add(due, shelf);
  }

  watermark(time: number): void {
    this.time = time;
    const alone: Alone<L, R, K>[] = [];
    for (
      let at = this.queue.next, shelves = this.queue.take(time);
      shelves !== undefined;
      at = this.queue.next, shelves = this.queue.take(time)
    ) {
      for (const shelf of shelves) if (shelf.due === at) this.clear(shelf, time, alone);
    }
    // in the order in which each was sure to stay alone, whatever the steps of the watermark (C7)
    if (alone.length > 1) alone.sort((a, b) => a.due - b.due || a.row.age - b.row.age);
    for (const { side, row } of alone) {
      if (this.sink.closed) return;
      if (side === 'left') this.sink.joined(row.record, null, row.timestamp);
      else this.sink.joined(null, row.record, row.timestamp);
    }
  }

  /** Takes what is over from a shelf; rows that were in no pair, and are wanted, go to `alone`. */
  private clear(shelf: Shelf<unknown, K>, time: number, alone: Alone<L, R, K>[]): void {
    const stay = this.stay[shelf.side];
    const wanted = this.options.unmatched[shelf.side];
    shelf.due = NaN;
    for (let first = shelf.first; first !== undefined; first = shelf.first) {
      const due = first.timestamp + stay;
      if (due > time) {
        this.schedule(shelf, due);
        return;
      }
      shelf.shift();
      this.kept--;
      if (wanted && !first.matched) alone.push({ side: shelf.side, due, row: first } as Alone<L, R, K>);
    }
    const { pair } = shelf;
    if (pair.left.size === 0 && pair.right.size === 0) this.pairs.delete(pair.key);
  }
}

import { MAX_TIMESTAMP, MIN_TIMESTAMP } from '../element/element.js';
import { assertTimed, type JoinCore, type JoinSink, type Side } from './JoinCore.js';
import { TimeBuffer } from './TimeBuffer.js';

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

/** A row that may come out alone. */
class Row<A> {
  /** It has been in a pair (P076: that stays true when its partner is gone). */
  matched = false;
  constructor(
    readonly value: A,
    /** Orders what comes out at once. */
    readonly age: number,
  ) {}
}

/** What is kept of a record besides its time: a row where rows may come out alone, and otherwise the bare value. */
type Kept<A> = A | Row<A>;

/** A row that nothing of the other side belongs to, and since when that is sure. */
interface Alone<A, K> {
  readonly due: number;
  readonly side: Side;
  readonly row: Row<A>;
  readonly timestamp: number;
  readonly key: K;
}

/** Both sides of one key. */
class Pair<L, R, K> {
  left: TimeBuffer<Kept<L>> | null = null;
  right: TimeBuffer<Kept<R>> | null = null;
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
  /** The keys of all rows, in the order in which the rows go. */
  private readonly leaving = { left: new TimeBuffer<Pair<L, R, K>>(), right: new TimeBuffer<Pair<L, R, K>>() };
  /** ms that a row stays, from its own time. */
  private readonly stay: Readonly<Record<Side, number>>;
  private readonly holdBack: number;

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

  get kept(): number {
    return this.leaving.left.size + this.leaving.right.size;
  }
  get keys(): number {
    return this.pairs.size;
  }

  /** By as much as a result may be early, whether or not there is one: the bound holds for every consumer. */
  passable(time: number): number {
    return time === MAX_TIMESTAMP ? time : time - this.holdBack;
  }

  left(value: L, timestamp: number, key: K): void {
    if (!this.accepts('left', value, timestamp, key)) return;
    const pair = this.pairOf(key);
    const { right } = pair;
    const { lower, upper } = this.options;
    const kept = this.keep('left', value);
    pair.left ??= new TimeBuffer();
    pair.left.add(timestamp, kept);
    this.leaving.left.add(timestamp, pair);
    if (right === null) return;
    const last = timestamp + upper;
    for (let at = right.from(timestamp + lower); right.timeAt(at) <= last; at = right.after(at)) {
      this.join(kept, timestamp, right.at(at) as Kept<R>, right.timeAt(at), key);
      if (this.sink.closed) return;
    }
  }

  right(value: R, timestamp: number, key: K): void {
    if (!this.accepts('right', value, timestamp, key)) return;
    const pair = this.pairOf(key);
    const { left } = pair;
    const { lower, upper } = this.options;
    const kept = this.keep('right', value);
    pair.right ??= new TimeBuffer();
    pair.right.add(timestamp, kept);
    this.leaving.right.add(timestamp, pair);
    if (left === null) return;
    const last = timestamp - lower;
    for (let at = left.from(timestamp - upper); left.timeAt(at) <= last; at = left.after(at)) {
      this.join(left.at(at) as Kept<L>, left.timeAt(at), kept, timestamp, key);
      if (this.sink.closed) return;
    }
  }

  private join(left: Kept<L>, leftTime: number, right: Kept<R>, rightTime: number, key: K): void {
    const { resultTime } = this.options;
    const time = resultTime === 'left' ? leftTime : resultTime === 'right' ? rightTime : Math.max(leftTime, rightTime);
    this.sink.pair(this.matched('left', left), this.matched('right', right), time, key);
  }

  /** Strictly behind the watermark is late; at it is not, unlike in windows (Flink's rule). */
  private accepts(side: Side, value: L | R, timestamp: number, key: K): boolean {
    assertTimed(this.options.name, value, timestamp);
    if (timestamp + this.options.allowedLateness >= this.time) return true;
    this.sink.late(side, value, timestamp, key);
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

  private keep<A>(side: Side, value: A): Kept<A> {
    return this.options.unmatched[side] ? new Row(value, this.ages++) : value;
  }

  /** The value of what is in a pair now. */
  private matched<A>(side: Side, kept: Kept<A>): A {
    if (!this.options.unmatched[side]) return kept as A;
    const row = kept as Row<A>;
    row.matched = true;
    return row.value;
  }

  watermark(time: number): void {
    this.time = time;
    const alone: Alone<L | R, K>[] = [];
    this.clear('left', time, alone);
    this.clear('right', time, alone);
    // in the order in which each was sure to stay alone, whatever the steps of the watermark (C7)
    if (alone.length > 1) alone.sort((a, b) => a.due - b.due || a.row.age - b.row.age);
    for (const { side, row, timestamp, key } of alone) {
      if (this.sink.closed) return;
      this.sink.alone(side, row.value, timestamp, key);
    }
  }

  /** Takes what is over from a side; rows that were in no pair, and are wanted, go to `alone`. */
  private clear(side: Side, time: number, alone: Alone<L | R, K>[]): void {
    const stay = this.stay[side];
    const wanted = this.options.unmatched[side];
    const leaving = this.leaving[side];
    for (let pair = leaving.first; pair !== undefined; pair = leaving.first) {
      const timestamp = leaving.next;
      const due = timestamp + stay;
      if (due > time) return;
      leaving.shift();
      const { key } = pair;
      const rows = pair[side] as TimeBuffer<Kept<L | R>>;
      const row = rows.shift() as Row<L | R>; // it is the first of its key as well
      if (rows.size === 0) {
        pair[side] = null;
        if (pair.left === pair.right) this.pairs.delete(key); // both are gone
      }
      if (wanted && !row.matched) alone.push({ due, side, row, timestamp, key });
    }
  }
}

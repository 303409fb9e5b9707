import { MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamRecord } from '../element/element.js';
import { assertTimed, type JoinCore, type JoinSink, Row, type Side } from './JoinCore.js';
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

/** A row, and both sides of its key. */
class KeptRow<A, K> extends Row<A, K> {
  constructor(
    record: StreamRecord<A, K>,
    age: number,
    readonly pair: Pair<unknown, unknown, K>,
  ) {
    super(record, age);
  }
}

/** A row that nothing of the other side belongs to, and since when that is sure. */
type Alone<L, R, K> = { readonly due: number } & (
  | { readonly side: 'left'; readonly row: Row<L, K> }
  | { readonly side: 'right'; readonly row: Row<R, K> }
);

/** Both sides of one key. */
class Pair<L, R, K> {
  readonly left = new TimeBuffer<KeptRow<L, K>>();
  readonly right = new TimeBuffer<KeptRow<R, K>>();
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
  /** The rows of all keys, in the order in which they go. */
  private readonly leaving = { left: new TimeBuffer<KeptRow<L, K>>(), right: new TimeBuffer<KeptRow<R, K>>() };
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

  left(record: StreamRecord<L, K>): void {
    if (!this.accepts('left', record)) return;
    const pair = this.pairOf(record.key);
    const { right } = pair;
    const { lower, upper } = this.options;
    const row = this.keep(record, pair, pair.left, this.leaving.left);
    const last = record.timestamp + upper;
    let at = right.from(record.timestamp + lower);
    for (let other = right.at(at); other !== undefined && other.timestamp <= last; other = right.at(at)) {
      this.join(row, other);
      if (this.sink.closed) return;
      at = right.after(at);
    }
  }

  right(record: StreamRecord<R, K>): void {
    if (!this.accepts('right', record)) return;
    const pair = this.pairOf(record.key);
    const { left } = pair;
    const { lower, upper } = this.options;
    const row = this.keep(record, pair, pair.right, this.leaving.right);
    const last = record.timestamp - lower;
    let at = left.from(record.timestamp - upper);
    for (let other = left.at(at); other !== undefined && other.timestamp <= last; other = left.at(at)) {
      this.join(other, row);
      if (this.sink.closed) return;
      at = left.after(at);
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

  private keep<A>(
    record: StreamRecord<A, K>,
    pair: Pair<L, R, K>,
    ofKey: TimeBuffer<KeptRow<A, K>>,
    ofAll: TimeBuffer<KeptRow<A, K>>,
  ): KeptRow<A, K> {
    const row = new KeptRow(record, this.ages++, pair);
    ofKey.add(row);
    ofAll.add(row);
    return row;
  }

  watermark(time: number): void {
    this.time = time;
    const alone: Alone<L, R, K>[] = [];
    this.clear('left', time, alone);
    this.clear('right', time, alone);
    // in the order in which each was sure to stay alone, whatever the steps of the watermark (C7)
    if (alone.length > 1) alone.sort((a, b) => a.due - b.due || a.row.age - b.row.age);
    for (const { side, row } of alone) {
      if (this.sink.closed) return;
      if (side === 'left') this.sink.joined(row.record, null, row.timestamp);
      else this.sink.joined(null, row.record, row.timestamp);
    }
  }

  /** Takes what is over from a side; rows that were in no pair, and are wanted, go to `alone`. */
  private clear(side: Side, time: number, alone: Alone<L, R, K>[]): void {
    const stay = this.stay[side];
    const wanted = this.options.unmatched[side];
    const leaving: TimeBuffer<KeptRow<unknown, K>> = this.leaving[side];
    for (let row = leaving.first; row !== undefined && row.timestamp + stay <= time; row = leaving.first) {
      leaving.shift();
      const { pair } = row;
      pair[side].shift(); // it is the first of its key as well
      if (pair.left.size === 0 && pair.right.size === 0) this.pairs.delete(pair.key);
      if (wanted && !row.matched) alone.push({ side, due: row.timestamp + stay, row } as Alone<L, R, K>);
    }
  }
}

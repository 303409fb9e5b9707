import { MAX_TIMESTAMP, MIN_TIMESTAMP } from '../element/element.js';
import { type Held, Holds } from './Holds.js';
import { assertTimed, type JoinCore, type JoinSink, type Side } from './JoinCore.js';
import { TimeBuffer } from './TimeBuffer.js';
import { TimerQueue } from './TimerQueue.js';

/** Where the partner of a left row lies: at or before it, at or after it, or on whichever side is nearer. */
export type AsOfDirection = 'backward' | 'forward' | 'nearest';

/** What an as-of join is built from. */
export interface AsOfOptions<R> {
  /** The operator, for error messages. */
  readonly name: string;
  readonly direction: AsOfDirection;
  /** ms that a partner may be away, inclusive; `Infinity` for any distance. */
  readonly tolerance: number;
  /** May a partner have the left row's own time? */
  readonly exact: boolean;
  /** Do left rows come out that have no partner? */
  readonly unmatched: boolean;
  /** Does this right row say that there is nothing from its time on? */
  readonly gone: ((value: R) => boolean) | undefined;
}

/** A left row that waits for its answer. */
class Asking<L> implements Held {
  stamp: number | undefined = undefined;
  released = false;
  constructor(
    readonly value: L,
    readonly timestamp: number,
    /** Orders what comes out at once. */
    readonly age: number,
  ) {}
}

/** A right row. */
interface Version<R> {
  readonly value: R;
  readonly timestamp: number;
  /** From its time on there is nothing. */
  readonly gone: boolean;
}

/** Both sides of one key. */
class Pair<L, R, K> {
  readonly asking = new TimeBuffer<Asking<L>>();
  readonly rows = new TimeBuffer<Version<R>>();
  /** The time at which the queue knows it. */
  due = NaN;
  constructor(readonly key: K) {}
}

/**
 * Each left row with the one right row of its key that is nearest in time, in one direction or both; given when the
 * watermark proves that no nearer one can come.
 *
 * Of a key's right rows those are kept that a row still to come, or one that waits, can ask for: backward the last one that
 * the watermark has reached and all after it, forward those that it has not reached. Of rows with equal times the one that
 * came last counts backward (the newest version), the one that came first forward.
 */
export class AsOfJoinCore<L, R, K> implements JoinCore<L, R, K> {
  private time = MIN_TIMESTAMP;
  private ages = 0;
  private readonly pairs = new Map<K, Pair<L, R, K>>();
  private readonly queue = new TimerQueue<Pair<L, R, K>>();
  private readonly holds = new Holds<Asking<L>>(false);
  private readonly looksBack: boolean;
  private readonly looksAhead: boolean;
  kept = 0;

  constructor(
    private readonly options: AsOfOptions<R>,
    private readonly sink: JoinSink<L, R, K>,
  ) {
    this.looksBack = options.direction !== 'forward';
    this.looksAhead = options.direction !== 'backward';
  }

  get keys(): number {
    return this.pairs.size;
  }

  /** Looking ahead, rows wait longer than until the watermark reaches them: it stays below the first of them. */
  passable(time: number): number {
    return time === MAX_TIMESTAMP || !this.looksAhead ? time : Math.min(time, this.holds.next - 1);
  }

  left(value: L, timestamp: number, key: K): void {
    if (!this.accepts('left', value, timestamp, key)) return;
    const row = new Asking(value, timestamp, this.ages++);
    const pair = this.pairOf(key);
    pair.asking.add(timestamp, row);
    this.kept++;
    if (this.looksAhead && timestamp > this.time) this.holds.stamp(row, timestamp);
    this.schedule(pair, timestamp);
  }

  right(value: R, timestamp: number, key: K): void {
    if (!this.accepts('right', value, timestamp, key)) return;
    const gone = this.options.gone?.(value) === true;
    const pair = this.pairOf(key);
    pair.rows.add(timestamp, { value, timestamp, gone });
    this.kept++;
    this.schedule(pair, timestamp);
  }

  /** Strictly behind the watermark is late, as in the interval join. */
  private accepts(side: Side, value: L | R, timestamp: number, key: K): boolean {
    assertTimed(this.options.name, value, timestamp);
    if (timestamp >= this.time) return true;
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

  private schedule(pair: Pair<L, R, K>, due: number): void {
    if (due >= pair.due) return; // NaN is not
    pair.due = due;
    this.queue.add(due, pair);
  }

  watermark(time: number): void {
    this.time = time;
    const answers: Answer<L, R, K>[] = [];
    if (time === MAX_TIMESTAMP) {
      for (const pair of this.pairs.values()) this.visit(pair, time, answers);
      this.pairs.clear();
      this.kept = 0;
    } else {
      for (
        let at = this.queue.next, due = this.queue.take(time);
        due !== undefined;
        at = this.queue.next, due = this.queue.take(time)
      ) {
        for (const pair of due) if (pair.due === at) this.visit(pair, time, answers);
      }
    }
    // in the order of the left rows, whatever their keys and the steps of the watermark (C7)
    if (answers.length > 1) answers.sort((a, b) => a.left.timestamp - b.left.timestamp || a.left.age - b.left.age);
    for (const { left, right, key } of answers) {
      if (this.sink.closed) return;
      if (right === undefined) this.sink.alone('left', left.value, left.timestamp, key);
      else this.sink.pair(left.value, right.value, left.timestamp, key);
    }
  }

  /** Answers what can be answered, lets go of what nobody can ask for, and says when to come back. */
  private visit(pair: Pair<L, R, K>, time: number, answers: Answer<L, R, K>[]): void {
    const { asking, rows } = pair;
    pair.due = NaN;
    let next = Infinity;
    for (let left = asking.first; left !== undefined; left = asking.first) {
      // as long as one row waits, all later ones of its key do
      const sure = this.sureAt(rows, left.timestamp);
      if (sure > time) {
        next = sure;
        break;
      }
      const found = this.partner(rows, left.timestamp);
      const right = found?.gone === true ? undefined : found;
      if (right !== undefined || this.options.unmatched) answers.push({ left, right, key: pair.key });
      left.released = true;
      asking.shift();
      this.kept--;
    }
    next = Math.min(next, this.clean(rows, asking.first?.timestamp, time));
    if (asking.size === 0 && rows.size === 0) this.pairs.delete(pair.key);
    else if (next !== Infinity) this.schedule(pair, next); // at MAX all are visited
  }

  /** When the answer for a left row of this time is sure, as far as is known: at that watermark, or earlier if more comes. */
  private sureAt(rows: TimeBuffer<Version<R>>, time: number): number {
    if (!this.looksAhead) return time;
    const ahead = this.ahead(rows, time);
    const back = this.looksBack ? this.back(rows, time) : undefined;
    // of two that are as far away, the one behind counts: only what is nearer still matters
    const last = back === undefined ? time + this.options.tolerance : Math.max(time, 2 * time - back.timestamp - 1);
    return ahead === undefined ? last : Math.min(last, ahead.timestamp);
  }

  private partner(rows: TimeBuffer<Version<R>>, time: number): Version<R> | undefined {
    const back = this.looksBack ? this.back(rows, time) : undefined;
    const ahead = this.looksAhead ? this.ahead(rows, time) : undefined;
    if (back === undefined || ahead === undefined) return back ?? ahead;
    return ahead.timestamp - time < time - back.timestamp ? ahead : back;
  }

  /** The last row at or before this time. */
  private back(rows: TimeBuffer<Version<R>>, time: number): Version<R> | undefined {
    const row = this.behind(rows, time);
    return row !== undefined && time - row.timestamp <= this.options.tolerance ? row : undefined;
  }

  /** The first row at or after this time. */
  private ahead(rows: TimeBuffer<Version<R>>, time: number): Version<R> | undefined {
    const row = rows.at(rows.from(this.options.exact ? time : time + 1));
    return row !== undefined && row.timestamp - time <= this.options.tolerance ? row : undefined;
  }

  private behind(rows: TimeBuffer<Version<R>>, time: number): Version<R> | undefined {
    return rows.before(rows.from(this.options.exact ? time + 1 : time));
  }

  /** Lets go of rows that none of `first`, those after it, and those still to come can ask for; when there are more of them. */
  private clean(rows: TimeBuffer<Version<R>>, first: number | undefined, time: number): number {
    const bound = first === undefined ? time : Math.min(time, first);
    const { tolerance, exact } = this.options;
    if (this.looksBack) {
      const last = this.behind(rows, bound);
      const kept = last === undefined || last.gone || last.timestamp + tolerance < bound ? undefined : last;
      for (let row = rows.first; row !== undefined && row !== kept; row = rows.first) {
        if (row.timestamp > bound || (!exact && row.timestamp === bound)) break;
        rows.shift();
        this.kept--;
      }
    } else {
      for (let row = rows.first; row !== undefined && row.timestamp < bound; row = rows.first) {
        rows.shift();
        this.kept--;
      }
    }
    const row = rows.first;
    if (row === undefined || first !== undefined) return Infinity; // the row that waits comes back by itself
    if (!this.looksBack) return row.timestamp + 1;
    if (row.gone && row.timestamp > bound) return row.timestamp + 1;
    const second = rows.at(rows.after(rows.from(-Infinity)));
    return Math.min(row.timestamp + tolerance + 1, second === undefined ? Infinity : second.timestamp + 1);
  }
}

/** A left row with what belongs to it. */
interface Answer<L, R, K> {
  readonly left: Asking<L>;
  readonly right: Version<R> | undefined;
  readonly key: K;
}

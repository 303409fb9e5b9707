import { MAX_TIMESTAMP, MIN_TIMESTAMP } from '../element/element.js';
import { MissingTimestampError } from '../element/errors.js';
import type { MergeableAggregateSpec } from '../windows/aggregates/aggregate.js';
import type { Pane, TimeWindow } from '../windows/result.js';
import { TimerQueue } from './TimerQueue.js';
import type { WindowCore, WindowOptions, WindowSink } from './WindowCore.js';

/** Sessions wait together if they end in the same stretch of so many ms. */
const BUCKET = 16;

const ON_TIME: Pane = { index: 0, onTimeIndex: 0, timing: 'onTime', last: false, retraction: false };

/** One session of one key. */
interface Session<K, S> {
  readonly key: K;
  /** Orders sessions of the same end: that of its oldest part (V1). */
  readonly age: number;
  start: number;
  end: number;
  state: S;
  /** Since it has become what it is: indices restart at a merge, also of a session with a record (V7). */
  fires: number;
  /** It waits for the watermark no more. */
  fired: boolean;
  /** Over, or part of another one. */
  gone: boolean;
}

/**
 * Sessions by event time under the default trigger: the plain `GeneralCore` says the same (a property proves it), at many
 * times the cost.
 *
 * A key has its open sessions in order, one of them as a rule: finding those that a record touches is one lookup, and a
 * binary search where there are many. Sessions wait for the watermark in buckets by their end; one that grows stays where
 * it is, and moves when its bucket comes up.
 */
export class SessionCore<A, K, R, S> implements WindowCore<A, K> {
  readonly nextTimer: number = Infinity;
  readonly hold: number = Infinity;
  private time = MIN_TIMESTAMP;
  private ages = 0;
  private readonly open = new Map<K, Session<K, S> | Session<K, S>[]>(); // the earliest first; they don't touch
  /** Within the core, time counts from the first record: small whole numbers, which an engine finds faster, and keeps in their fields. */
  private origin = NaN;
  private readonly buckets = new TimerQueue<Session<K, S>>(); // by the number of the bucket
  private readonly soon = new TimerQueue<Session<K, S>>(); // by the last ms; those of the bucket that the watermark is in
  private readonly closing = new TimerQueue<Session<K, S>>(); // with a lateness: fired, to go
  private readonly lateness: number;
  private readonly aggregate: MergeableAggregateSpec<A, R, S>;

  constructor(
    private readonly gap: number | ((value: A) => number),
    private readonly options: WindowOptions<A, R>,
    private readonly sink: WindowSink<A, K, R, TimeWindow>,
  ) {
    this.lateness = options.allowedLateness;
    this.aggregate = options.aggregate as MergeableAggregateSpec<A, R, S>;
  }

  record(value: A, timestamp: number, key: K): void {
    if (timestamp === MIN_TIMESTAMP || timestamp === MAX_TIMESTAMP) {
      throw new MissingTimestampError(this.options.name, timestamp, value);
    }
    if (Number.isNaN(this.origin)) this.startAt(timestamp);
    const { gap } = this;
    const start = timestamp - this.origin;
    const end = start + (typeof gap === 'number' ? gap : gap(value));
    const known = this.open.get(key);
    let session: Session<K, S> | undefined;
    if (known === undefined) session = undefined;
    else if (Array.isArray(known)) session = this.joined(known, start, end);
    else if (known.start <= end && start <= known.end) session = known;
    if (session === undefined) {
      if (end - 1 + this.lateness <= this.time) {
        this.sink.late(value, timestamp, key);
        return;
      }
      session = this.begin(key, start, end);
      if (known === undefined) this.open.set(key, session);
      else if (Array.isArray(known)) known.splice(after(known, end), 0, session);
      else this.open.set(key, start < known.start ? [session, known] : [known, session]);
    } else if (start < session.start || end > session.end) {
      this.grow(session, Math.min(start, session.start), Math.max(end, session.end));
    }
    const state = this.aggregate.add(session.state, value, timestamp);
    if (state !== session.state) session.state = state; // a store costs more than to see that it is none
    if (session.fired) this.put(session, session.fires, 'late');
  }

  private startAt(origin: number): void {
    this.origin = origin;
    this.time -= origin;
  }

  private begin(key: K, start: number, end: number): Session<K, S> {
    const fired = end - 1 <= this.time; // within the lateness: its first record fires it
    const session: Session<K, S> = {
      key,
      age: this.ages++,
      start,
      end,
      state: this.aggregate.create(),
      fires: 0,
      fired,
      gone: false,
    };
    if (fired) this.closing.add(end - 1 + this.lateness, session);
    else this.wait(session);
    return session;
  }

  private wait(session: Session<K, S>): void {
    this.buckets.add(Math.floor((session.end - 1) / BUCKET), session);
  }

  /** The session that [start, end) touches; if they are several, they become one. */
  private joined(sessions: Session<K, S>[], start: number, end: number): Session<K, S> | undefined {
    const past = after(sessions, end);
    let from = past;
    while (from > 0 && (sessions[from - 1] as Session<K, S>).end >= start) from--;
    if (past - from < 2) return from < past ? sessions[from] : undefined;
    const parts = sessions.slice(from, past);
    const earliest = parts[0] as Session<K, S>;
    const latest = parts[parts.length - 1] as Session<K, S>;
    const [oldest, ...others] = parts.slice().sort(byAge) as [Session<K, S>, ...Session<K, S>[]];
    for (const other of others) {
      oldest.state = this.aggregate.merge(oldest.state, other.state);
      other.gone = true;
    }
    sessions.splice(from, parts.length, oldest);
    this.grow(oldest, earliest.start, latest.end);
    return oldest;
  }

  private grow(session: Session<K, S>, start: number, end: number): void {
    session.start = start;
    session.fires = 0;
    if (end === session.end) return;
    session.end = end;
    if (!session.fired) return; // it waits already, and will be moved
    if (end - 1 <= this.time) {
      this.closing.add(end - 1 + this.lateness, session);
    } else {
      session.fired = false;
      this.wait(session);
    }
  }

  private put(session: Session<K, S>, index: number, timing: Pane['timing']): void {
    const start = session.start + this.origin;
    const end = session.end + this.origin;
    session.fires = index + 1;
    const value = this.aggregate.result(session.state);
    if (this.options.panes === 'discarding') session.state = this.aggregate.create();
    const pane: Pane = timing === 'onTime' ? ON_TIME : { index, onTimeIndex: index, timing, last: false, retraction: false };
    this.sink.result(session.key, { start, end }, value, pane, end - 1, undefined);
  }

  watermark(timestamp: number): void {
    const time = Number.isNaN(this.origin) ? timestamp : timestamp - this.origin;
    this.time = time;
    // those that were soon due and have grown since may be due in a later bucket
    for (let list = this.soon.take(time); list !== undefined; list = this.soon.take(time)) {
      for (const session of list) this.wait(session);
    }
    const bucket = Math.floor(time / BUCKET);
    for (let at = this.buckets.next, list = this.buckets.take(bucket); list !== undefined; ) {
      for (const session of this.dueOf(list, (at + 1) * BUCKET)) {
        session.fired = true;
        this.put(session, 0, 'onTime');
        if (this.sink.closed) return;
        if (this.lateness === 0) this.close(session);
        else this.closing.add(session.end - 1 + this.lateness, session);
      }
      at = this.buckets.next;
      list = this.buckets.take(bucket);
    }
    for (let list = this.closing.take(time); list !== undefined; list = this.closing.take(time)) {
      for (const session of list) {
        // it may have grown since, and wait, or wait to go later
        if (!session.gone && session.fired && session.end - 1 + this.lateness <= time) this.close(session);
      }
    }
  }

  /** Those of a bucket that are due, in the order in which they fire; the others go where they belong. It is the same list. */
  private dueOf(sessions: Session<K, S>[], bucketEnd: number): Session<K, S>[] {
    let n = 0;
    for (const session of sessions) {
      if (session.gone) continue;
      const last = session.end - 1;
      if (last >= bucketEnd) this.wait(session);
      else if (last > this.time) this.soon.add(last, session);
      else sessions[n++] = session;
    }
    sessions.length = n;
    return sortByEnd(sessions);
  }

  private close(session: Session<K, S>): void {
    const { key } = session;
    session.gone = true;
    const sessions = this.open.get(key);
    if (!Array.isArray(sessions) || sessions.length === 1) {
      this.open.delete(key);
      return;
    }
    const at = after(sessions, session.start) - 1;
    if (at === 0)
      sessions.shift(); // as a rule: they end in their order
    else sessions.splice(at, 1);
  }

  clock(_time: number): void {}
  end(): void {} // the final watermark has fired all
}

/** How many of these sessions start at `end` or before. */
function after<K, S>(sessions: ReadonlyArray<Session<K, S>>, end: number): number {
  let low = 0;
  let high = sessions.length;
  if (high > 0 && (sessions[high - 1] as Session<K, S>).start <= end) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sessions[middle] as Session<K, S>).start <= end) low = middle + 1;
    else high = middle;
  }
  return low;
}

function byAge(a: { readonly age: number }, b: { readonly age: number }): number {
  return a.age - b.age;
}

/** Buckets hold some sessions, for which calls of a comparison would be most of the work. */
function sortByEnd<K, S>(sessions: Session<K, S>[]): Session<K, S>[] {
  if (sessions.length > 32) return sessions.sort(byEnd);
  for (let i = 1; i < sessions.length; i++) {
    const session = sessions[i] as Session<K, S>;
    let at = i;
    for (; at > 0 && byEnd(sessions[at - 1] as Session<K, S>, session) > 0; at--)
      sessions[at] = sessions[at - 1] as Session<K, S>;
    sessions[at] = session;
  }
  return sessions;
}

function byEnd(a: { readonly end: number; readonly age: number }, b: { readonly end: number; readonly age: number }): number {
  return a.end - b.end || a.age - b.age;
}

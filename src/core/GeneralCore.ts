import { MAX_TIMESTAMP, MIN_TIMESTAMP } from '../element/element.js';
import { MissingTimestampError } from '../element/errors.js';
import { TUMBLING } from '../time/tumbling.js';
import type { AggregateSpec, MergeableAggregateSpec } from '../windows/aggregates/aggregate.js';
import type { AnyAssigner, MergingAssigner } from '../windows/assigner.js';
import type { EvictorRules } from '../windows/evictor.js';
import type { Pane, TimeWindow } from '../windows/result.js';
import type { TriggerResult } from '../windows/trigger.js';
import { type Entry, NONE, type SharedSpan, type Span, type Waiting } from './Entry.js';
import { EntryContext } from './EntryContext.js';
import { touches } from './engineSlot.js';
import { Holds } from './Holds.js';
import { KEEPING, type KeptRecord } from './kept.js';
import { TimerQueue } from './TimerQueue.js';
import type { TriggerEvent, TriggerMachine } from './TriggerMachine.js';
import { touched } from './touched.js';
import type { WindowCore, WindowOptions, WindowSink } from './WindowCore.js';

/**
 * Windows of any assigner under any trigger, merging or not: Flink's WindowOperator as a state machine.
 *
 * Per record it costs a lookup for each window and key; timers are grouped by their time and never searched. That a window
 * ends is one timer for all keys, unless windows merge, which are of one key each.
 */
export class GeneralCore<A, K, R, W, S, T> implements WindowCore<A, K> {
  private time = MIN_TIMESTAMP;
  private ages = 0;
  private readonly open = new Map<string | number, SharedSpan<K, W, S, T>>();
  /** The windows of the records before, which go to and fro between two of them as a rule. */
  private latest: SharedSpan<K, W, S, T> | undefined = undefined;
  private other: SharedSpan<K, W, S, T> | undefined = undefined;
  /** Windows that merge, by key. */
  private readonly sessions = new Map<K, Entry<K, W, S, T>[]>();
  /** What is waited for by either clock: of single entries, and of windows that all keys share. */
  private readonly queues = {
    event: new TimerQueue<Waiting<K, W, S, T>>(),
    processing: new TimerQueue<Waiting<K, W, S, T>>(),
  };
  private readonly holds: Holds<Entry<K, W, S, T>>;
  private readonly aggregate: AggregateSpec<A, R, S>;
  private readonly merging: MergingAssigner<A, W> | undefined;
  /** The open windows of a key lie in the order of time, and don't touch. */
  private readonly touching: boolean;
  /** Windows lie side by side, by our own arithmetic: they say themselves which records they hold, without the clock. */
  private readonly tumbling: boolean;
  private readonly context: EntryContext<K, W, S, T>;

  constructor(
    private readonly assigner: AnyAssigner<A, W> & { readonly merge?: MergingAssigner<A, W>['merge'] | undefined },
    private readonly trigger: TriggerMachine<A, W, T>,
    private readonly options: WindowOptions<A, R>,
    private readonly sink: WindowSink<A, K, R, W>,
  ) {
    const { kind } = assigner;
    this.aggregate = options.evictor === undefined ? options.aggregate : (KEEPING as AggregateSpec<A, R, S>);
    this.merging = assigner.merge && (assigner as MergingAssigner<A, W>);
    this.touching = touches(assigner);
    this.tumbling = kind === 'event' && (assigner.assign as unknown) === TUMBLING.assign;
    this.holds = new Holds(options.resultTime === 'latest');
    this.context = new EntryContext(kind, sink, this.queues);
  }

  get nextTimer(): number {
    return this.queues.processing.next;
  }

  get hold(): number {
    return this.holds.next;
  }

  record(value: A, timestamp: number, key: K): void {
    let span = this.latest;
    if (!this.isIn(span, timestamp)) {
      span = this.other;
      if (!this.isIn(span, timestamp)) {
        this.assign(value, timestamp, key);
        return;
      }
      this.turnTo(span);
    }
    this.add(span.entries.get(key) ?? this.createIn(span, key), value, timestamp);
  }

  /** Is it known without asking that a time is in a window? */
  private isIn(span: SharedSpan<K, W, S, T> | undefined, timestamp: number): span is SharedSpan<K, W, S, T> {
    if (!this.tumbling || span === undefined) return false;
    const { start, end } = span.window as TimeWindow;
    return timestamp >= start && timestamp < end;
  }

  private assign(value: A, timestamp: number, key: K): void {
    const { kind } = this.assigner;
    if (kind === 'event' && (timestamp === MIN_TIMESTAMP || timestamp === MAX_TIMESTAMP)) {
      throw new MissingTimestampError(this.options.name, timestamp, value);
    }
    const windows = this.assigner.assign(value, timestamp, this.sink.now());
    let taken = false;
    // the latest window comes first: when one record fires several, they come from the latest start back (V1)
    for (const window of windows.length < 2 ? windows : this.latestFirst(windows)) {
      const entry = this.merging ? this.mergedEntryOf(this.merging, window, key) : this.entryOf(window, key);
      if (entry === undefined) continue;
      taken = true;
      this.add(entry, value, timestamp);
      if (this.sink.closed) return;
    }
    if (taken) return;
    const late = windows.length > 0 || (kind === 'event' && timestamp + this.options.allowedLateness <= this.time);
    if (late) this.sink.late(value, timestamp, key);
    else this.sink.unassigned(value);
  }

  private latestFirst(windows: ReadonlyArray<W>): ReadonlyArray<W> {
    return windows.slice().sort((a, b) => this.assigner.maxTimestamp(b) - this.assigner.maxTimestamp(a));
  }

  private add(entry: Entry<K, W, S, T>, value: A, timestamp: number): void {
    if (this.trigger.finished(entry.trigger)) {
      this.sink.discarded(1);
      return;
    }
    entry.state = this.aggregate.add(entry.state, value, timestamp);
    entry.records++;
    entry.fresh++;
    if (this.options.resultTime !== 'end' && timestamp > this.time) this.holds.stamp(entry, timestamp);
    this.context.at(entry, timestamp);
    this.act(entry, this.trigger.on('record', value, entry.trigger, this.context), 'record', timestamp);
  }

  /** The entry of a window that doesn't merge; undefined if the window is over (V2). */
  private entryOf(window: W, key: K): Entry<K, W, S, T> | undefined {
    const id = this.assigner.keyOf(window);
    let span = this.latest;
    if (span?.id !== id) {
      span = this.open.get(id);
      if (span === undefined) {
        const { maxTimestamp, cleanup } = this.spanOf(window);
        if (this.isBehind(cleanup)) return undefined;
        span = { window, maxTimestamp, cleanup, id, entries: new Map() };
        this.open.set(id, span);
        this.await(span, span);
      }
      this.turnTo(span);
    }
    return span.entries.get(key) ?? this.createIn(span, key);
  }

  private turnTo(span: SharedSpan<K, W, S, T>): void {
    this.other = this.latest;
    this.latest = span;
  }

  private createIn(span: SharedSpan<K, W, S, T>, key: K): Entry<K, W, S, T> {
    const entry = this.create(span, key);
    span.entries.set(key, entry);
    entry.released = this.isBehind(span.maxTimestamp); // what comes after the end is late, and holds nothing back
    return entry;
  }

  private create(span: Span<W>, key: K): Entry<K, W, S, T> {
    return {
      key,
      span,
      age: this.ages++,
      state: this.aggregate.create(),
      trigger: this.trigger.create(),
      records: 0,
      fresh: 0,
      fires: 0,
      onTimeFires: 0,
      asked: false,
      gone: false,
      released: false,
      fired: NONE,
      local: this.options.local?.(),
      stamp: undefined,
      event: undefined,
      processing: undefined,
    };
  }

  private spanOf(window: W): Span<W> {
    const maxTimestamp = this.assigner.maxTimestamp(window);
    return { window, maxTimestamp, cleanup: maxTimestamp + (this.assigner.kind === 'event' ? this.options.allowedLateness : 0) };
  }

  /** From now on the end of a window is waited for. */
  private await({ maxTimestamp, cleanup }: Span<W>, waiting: Waiting<K, W, S, T>): void {
    const { kind } = this.assigner;
    if (kind === 'global') return;
    const queue = this.queues[kind];
    queue.add(cleanup, waiting);
    if (maxTimestamp < cleanup) queue.add(maxTimestamp, waiting);
  }

  /** Has event time passed this? Of a window whose end it has, records are late: only event time can say so. */
  private isBehind(time: number): boolean {
    return this.assigner.kind === 'event' && time <= this.time;
  }

  /** The entry of a merging window once it has merged with the open ones of its key; undefined if the result is over. */
  private mergedEntryOf(assigner: MergingAssigner<A, W>, window: W, key: K): Entry<K, W, S, T> | undefined {
    const entries = this.sessions.get(key) ?? [];
    // of windows that merge only if they touch, those that it touches
    const { from, to } = this.touching ? touched(entries, window) : { from: 0, to: entries.length };
    const near = entries.slice(from, to);
    const id = assigner.keyOf(window);
    const existing = near.find((entry) => assigner.keyOf(entry.span.window) === id);
    if (existing !== undefined) return existing;
    let target: Entry<K, W, S, T> | undefined;
    let merged: W = window;
    for (const [whole, parts] of assigner.merge([...near.map((entry) => entry.span.window), window])) {
      const ids = new Set(parts.map((part) => assigner.keyOf(part)));
      const olds = near.filter((entry) => !entry.gone && ids.has(assigner.keyOf(entry.span.window)));
      if (ids.has(id)) merged = whole;
      if (olds.length === 0) continue;
      const one = this.join(olds, whole);
      if (ids.has(id)) target = one;
    }
    let kept = from;
    for (const entry of near) if (!entry.gone) entries[kept++] = entry;
    if (kept < to) entries.splice(kept, to - kept);
    if (target !== undefined) return target;
    const span = this.spanOf(merged);
    if (this.isBehind(span.cleanup)) return undefined;
    const entry = this.create(span, key);
    this.await(span, entry);
    entries.splice(kept, 0, entry);
    if (entries.length === 1) this.sessions.set(key, entries);
    return entry;
  }

  /** Makes open windows of one key one: state, trigger and age of all go into the oldest. Timers are asked for anew. */
  private join(parts: Entry<K, W, S, T>[], whole: W): Entry<K, W, S, T> {
    const [oldest, ...others] = parts.sort((a, b) => a.age - b.age) as [Entry<K, W, S, T>, ...Entry<K, W, S, T>[]];
    if (others.length === 0 && this.assigner.keyOf(oldest.span.window) === this.assigner.keyOf(whole)) return oldest;
    if (oldest.released) oldest.stamp = undefined; // its result has come: the next one has the time of what came since (W10)
    for (const part of others) {
      oldest.state = (this.aggregate as MergeableAggregateSpec<A, R, S>).merge(oldest.state, part.state);
      oldest.records += part.records;
      oldest.fresh += part.fresh;
      const { fired, released, stamp } = part;
      if (fired !== NONE) oldest.fired = oldest.fired.concat(fired);
      if (!released && stamp !== undefined) this.holds.stamp(oldest, stamp);
      part.gone = part.released = true;
    }
    oldest.span = this.spanOf(whole);
    this.await(oldest.span, oldest);
    oldest.fires = oldest.onTimeFires = 0; // indices restart at a merge, also of a window with a record (V7)
    oldest.asked = false;
    oldest.event = oldest.processing = undefined;
    this.context.at(oldest, MIN_TIMESTAMP);
    oldest.trigger = this.trigger.merge(
      parts.map((part) => part.trigger),
      this.context,
    );
    oldest.released = this.trigger.finished(oldest.trigger);
    return oldest;
  }

  watermark(time: number): void {
    this.time = this.context.watermark = time;
    this.run(time, 'event');
  }

  clock(time: number): void {
    this.run(time, 'processing');
  }

  /** What waits for the clock fires when the stream ends (W9); what waits for more records is dropped, and counted. */
  end(): void {
    // only what there is by now: a trigger may ask for another time whenever it is asked
    const { processing } = this.queues;
    let last = MIN_TIMESTAMP;
    for (const time of processing.due.keys()) last = Math.max(last, time);
    this.clock(last);
    for (const entry of listed([...this.open.values(), ...[...this.sessions.values()].flat()])) {
      if (this.sink.closed) return;
      entry.released = true;
      if (entry.fresh === 0) continue;
      if (this.options.partial === true) this.act(entry, 'fireAndPurge', 'record', MAX_TIMESTAMP);
      else this.sink.discarded(entry.fresh);
    }
    this.open.clear();
    this.latest = this.other = undefined;
    this.sessions.clear();
    while (processing.take(MAX_TIMESTAMP) !== undefined) {} // of what goes on by itself
  }

  private run(limit: number, by: 'event' | 'processing'): void {
    const queue = this.queues[by];
    for (let at = queue.next, due = queue.take(limit); due !== undefined; at = queue.next, due = queue.take(limit)) {
      let before: Entry<K, W, S, T> | null = null;
      for (const entry of listed(due).sort((a, b) => a.age - b.age)) {
        if (entry.gone || entry === before) continue; // stale, or asked for twice
        before = entry;
        const { maxTimestamp, cleanup } = entry.span;
        this.context.at(entry, MIN_TIMESTAMP);
        if (this.context.take(by, at)) this.act(entry, this.trigger.on(by, at, entry.trigger, this.context), by, at);
        if (by === 'event' && at >= maxTimestamp) entry.released = true;
        if (by === this.assigner.kind && at === cleanup) this.close(entry);
        if (this.sink.closed) return;
      }
    }
  }

  private act(entry: Entry<K, W, S, T>, result: TriggerResult, by: TriggerEvent, at: number): void {
    if (result === 'continue') return;
    const purges = result !== 'fire' || this.options.panes === 'discarding';
    if (result !== 'purge' && entry.records > 0) this.fire(entry, by, at, purges);
    else if (purges) this.purge(entry);
  }

  private fire(entry: Entry<K, W, S, T>, by: TriggerEvent, at: number, purges: boolean): void {
    const { key, fired, local } = entry;
    const { window, maxTimestamp } = entry.span;
    const { evictor } = this.options;
    const value = evictor === undefined ? this.aggregate.result(entry.state) : this.foldKept(entry, evictor);
    entry.fresh = 0;
    const timestamp = entry.stamp ?? maxTimestamp;
    const pane = this.paneOf(entry, by, at);
    if (purges) this.purge(entry);
    else if (this.options.panes === 'retracting') entry.fired = [{ window, value, pane, timestamp, local }];
    for (const { window, value, pane, timestamp, local } of fired) {
      this.sink.result(key, window, value as R, { ...pane, retraction: true }, timestamp, local);
      if (this.sink.closed) return;
    }
    this.sink.result(key, window, value, pane, timestamp, local);
  }

  /** Evicts, folds what is left (nothing, perhaps), and evicts after that if asked. */
  private foldKept(entry: Entry<K, W, S, T>, evictor: EvictorRules<A>): R {
    const { aggregate } = this.options;
    let kept = entry.state as KeptRecord<A>[];
    if (!evictor.after) kept = evictor.keep(kept) as KeptRecord<A>[];
    let lost = entry.fresh;
    let state = aggregate.create();
    for (const record of kept) {
      state = aggregate.add(state, record.value, record.timestamp);
      if (!record.seen) lost--;
      record.seen = true;
    }
    if (lost > 0) this.sink.discarded(lost); // evicted before it was in any result
    const result = aggregate.result(state);
    if (evictor.after) kept = evictor.keep(kept) as KeptRecord<A>[];
    entry.state = kept as S;
    entry.records = kept.length;
    return result;
  }

  private purge(entry: Entry<K, W, S, T>): void {
    if (entry.fresh > 0) this.sink.discarded(entry.fresh);
    entry.state = this.aggregate.create();
    entry.records = entry.fresh = 0;
    entry.fired = NONE;
    entry.stamp = undefined; // the next pane has the time of its own records
  }

  /** Rule V7. */
  private paneOf(entry: Entry<K, W, S, T>, by: TriggerEvent, at: number): Pane {
    const { maxTimestamp } = entry.span;
    const { kind } = this.assigner;
    let timing: Pane['timing'];
    if (kind === 'global') timing = 'early';
    else if (by === 'event') timing = at < maxTimestamp ? 'early' : at === maxTimestamp ? 'onTime' : 'late';
    else if (kind === 'processing') timing = by === 'processing' && at >= maxTimestamp ? 'onTime' : 'early';
    else timing = this.time < maxTimestamp ? 'early' : 'late';
    const onTimeIndex = timing === 'early' ? -1 : entry.onTimeFires++;
    const last = this.trigger.finished(entry.trigger);
    entry.released = last || timing !== 'early';
    return { index: entry.fires++, onTimeIndex, timing, last, retraction: false };
  }

  private close(entry: Entry<K, W, S, T>): void {
    const { key, span } = entry;
    entry.gone = entry.released = true;
    if (this.merging) {
      const entries = this.sessions.get(key) as Entry<K, W, S, T>[];
      const at = entries.indexOf(entry); // the first, as a rule: they end in their order
      if (entries.length === 1) this.sessions.delete(key);
      else if (at === 0) entries.shift();
      else entries.splice(at, 1);
    } else {
      // all keys of a window go at the same time
      this.open.delete((span as SharedSpan<K, W, S, T>).id);
      this.latest = this.other = undefined;
    }
    if (entry.fresh > 0) this.sink.discarded(entry.fresh);
    this.sink.cleared?.(key, span.window, entry.local);
  }
}

function listed<K, W, S, T>(all: ReadonlyArray<Waiting<K, W, S, T>>): Entry<K, W, S, T>[] {
  const list: Entry<K, W, S, T>[] = [];
  for (const one of all) {
    if ('entries' in one) for (const entry of one.entries.values()) list.push(entry);
    else list.push(one);
  }
  return list;
}

import { MAX_TIMESTAMP, MIN_TIMESTAMP } from '../element/element.js';
import { MissingTimestampError } from '../element/errors.js';
import type { AggregateSpec, MergeableAggregateSpec } from '../windows/aggregates/aggregate.js';
import type { AnyAssigner, MergingAssigner } from '../windows/assigner.js';
import type { EvictorRules, Kept } from '../windows/evictor.js';
import type { Pane } from '../windows/result.js';
import type { TriggerContext, TriggerResult } from '../windows/trigger.js';
import { touches } from './engineSlot.js';
import { type Held, Holds } from './Holds.js';
import { TimerQueue } from './TimerQueue.js';
import type { TriggerEvent, TriggerMachine } from './TriggerMachine.js';
import { drop, insert } from './times.js';
import { touched } from './touched.js';
import type { WindowCore, WindowOptions, WindowSink } from './WindowCore.js';

/** What a window has put out last, to be withdrawn by the next firing. */
interface Fired<W> {
  readonly window: W;
  readonly value: unknown;
  readonly pane: Pane;
  readonly timestamp: number;
  readonly local: unknown;
}

/** A record that a window keeps for its evictor. */
interface KeptRecord<A> extends Kept<A> {
  /** It has been in a result. */
  seen: boolean;
}

/** One window of one key. */
interface Entry<A, K, W, S, T> extends Held {
  readonly key: K;
  /** Grows when windows merge. */
  window: W;
  maxTimestamp: number;
  /** When it goes: `maxTimestamp` + lateness by event time, `maxTimestamp` by processing time, never if global. */
  cleanup: number;
  /** The age of its oldest part: orders firings of the same time (V1). */
  readonly age: number;
  state: S;
  /** The records themselves, where an evictor wants to see them. */
  kept: KeptRecord<A>[];
  /** How many records are in the pane: a firing over none puts nothing out. */
  records: number;
  /** How many of them have been in no result. */
  fresh: number;
  trigger: T;
  fires: number;
  onTimeFires: number;
  /** What the next firing withdraws: the last result, or one for each part of a merged window. */
  fired: Fired<W>[];
  local: unknown;
  /** The times that its trigger has asked for, by either clock: one as a rule. */
  eventTimers: number[];
  clockTimers: number[];
  /** Closed, or become part of another one: its timers in the queue are stale. */
  gone: boolean;
  stamp: number | undefined;
  released: boolean;
}

/**
 * Windows of any assigner under any trigger, merging or not: Flink's WindowOperator as a state machine.
 *
 * Per record it costs a lookup for each window and key; timers are grouped by their time and never searched.
 */
export class GeneralCore<A, K, R, W, S, T> implements WindowCore<A, K> {
  private time = MIN_TIMESTAMP;
  private ages = 0;
  /** By window, then key. */
  private readonly open = new Map<string | number, Map<K, Entry<A, K, W, S, T>>>();
  /** The window that has opened last: most records are for it. */
  private recent: { readonly id: string | number; readonly keys: Map<K, Entry<A, K, W, S, T>> } | undefined;
  /** Windows that merge, by key. */
  private readonly sessions = new Map<K, Entry<A, K, W, S, T>[]>();
  private readonly eventQueue = new TimerQueue<Entry<A, K, W, S, T>>();
  private readonly clockQueue = new TimerQueue<Entry<A, K, W, S, T>>();
  private readonly holds: Holds<Entry<A, K, W, S, T>>;
  private readonly aggregate: AggregateSpec<A, R, S>;
  private readonly merging: MergingAssigner<A, W> | null;
  /** The open windows of a key lie in the order of time, and don't touch. */
  private readonly touching: boolean;
  private readonly context: Context<A, K, W, S, T>;

  constructor(
    private readonly assigner: AnyAssigner<A, W> & { readonly merge?: MergingAssigner<A, W>['merge'] | undefined },
    private readonly trigger: TriggerMachine<A, W, T>,
    private readonly options: WindowOptions<A, R>,
    private readonly sink: WindowSink<A, K, R, W>,
  ) {
    this.aggregate = options.aggregate;
    this.merging = assigner.merge === undefined ? null : (assigner as MergingAssigner<A, W>);
    this.touching = touches(assigner);
    this.holds = new Holds(options.resultTime === 'latest');
    this.context = new Context(assigner.kind, sink, this.eventQueue, this.clockQueue);
  }

  get nextTimer(): number {
    return this.clockQueue.next;
  }

  get hold(): number {
    return this.holds.next;
  }

  record(value: A, timestamp: number, key: K): void {
    const { kind } = this.assigner;
    if (kind === 'event' && (timestamp === MIN_TIMESTAMP || timestamp === MAX_TIMESTAMP)) {
      throw new MissingTimestampError(this.options.name, timestamp, value);
    }
    const windows = this.assigner.assign(value, timestamp, this.sink.now());
    let taken = false;
    // the latest window comes first: when one record fires several, they come from the latest start back (V1)
    for (const window of windows.length < 2 ? windows : this.latestFirst(windows)) {
      const entry = this.merging === null ? this.entryOf(window, key) : this.mergedEntryOf(this.merging, window, key);
      if (entry === undefined) continue;
      taken = true;
      if (this.trigger.finished(entry.trigger)) this.sink.discarded(1);
      else this.add(entry, value, timestamp);
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

  private add(entry: Entry<A, K, W, S, T>, value: A, timestamp: number): void {
    if (this.options.evictor === undefined) entry.state = this.aggregate.add(entry.state, value, timestamp);
    else entry.kept.push({ value, timestamp, seen: false });
    entry.records++;
    entry.fresh++;
    if (this.options.resultTime !== 'end' && timestamp > this.time) this.holds.stamp(entry, timestamp);
    this.context.at(entry, timestamp);
    this.act(entry, this.trigger.on('record', value, entry.trigger, this.context), 'record', timestamp);
  }

  /** The entry of a window that doesn't merge; undefined if the window is over (V2). */
  private entryOf(window: W, key: K): Entry<A, K, W, S, T> | undefined {
    const id = this.assigner.keyOf(window);
    let keys = this.recent?.id === id ? this.recent.keys : this.open.get(id);
    const found = keys?.get(key);
    if (found !== undefined) return found;
    const maxTimestamp = this.assigner.maxTimestamp(window);
    if (this.isOver(maxTimestamp)) return undefined;
    if (keys === undefined) {
      keys = new Map();
      this.open.set(id, keys);
      this.recent = { id, keys };
    }
    const entry = this.create(window, maxTimestamp, key);
    keys.set(key, entry);
    return entry;
  }

  /** The entry of a merging window once it has merged with the open ones of its key; undefined if the result is over. */
  private mergedEntryOf(assigner: MergingAssigner<A, W>, window: W, key: K): Entry<A, K, W, S, T> | undefined {
    const entries = this.sessions.get(key) ?? [];
    const { from, to } = this.near(entries, window);
    const near = entries.slice(from, to);
    const id = assigner.keyOf(window);
    const existing = near.find((entry) => assigner.keyOf(entry.window) === id);
    if (existing !== undefined) return existing;
    let target: Entry<A, K, W, S, T> | undefined;
    let merged: W = window;
    for (const [whole, parts] of assigner.merge([...near.map((entry) => entry.window), window])) {
      const ids = new Set(parts.map((part) => assigner.keyOf(part)));
      const olds = near.filter((entry) => !entry.gone && ids.has(assigner.keyOf(entry.window)));
      if (ids.has(id)) merged = whole;
      if (olds.length === 0) continue;
      const one = this.join(olds, whole);
      if (ids.has(id)) target = one;
    }
    let kept = from;
    for (const entry of near) if (!entry.gone) entries[kept++] = entry;
    if (kept < to) entries.splice(kept, to - kept);
    if (target !== undefined) return target;
    const maxTimestamp = assigner.maxTimestamp(merged);
    if (this.isOver(maxTimestamp)) return undefined;
    const entry = this.create(merged, maxTimestamp, key);
    entries.splice(kept, 0, entry);
    if (entries.length === 1) this.sessions.set(key, entries);
    return entry;
  }

  /** Which open windows of a key a further one may merge with; of windows that merge only if they touch, those that it touches. */
  private near(entries: ReadonlyArray<Entry<A, K, W, S, T>>, window: W): { readonly from: number; readonly to: number } {
    return this.touching ? touched(entries, window) : { from: 0, to: entries.length };
  }

  /** Makes open windows of one key one: state, trigger and age of all go into the oldest. Timers are asked for anew. */
  private join(parts: Entry<A, K, W, S, T>[], whole: W): Entry<A, K, W, S, T> {
    const [oldest, ...others] = parts.sort((a, b) => a.age - b.age) as [Entry<A, K, W, S, T>, ...Entry<A, K, W, S, T>[]];
    if (others.length === 0 && this.assigner.keyOf(oldest.window) === this.assigner.keyOf(whole)) return oldest;
    const maxTimestamp = this.assigner.maxTimestamp(whole);
    if (oldest.released) oldest.stamp = undefined; // its result has come: the next one has the time of what came since (W10)
    for (const part of others) {
      if (this.options.evictor === undefined) {
        oldest.state = (this.aggregate as MergeableAggregateSpec<A, R, S>).merge(oldest.state, part.state);
      } else {
        for (const record of part.kept) oldest.kept.push(record);
      }
      oldest.records += part.records;
      oldest.fresh += part.fresh;
      for (const fired of part.fired) oldest.fired.push(fired);
      if (!part.released && part.stamp !== undefined) this.holds.stamp(oldest, part.stamp);
      part.gone = part.released = true;
    }
    oldest.window = whole;
    oldest.maxTimestamp = maxTimestamp;
    oldest.fires = oldest.onTimeFires = 0; // indices restart at a merge, also of a window with a record (V7)
    oldest.eventTimers = oldest.clockTimers = NONE;
    this.context.at(oldest, MIN_TIMESTAMP);
    oldest.trigger = this.trigger.merge(
      parts.map((part) => part.trigger),
      this.context,
    );
    oldest.released = this.trigger.finished(oldest.trigger);
    this.scheduleCleanup(oldest);
    return oldest;
  }

  private create(window: W, maxTimestamp: number, key: K): Entry<A, K, W, S, T> {
    const entry: Entry<A, K, W, S, T> = {
      key,
      window,
      maxTimestamp,
      cleanup: NaN,
      age: this.ages++,
      state: this.aggregate.create(),
      kept: NONE,
      records: 0,
      fresh: 0,
      stamp: undefined,
      trigger: this.trigger.create(),
      fires: 0,
      onTimeFires: 0,
      fired: NONE,
      local: this.options.local?.(),
      eventTimers: NONE,
      clockTimers: NONE,
      gone: false,
      released: false,
    };
    if (this.options.evictor !== undefined) entry.kept = [];
    if (this.options.panes === 'retracting') entry.fired = [];
    this.scheduleCleanup(entry);
    return entry;
  }

  private scheduleCleanup(entry: Entry<A, K, W, S, T>): void {
    const { kind } = this.assigner;
    if (kind === 'global') return;
    const before = entry.cleanup;
    entry.cleanup = entry.maxTimestamp + (kind === 'event' ? this.options.allowedLateness : 0);
    if (entry.cleanup !== before) (kind === 'event' ? this.eventQueue : this.clockQueue).add(entry.cleanup, entry);
    // what comes after its end is late, and holds nothing back: to be seen then, whatever the trigger does
    if (this.options.resultTime !== 'end' && kind === 'event') this.eventQueue.add(entry.maxTimestamp, entry);
  }

  /** Is a window with this largest timestamp over, so that records for it are late? Only event time can say so. */
  private isOver(maxTimestamp: number): boolean {
    return this.assigner.kind === 'event' && maxTimestamp + this.options.allowedLateness <= this.time;
  }

  watermark(time: number): void {
    this.time = this.context.watermark = time;
    this.run(this.eventQueue, time, 'event');
  }

  clock(time: number): void {
    this.run(this.clockQueue, time, 'clock');
  }

  /** What waits for the clock fires when the stream ends (W9); what waits for more records is dropped, and counted. */
  end(): void {
    // only what there is by now: a trigger may ask for another time whenever it is asked
    let last = MIN_TIMESTAMP;
    for (const time of this.clockQueue.due.keys()) last = Math.max(last, time);
    this.run(this.clockQueue, last, 'clock');
    for (const entries of [...this.open.values(), ...this.sessions.values()]) {
      for (const entry of entries.values()) {
        if (this.sink.closed) return;
        entry.gone = entry.released = true;
        if (entry.fresh === 0) continue;
        if (this.options.partial === true) this.act(entry, 'fireAndPurge', 'record', MAX_TIMESTAMP);
        else this.sink.discarded(entry.fresh);
      }
    }
    this.open.clear();
    this.recent = undefined;
    this.sessions.clear();
    while (this.clockQueue.take(MAX_TIMESTAMP) !== undefined) {} // of what goes on by itself
  }

  private run(queue: TimerQueue<Entry<A, K, W, S, T>>, limit: number, domain: 'event' | 'clock'): void {
    const cleans = this.assigner.kind === (domain === 'event' ? 'event' : 'processing');
    for (let at = queue.next, due = queue.take(limit); due !== undefined; at = queue.next, due = queue.take(limit)) {
      if (due.length > 1) due.sort((a, b) => a.age - b.age);
      let before: Entry<A, K, W, S, T> | null = null;
      for (const entry of due) {
        if (entry.gone || entry === before) continue; // stale, or asked for twice
        before = entry;
        if (drop(domain === 'event' ? entry.eventTimers : entry.clockTimers, at)) {
          this.context.at(entry, MIN_TIMESTAMP);
          this.act(entry, this.trigger.on(domain, at, entry.trigger, this.context), domain, at);
        }
        if (domain === 'event' && at >= entry.maxTimestamp) entry.released = true;
        if (cleans && at === entry.cleanup) this.close(entry);
        if (this.sink.closed) return;
      }
    }
  }

  private act(entry: Entry<A, K, W, S, T>, result: TriggerResult, by: TriggerEvent, at: number): void {
    if (result === 'continue') return;
    const purges = result !== 'fire' || this.options.panes === 'discarding';
    if (result !== 'purge' && entry.records > 0) this.fire(entry, by, at, purges);
    else if (purges) this.purge(entry);
  }

  private fire(entry: Entry<A, K, W, S, T>, by: TriggerEvent, at: number, purges: boolean): void {
    const { key, window } = entry;
    const value =
      this.options.evictor === undefined ? this.aggregate.result(entry.state) : this.foldKept(entry, this.options.evictor);
    entry.fresh = 0;
    const timestamp = entry.stamp ?? entry.maxTimestamp;
    const pane = this.paneOf(entry, by, at);
    const old = entry.fired;
    if (purges) this.purge(entry);
    else if (this.options.panes === 'retracting') entry.fired = [{ window, value, pane, timestamp, local: entry.local }];
    for (const { window, value, pane, timestamp, local } of old) {
      this.sink.result(key, window, value as R, { ...pane, retraction: true }, timestamp, local);
      if (this.sink.closed) return;
    }
    this.sink.result(key, window, value, pane, timestamp, entry.local);
  }

  /** Evicts, folds what is left (nothing, perhaps), and evicts after that if asked. */
  private foldKept(entry: Entry<A, K, W, S, T>, evictor: EvictorRules<A>): R {
    const before = entry.kept;
    if (!evictor.after) {
      entry.kept = evictor.keep(before) as KeptRecord<A>[];
      const stay = new Set(entry.kept);
      const lost = before.filter((record) => !record.seen && !stay.has(record)).length;
      if (lost > 0) this.sink.discarded(lost); // evicted before it was in any result
    }
    let state = this.aggregate.create();
    for (const record of entry.kept) {
      state = this.aggregate.add(state, record.value, record.timestamp);
      record.seen = true;
    }
    const result = this.aggregate.result(state);
    if (evictor.after) entry.kept = evictor.keep(before) as KeptRecord<A>[];
    entry.records = entry.kept.length;
    return result;
  }

  private purge(entry: Entry<A, K, W, S, T>): void {
    if (entry.fresh > 0) this.sink.discarded(entry.fresh);
    entry.state = this.aggregate.create();
    if (this.options.evictor !== undefined) entry.kept = [];
    if (this.options.panes === 'retracting') entry.fired = [];
    entry.records = entry.fresh = 0;
    entry.stamp = undefined; // the next pane has the time of its own records
  }

  /** Rule V7. */
  private paneOf(entry: Entry<A, K, W, S, T>, by: TriggerEvent, at: number): Pane {
    const { maxTimestamp } = entry;
    const { kind } = this.assigner;
    let timing: Pane['timing'];
    if (kind === 'global') timing = 'early';
    else if (by === 'event') timing = at < maxTimestamp ? 'early' : at === maxTimestamp ? 'onTime' : 'late';
    else if (kind === 'processing') timing = by === 'clock' && at >= maxTimestamp ? 'onTime' : 'early';
    else timing = this.time < maxTimestamp ? 'early' : 'late';
    const onTimeIndex = timing === 'early' ? -1 : entry.onTimeFires++;
    const last = this.trigger.finished(entry.trigger);
    entry.released = last || timing !== 'early';
    return { index: entry.fires++, onTimeIndex, timing, last, retraction: false };
  }

  private close(entry: Entry<A, K, W, S, T>): void {
    const { key } = entry;
    entry.gone = entry.released = true;
    if (this.merging !== null) {
      const entries = this.sessions.get(key) as Entry<A, K, W, S, T>[];
      const at = this.touching ? touched(entries, entry.window).from : entries.indexOf(entry);
      if (entries.length === 1) this.sessions.delete(key);
      else if (at === 0)
        entries.shift(); // as a rule: they end in their order
      else entries.splice(at, 1);
    } else {
      // all keys of a window go at the same time
      this.open.delete(this.assigner.keyOf(entry.window));
      this.recent = undefined;
    }
    if (entry.fresh > 0) this.sink.discarded(entry.fresh);
    this.sink.cleared?.(key, entry.window, entry.local);
  }
}

/** The list of those that keep none: entries share it, nobody writes to it. */
const NONE: never[] = [];

/** The one context, pointed at each entry in turn: no allocation a call. */
class Context<A, K, W, S, T> implements TriggerContext<W> {
  watermark = MIN_TIMESTAMP;
  timestamp = MIN_TIMESTAMP;
  private entry!: Entry<A, K, W, S, T>;

  constructor(
    private readonly kind: 'event' | 'processing' | 'global',
    private readonly sink: { now(): number },
    private readonly eventQueue: TimerQueue<Entry<A, K, W, S, T>>,
    private readonly clockQueue: TimerQueue<Entry<A, K, W, S, T>>,
  ) {}

  at(entry: Entry<A, K, W, S, T>, timestamp: number): void {
    this.entry = entry;
    this.timestamp = timestamp;
  }
  get window(): W {
    return this.entry.window;
  }
  get maxTimestamp(): number {
    return this.entry.maxTimestamp;
  }
  now(): number {
    return this.sink.now();
  }
  onEventTime(timestamp: number): void {
    const { entry } = this;
    if (entry.eventTimers === NONE) entry.eventTimers = [timestamp];
    else if (!insert(entry.eventTimers, timestamp)) return;
    // it is waited for anyway until it goes
    if (timestamp !== entry.cleanup || this.kind !== 'event') this.eventQueue.add(timestamp, entry);
  }
  onProcessingTime(timestamp: number): void {
    const { entry } = this;
    if (entry.clockTimers === NONE) entry.clockTimers = [timestamp];
    else if (!insert(entry.clockTimers, timestamp)) return;
    if (timestamp !== entry.cleanup || this.kind !== 'processing') this.clockQueue.add(timestamp, entry);
  }
  cancelEventTime(timestamp: number): void {
    drop(this.entry.eventTimers, timestamp);
  }
  cancelProcessingTime(timestamp: number): void {
    drop(this.entry.clockTimers, timestamp);
  }
}

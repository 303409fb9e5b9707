import { MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamRecord } from '../element/element.js';
import { MissingTimestampError } from '../element/errors.js';
import type { AggregateSpec, MergeableAggregateSpec } from '../windows/aggregates/aggregate.js';
import type { AnyAssigner, MergingAssigner } from '../windows/assigner.js';
import type { Pane } from '../windows/result.js';
import { TimerQueue } from './TimerQueue.js';
import type { TriggerContext, TriggerMachine, TriggerResult } from './TriggerMachine.js';
import type { WindowCore, WindowOptions, WindowSink } from './WindowCore.js';

/** The timers that one window of one key has asked for, in one domain. Most have one; some have none. */
type Times = number[];

/** One window of one key. */
interface Entry<K, W, S, T> {
  readonly key: K;
  /** Grows when windows merge. */
  window: W;
  maxTimestamp: number;
  /** When it goes: `maxTimestamp` + lateness by event time, `maxTimestamp` by processing time, never if global. */
  cleanup: number;
  /** The age of its oldest part: orders firings of the same time (V1). */
  readonly age: number;
  state: S;
  /** How many records are in `state`: a firing over none puts nothing out. */
  records: number;
  trigger: T;
  fires: number;
  onTimeFires: number;
  eventTimers: Times;
  clockTimers: Times;
  /** Closed, or become part of another one: its timers in the queue are stale. */
  gone: boolean;
}

type Domain = 'record' | 'event' | 'clock';

/**
 * Windows of any assigner under any trigger, merging or not: Flink's WindowOperator as a state machine.
 *
 * Per record it costs a lookup for each window and key; timers are grouped by their time and never searched.
 */
export class GeneralCore<A, K, R, W, S, T> implements WindowCore<A, K> {
  private time = MIN_TIMESTAMP;
  private ages = 0;
  /** By window, then key; for merging windows by key alone, then a short list. */
  private readonly open = new Map<string | number, Map<K, Entry<K, W, S, T>>>();
  private readonly sessions = new Map<K, Entry<K, W, S, T>[]>();
  private readonly eventQueue = new TimerQueue<Entry<K, W, S, T>>();
  private readonly clockQueue = new TimerQueue<Entry<K, W, S, T>>();
  private readonly aggregate: AggregateSpec<A, R, S>;
  private readonly merging: MergingAssigner<A, W> | null;
  private readonly context: Context<K, W, S, T>;
  openWindows = 0;

  constructor(
    private readonly assigner: AnyAssigner<A, W> & { readonly merge?: MergingAssigner<A, W>['merge'] | undefined },
    private readonly trigger: TriggerMachine<A, W, T>,
    private readonly options: WindowOptions<A, R>,
    private readonly sink: WindowSink<A, K, R, W>,
  ) {
    this.aggregate = options.aggregate;
    this.merging = assigner.merge === undefined ? null : (assigner as MergingAssigner<A, W>);
    this.context = new Context(sink, this.eventQueue, this.clockQueue);
  }

  get nextTimer(): number {
    return this.clockQueue.next;
  }

  record(record: StreamRecord<A, K>): void {
    const { value, timestamp, key } = record;
    if (this.assigner.kind === 'event' && (timestamp === MIN_TIMESTAMP || timestamp === MAX_TIMESTAMP)) {
      throw new MissingTimestampError(this.options.name, timestamp, value);
    }
    const windows = this.assigner.assign(value, timestamp, this.sink.now());
    let taken = false;
    // the latest window comes first: when one record fires several, they come from the latest start back (V1)
    for (const window of windows.length < 2 ? windows : this.latestFirst(windows)) {
      const entry = this.merging === null ? this.entryOf(window, key) : this.mergedEntryOf(this.merging, window, key);
      if (entry === undefined) continue;
      taken = true;
      entry.state = this.aggregate.add(entry.state, value, timestamp);
      entry.records++;
      this.context.at(entry, timestamp);
      this.act(entry, this.trigger.onRecord(value, entry.trigger, this.context), 'record', timestamp);
      if (this.sink.closed) return;
    }
    if (taken) return;
    const late = windows.length > 0 || (this.assigner.kind === 'event' && timestamp + this.options.allowedLateness <= this.time);
    if (late) this.sink.late(record);
    else this.sink.unassigned(record);
  }

  private latestFirst(windows: ReadonlyArray<W>): ReadonlyArray<W> {
    return windows.slice().sort((a, b) => this.assigner.maxTimestamp(b) - this.assigner.maxTimestamp(a));
  }

  /** The entry of a window that doesn't merge; undefined if the window is over (V2). */
  private entryOf(window: W, key: K): Entry<K, W, S, T> | undefined {
    const id = this.assigner.keyOf(window);
    let keys = this.open.get(id);
    const found = keys?.get(key);
    if (found !== undefined) return found;
    const maxTimestamp = this.assigner.maxTimestamp(window);
    if (this.isOver(maxTimestamp)) return undefined;
    if (keys === undefined) {
      keys = new Map();
      this.open.set(id, keys);
    }
    const entry = this.create(window, maxTimestamp, key);
    keys.set(key, entry);
    return entry;
  }

  /** The entry of a merging window once it has merged with the open ones of its key; undefined if the result is over. */
  private mergedEntryOf(assigner: MergingAssigner<A, W>, window: W, key: K): Entry<K, W, S, T> | undefined {
    const entries = this.sessions.get(key) ?? [];
    const id = assigner.keyOf(window);
    const existing = entries.find((entry) => assigner.keyOf(entry.window) === id);
    if (existing !== undefined) return existing;
    let target: Entry<K, W, S, T> | undefined;
    let merged: W = window;
    for (const [whole, parts] of assigner.merge([...entries.map((entry) => entry.window), window])) {
      const ids = new Set(parts.map((part) => assigner.keyOf(part)));
      const olds = entries.filter((entry) => ids.has(assigner.keyOf(entry.window)));
      if (ids.has(id)) merged = whole;
      if (olds.length === 0) continue;
      const one = this.join(olds, whole);
      if (ids.has(id)) target = one;
      for (const old of olds) if (old !== one) entries.splice(entries.indexOf(old), 1);
    }
    if (target !== undefined) return target;
    const maxTimestamp = assigner.maxTimestamp(merged);
    if (this.isOver(maxTimestamp)) return undefined;
    const entry = this.create(merged, maxTimestamp, key);
    if (entries.push(entry) === 1) this.sessions.set(key, entries);
    return entry;
  }

  /** Makes open windows of one key one: state, trigger and age of all go into the oldest. Timers are asked for anew. */
  private join(parts: Entry<K, W, S, T>[], whole: W): Entry<K, W, S, T> {
    const [oldest, ...others] = parts.sort((a, b) => a.age - b.age) as [Entry<K, W, S, T>, ...Entry<K, W, S, T>[]];
    const maxTimestamp = this.assigner.maxTimestamp(whole);
    const grows = maxTimestamp !== oldest.maxTimestamp;
    oldest.window = whole;
    if (!grows && others.length === 0) return oldest;
    for (const part of others) {
      oldest.state = (this.aggregate as MergeableAggregateSpec<A, R, S>).merge(oldest.state, part.state);
      oldest.records += part.records;
      part.gone = true;
      this.openWindows--;
    }
    if (others.length > 0) oldest.fires = oldest.onTimeFires = 0; // indices restart at a merge (V7)
    oldest.maxTimestamp = maxTimestamp;
    oldest.eventTimers = [];
    oldest.clockTimers = [];
    this.context.at(oldest, MIN_TIMESTAMP);
    oldest.trigger = this.trigger.merge(
      parts.map((part) => part.trigger),
      this.context,
    );
    this.scheduleCleanup(oldest);
    return oldest;
  }

  private create(window: W, maxTimestamp: number, key: K): Entry<K, W, S, T> {
    const entry: Entry<K, W, S, T> = {
      key,
      window,
      maxTimestamp,
      cleanup: NaN,
      age: this.ages++,
      state: this.aggregate.create(),
      records: 0,
      trigger: this.trigger.create(),
      fires: 0,
      onTimeFires: 0,
      eventTimers: [],
      clockTimers: [],
      gone: false,
    };
    this.openWindows++;
    this.scheduleCleanup(entry);
    return entry;
  }

  private scheduleCleanup(entry: Entry<K, W, S, T>): void {
    const { kind } = this.assigner;
    if (kind === 'global') return;
    const before = entry.cleanup;
    entry.cleanup = entry.maxTimestamp + (kind === 'event' ? this.options.allowedLateness : 0);
    if (entry.cleanup !== before) (kind === 'event' ? this.eventQueue : this.clockQueue).add(entry.cleanup, entry);
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

  /** Processing-time windows fire when the stream ends (W9). */
  end(): void {
    if (this.assigner.kind === 'processing') this.run(this.clockQueue, MAX_TIMESTAMP, 'clock');
  }

  private run(queue: TimerQueue<Entry<K, W, S, T>>, limit: number, domain: 'event' | 'clock'): void {
    const cleans = this.assigner.kind === (domain === 'event' ? 'event' : 'processing');
    for (let at = queue.next, due = queue.take(limit); due !== undefined; at = queue.next, due = queue.take(limit)) {
      if (due.length > 1) due.sort((a, b) => a.age - b.age);
      let before: Entry<K, W, S, T> | null = null;
      for (const entry of due) {
        if (entry.gone || entry === before) continue; // stale, or asked for twice
        before = entry;
        const timers = domain === 'event' ? entry.eventTimers : entry.clockTimers;
        const wanted = timers.indexOf(at);
        if (wanted >= 0) {
          timers.splice(wanted, 1);
          this.context.at(entry, MIN_TIMESTAMP);
          const result =
            domain === 'event'
              ? this.trigger.onEventTime(at, entry.trigger, this.context)
              : this.trigger.onProcessingTime(at, entry.trigger, this.context);
          this.act(entry, result, domain, at);
        }
        if (cleans && at === entry.cleanup) this.close(entry);
        if (this.sink.closed) return;
      }
    }
  }

  private act(entry: Entry<K, W, S, T>, result: TriggerResult, by: Domain, at: number): void {
    if (result === 'continue') return;
    const fires = result === 'fire' || result === 'fireAndPurge';
    const fired = fires && entry.records > 0;
    const value = fired ? this.aggregate.result(entry.state) : undefined;
    const pane = fired ? this.paneOf(entry, by, at) : null;
    if (result !== 'fire' || this.options.panes === 'discarding') {
      if (!fires && entry.records > 0) this.sink.discarded(entry.records);
      entry.state = this.aggregate.create();
      entry.records = 0;
    }
    if (pane !== null) this.sink.result(entry.key, entry.window, value as R, pane, entry.maxTimestamp);
  }

  /** Rule V7. */
  private paneOf(entry: Entry<K, W, S, T>, by: Domain, at: number): Pane {
    const { maxTimestamp } = entry;
    const { kind } = this.assigner;
    let timing: Pane['timing'];
    if (kind === 'global') timing = 'early';
    else if (by === 'event') timing = at < maxTimestamp ? 'early' : at === maxTimestamp ? 'onTime' : 'late';
    else if (kind === 'processing') timing = by === 'clock' && at >= maxTimestamp ? 'onTime' : 'early';
    else timing = this.time < maxTimestamp ? 'early' : 'late';
    const onTimeIndex = timing === 'early' ? -1 : entry.onTimeFires++;
    return { index: entry.fires++, onTimeIndex, timing, last: false, retraction: false };
  }

  private close(entry: Entry<K, W, S, T>): void {
    entry.gone = true;
    this.openWindows--;
    const { key } = entry;
    if (this.merging !== null) {
      const entries = this.sessions.get(key) as Entry<K, W, S, T>[];
      if (entries.length === 1) this.sessions.delete(key);
      else entries.splice(entries.indexOf(entry), 1);
      return;
    }
    const id = this.assigner.keyOf(entry.window);
    const keys = this.open.get(id) as Map<K, Entry<K, W, S, T>>;
    keys.delete(key);
    if (keys.size === 0) this.open.delete(id);
  }
}

/** The one context, pointed at each entry in turn: no allocation a call. */
class Context<K, W, S, T> implements TriggerContext<W> {
  watermark = MIN_TIMESTAMP;
  timestamp = MIN_TIMESTAMP;
  private entry!: Entry<K, W, S, T>;

  constructor(
    private readonly sink: { now(): number },
    private readonly eventQueue: TimerQueue<Entry<K, W, S, T>>,
    private readonly clockQueue: TimerQueue<Entry<K, W, S, T>>,
  ) {}

  at(entry: Entry<K, W, S, T>, timestamp: number): void {
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
    ask(this.entry.eventTimers, this.eventQueue, timestamp, this.entry);
  }
  onProcessingTime(timestamp: number): void {
    ask(this.entry.clockTimers, this.clockQueue, timestamp, this.entry);
  }
  cancelEventTime(timestamp: number): void {
    cancel(this.entry.eventTimers, timestamp);
  }
  cancelProcessingTime(timestamp: number): void {
    cancel(this.entry.clockTimers, timestamp);
  }
}

function ask<E>(timers: Times, queue: TimerQueue<E>, timestamp: number, entry: E): void {
  if (timers.includes(timestamp)) return;
  timers.push(timestamp);
  queue.add(timestamp, entry);
}

function cancel(timers: Times, timestamp: number): void {
  const at = timers.indexOf(timestamp);
  if (at >= 0) timers.splice(at, 1);
}

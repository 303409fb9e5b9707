import { MIN_TIMESTAMP } from '../element/element.js';
import type { TriggerContext } from '../windows/trigger.js';
import type { Entry, Waiting } from './Entry.js';
import type { TimerQueue } from './TimerQueue.js';
import { drop, insert } from './times.js';

type Timed = 'event' | 'processing';

/**
 * What a trigger sees of an entry, and which times it has asked for. There is one, pointed at each entry in turn: no
 * allocation a call.
 *
 * Most triggers ask for the end of the window: that is a mark in the entry, and one timer for all keys.
 */
export class EntryContext<K, W, S, T> implements TriggerContext<W> {
  watermark: number = MIN_TIMESTAMP;
  timestamp: number = MIN_TIMESTAMP;
  private entry!: Entry<K, W, S, T>;

  constructor(
    /** By what windows end. */
    private readonly kind: Timed | 'global',
    private readonly sink: { now(): number },
    private readonly queues: Readonly<Record<Timed, TimerQueue<Waiting<K, W, S, T>>>>,
  ) {}

  at(entry: Entry<K, W, S, T>, timestamp: number): void {
    this.entry = entry;
    this.timestamp = timestamp;
  }
  get window(): W {
    return this.entry.span.window;
  }
  get maxTimestamp(): number {
    return this.entry.span.maxTimestamp;
  }
  now(): number {
    return this.sink.now();
  }
  onEventTime(timestamp: number): void {
    this.ask('event', timestamp);
  }
  onProcessingTime(timestamp: number): void {
    this.ask('processing', timestamp);
  }
  cancelEventTime(timestamp: number): void {
    this.take('event', timestamp);
  }
  cancelProcessingTime(timestamp: number): void {
    this.take('processing', timestamp);
  }

  private ask(by: Timed, timestamp: number): void {
    const { entry } = this;
    if (this.isEnd(by, timestamp)) {
      if (entry.asked) return;
      entry.asked = true;
      if (timestamp > this.watermark) return; // the window itself waits for it
    } else {
      const times = entry[by];
      if (times === undefined) entry[by] = [timestamp];
      else if (!insert(times, timestamp)) return;
    }
    // it is waited for anyway until it goes
    if (by !== this.kind || timestamp !== entry.span.cleanup) this.queues[by].add(timestamp, entry);
  }

  /** Has the trigger asked for this time? It has to ask again. */
  take(by: Timed, timestamp: number): boolean {
    const { entry } = this;
    if (this.isEnd(by, timestamp)) {
      const { asked } = entry;
      entry.asked = false;
      return asked;
    }
    return drop(entry[by] ?? [], timestamp);
  }

  private isEnd(by: Timed, timestamp: number): boolean {
    return by === this.kind && timestamp === this.entry.span.maxTimestamp;
  }
}

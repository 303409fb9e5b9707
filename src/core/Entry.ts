import type { Pane } from '../windows/result.js';
import type { Held } from './Holds.js';

/** A window, of all keys; or of one, if windows merge. */
export interface Span<W> {
  readonly window: W;
  readonly maxTimestamp: number;
  /** When it goes: `maxTimestamp` + lateness by event time, `maxTimestamp` by processing time; means nothing if global. */
  readonly cleanup: number;
}

/** A window that all keys share. */
export interface SharedSpan<K, W, S, T> extends Span<W> {
  readonly id: string | number;
  /** In the order of their ages. */
  readonly entries: Map<K, Entry<K, W, S, T>>;
}

/**
 * One window of one key. These are many, and what they take is what a record waits for: what all keys of a window have in
 * common is in the span.
 */
export interface Entry<K, W, S, T> extends Held {
  readonly key: K;
  /** Another one when windows merge. */
  span: Span<W>;
  /** The age of its oldest part: orders firings of the same time (V1). */
  readonly age: number;
  state: S;
  trigger: T;
  /** How many records are in the pane: a firing over none puts nothing out. */
  records: number;
  /** How many of them have been in no result. */
  fresh: number;
  fires: number;
  onTimeFires: number;
  /** Its trigger has asked for the end of the window. */
  asked: boolean;
  /** Closed, or become part of another one: its timers in the queue are stale. */
  gone: boolean;
  stamp: number | undefined;
  released: boolean;
  /** What the next firing withdraws: the last result, or one for each part of a merged window. */
  fired: ReadonlyArray<Fired<W>>;
  readonly local: unknown;
  /** The times that its trigger has asked for, by either clock, but for the end of the window: none as a rule. */
  event: number[] | undefined;
  processing: number[] | undefined;
}

/** What a window has put out last. */
export interface Fired<W> {
  readonly window: W;
  readonly value: unknown;
  readonly pane: Pane;
  readonly timestamp: number;
  readonly local: unknown;
}

/** Nothing has been put out. */
export const NONE: ReadonlyArray<never> = [];

/** What waits for a time: a window, or one entry. */
export type Waiting<K, W, S, T> = Entry<K, W, S, T> | SharedSpan<K, W, S, T>;

import type { TimeWindow } from './result.js';

/** What assigners of both sorts say. */
export interface AnyAssigner<in A, W> {
  /** What closes the windows: watermarks, the clock, or (`global`) nothing: never late, never cleaned up, MAX included. */
  readonly kind: 'event' | 'processing' | 'global';
  /** The windows of a record; `now` is the clock, in ms. An empty list: it belongs to none, and is counted as unassigned. */
  assign(value: A, timestamp: number, now: number): ReadonlyArray<W>;
  /** The largest timestamp that belongs to the window, `end − 1` as a rule: the window fires when the watermark reaches it. */
  maxTimestamp(window: W): number;
  /** What tells windows apart: equal windows have equal ones. */
  keyOf(window: W): string | number;
}

/**
 * Says which windows a record belongs to.
 *
 * ```ts
 * const quarterDays: WindowAssigner<unknown> = {
 *   kind: 'event',
 *   assign: (_value, timestamp) => {
 *     const start = Math.floor(timestamp / hours(6)) * hours(6);
 *     return [{ start, end: start + hours(6) }];
 *   },
 *   maxTimestamp: (window) => window.end - 1,
 *   keyOf: (window) => window.end,
 * };
 * from([record('a', hours(7))]).pipe(
 *   windowBy(quarterDays),
 *   toValues(),
 *   map(({ window }) => window),
 * ); // { start: hours(6), end: hours(12) }
 * ```
 *
 * @category windows
 * @since 0.1.0
 */
export interface WindowAssigner<in A, W = TimeWindow> extends AnyAssigner<A, W> {
  readonly merge?: never;
}

/**
 * An assigner whose windows grow together, as sessions do.
 *
 * @category windows
 * @since 0.1.0
 */
export interface MergingAssigner<in A, W = TimeWindow> extends AnyAssigner<A, W> {
  /** Which of the open windows of one key become one; windows that stay alone may be left out. */
  readonly merge: (windows: ReadonlyArray<W>) => ReadonlyArray<readonly [merged: W, parts: ReadonlyArray<W>]>;
}

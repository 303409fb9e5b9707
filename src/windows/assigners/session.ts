import { OWN_CORE, type OwnCore, TOUCHING, type WindowOptions, type WindowSink } from '../../core/engineSlot.js';
import { sessionEngine } from '../../core/sessionEngine.js';
import { assertFunction, assertMs, assertOneOf } from '../../time/assert.js';
import { lastMillisecond } from '../../time/tumbling.js';
import type { AnyAssigner, MergingAssigner } from '../assigner.js';
import { CLOCKS } from '../grid.js';
import type { TimeWindow } from '../result.js';

/** The clock of sessions. */
export interface SessionConfig {
  /** Which time decides: that of the records (`'event'`, the default) or that of the scheduler when they arrive. */
  readonly clock?: 'event' | 'processing';
}

/** A session assigner, inspectable. */
export interface SessionAssigner<in A> extends MergingAssigner<A> {
  readonly type: 'session';
  readonly kind: 'event' | 'processing';
  /** ms, or how many for a record. */
  readonly gap: number | ((value: A) => number);
}

/**
 * Windows of activity: records at most `gap` ms apart belong together; a session ends at its last record + `gap`.
 *
 * Records exactly one gap apart share a session, as in Flink and Kafka Streams (not in Beam).
 *
 * ```ts
 * assigners.session(10).assign('a', 7, 0); // [{ start: 7, end: 17 }]
 * ```
 *
 * @param gap ms, a whole number ≥ 1.
 * @throws RangeError or TypeError at once, for an argument out of range.
 * @see Flink's EventTimeSessionWindows and ProcessingTimeSessionWindows (rule V5).
 * @category windows
 * @since 0.1.0
 */
export function session(gap: number, config: SessionConfig = {}): SessionAssigner<unknown> {
  assertMs('session', 'gap', gap, 1);
  return sessionsOf(gap, config);
}

/**
 * Sessions whose gap each record gives: `[t, t + gap(value))`, merged where they touch.
 *
 * @param gap ms, a whole number ≥ 1 for each record; anything else is a RangeError in the stream.
 * @throws TypeError at once, if it is no function.
 * @see Flink's DynamicEventTimeSessionWindows.
 * @category windows
 * @since 0.1.0
 */
export function dynamicSession<A>(gap: (value: A) => number, config: SessionConfig = {}): SessionAssigner<A> {
  assertFunction('dynamicSession', 'gap', gap);
  return sessionsOf(gap, config);
}

function sessionsOf<A>(gap: number | ((value: A) => number), config: SessionConfig): SessionAssigner<A> {
  const { clock = 'event' } = config;
  assertOneOf('session', 'clock', clock, CLOCKS);
  const assigner: SessionAssigner<A> & { readonly [OWN_CORE]: OwnCore<TimeWindow>; readonly [TOUCHING]: unknown } = {
    type: 'session',
    kind: clock,
    gap,
    assign,
    maxTimestamp: lastMillisecond,
    keyOf: boundsOf,
    merge: mergeTouching,
    [OWN_CORE]: ownCore,
    [TOUCHING]: mergeTouching,
  };
  return assigner;
}

function assign<A>(this: SessionAssigner<A>, value: A, timestamp: number, now: number): TimeWindow[] {
  const { gap } = this;
  const start = this.kind === 'event' ? timestamp : now;
  return [{ start, end: start + (typeof gap === 'number' ? gap : gapOf(gap, value)) }];
}

function gapOf<A>(gap: (value: A) => number, value: A): number {
  const ms = gap(value);
  assertMs('dynamicSession', 'gap', ms, 1);
  return ms;
}

function boundsOf({ start, end }: TimeWindow): string {
  return `${start}/${end}`;
}

/** For assigners as they were made: a copy that assigns or merges in its own way is not one of these sessions. */
const ownCore: OwnCore<TimeWindow> = <A, K, R>(
  assigner: AnyAssigner<A, TimeWindow>,
  options: WindowOptions<A, R>,
  sink: WindowSink<A, K, R, TimeWindow>,
) => {
  const { gap, kind, merge, assign: assigns } = assigner as SessionAssigner<A>;
  if (kind !== 'event' || assigns !== assign || merge !== mergeTouching) return undefined;
  return sessionEngine(typeof gap === 'number' ? gap : (value: A) => gapOf(gap, value), options, sink);
};

/** Windows that overlap or touch become one. */
export function mergeTouching(windows: ReadonlyArray<TimeWindow>): Array<readonly [TimeWindow, TimeWindow[]]> {
  const sorted = windows.slice().sort((a, b) => a.start - b.start);
  const merged: Array<readonly [TimeWindow, TimeWindow[]]> = [];
  let parts: TimeWindow[] = [];
  let end = -Infinity;
  for (const window of sorted) {
    const first = parts[0];
    if (first !== undefined && window.start > end) {
      if (parts.length > 1) merged.push([{ start: first.start, end }, parts]);
      parts = [];
      end = -Infinity;
    }
    parts.push(window);
    end = Math.max(end, window.end);
  }
  const first = parts[0];
  if (first !== undefined && parts.length > 1) merged.push([{ start: first.start, end }, parts]);
  return merged;
}

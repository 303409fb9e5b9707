import { assertCount, assertOneOf, refuse } from '../time/assert.js';
import { endOf, lastMillisecond } from '../time/tumbling.js';
import type { WindowAssigner } from '../windows/assigner.js';
import { CLOCKS } from '../windows/grid.js';
import type { TimeWindow } from '../windows/result.js';
import { boundsOf, isTimeZone } from './bounds.js';

/** What a window is made of. */
export type CalendarUnit = 'hour' | 'day' | 'week' | 'month' | 'year';

/** Whose calendar it is. */
export interface CalendarConfig {
  /** The IANA name of the time zone, such as `'Europe/Berlin'`. */
  readonly timeZone: string;
  /** How many units make a window; default 1. A divisor of 24 for hours, which are counted from midnight; the others from 1970, years from 0. */
  readonly count?: number;
  /** The day with which weeks begin, 0 being Sunday; default 1, Monday. */
  readonly weekStartsOn?: 0 | 1 | 2 | 3 | 4 | 5 | 6;
  /** Which time decides: that of the records (`'event'`, the default) or that of the scheduler when they arrive. */
  readonly clock?: 'event' | 'processing';
}

/** A calendar assigner, inspectable. */
export interface CalendarAssigner extends WindowAssigner<unknown> {
  readonly type: 'calendar';
  readonly kind: 'event' | 'processing';
  readonly unit: CalendarUnit;
  readonly timeZone: string;
  readonly count: number;
  readonly weekStartsOn: number;
  /** The window that begins where `window` ends: what `fillGaps` needs to know. */
  next(window: TimeWindow): TimeWindow;
}

const UNITS: ReadonlyArray<string> = ['hour', 'day', 'week', 'month', 'year'];

/**
 * Windows of the calendar side by side: hours, days, weeks, months or years as the clocks of a time zone show them. A day on
 * which the clocks change has 23 or 25 hours, a day that a country left out has no window.
 *
 * An hour that the clocks show twice is two windows, unless it is not a whole one that is repeated (Lord Howe Island goes back
 * by half an hour: that hour has 90 minutes). What was skipped is missing: an hour may begin at half past.
 *
 * ```ts
 * import { calendar } from 'tidemark/calendar';
 *
 * const noon = Date.parse('2024-03-31T12:00+02:00');
 * from([record('the day on which summer time begins', noon)]).pipe(
 *   windowBy(calendar('day', { timeZone: 'Europe/Berlin' }), aggregates.count()),
 *   toValues(),
 *   map(({ window: { start, end } }) => [new Date(start).toISOString(), (end - start) / hours(1)]),
 * ); // ['2024-03-30T23:00:00.000Z', 23]
 * ```
 *
 * **Cost**: a comparison for a record in the window of the one before; the calendar is asked once a window. Its rules are
 * those of `Temporal`, by the package `temporal-polyfill` where the platform has none; the zones are the platform's own.
 *
 * @throws RangeError or TypeError at once, for an argument out of range or a time zone that is not known.
 * @category windows
 * @since 0.1.0
 */
export function calendar(unit: CalendarUnit, config: CalendarConfig): CalendarAssigner {
  const { timeZone, count = 1, weekStartsOn = 1, clock = 'event' } = config;
  assertOneOf('calendar', 'unit', unit, UNITS);
  if (!isTimeZone(timeZone)) throw refuse('calendar', 'timeZone', timeZone, 'the IANA name of a time zone');
  assertCount('calendar', 'count', count, 1);
  if (unit === 'hour' && 24 % count !== 0) throw refuse('calendar', 'count', count, 'a divisor of 24, for hours');
  if (!Number.isInteger(weekStartsOn) || weekStartsOn < 0 || weekStartsOn > 6) {
    throw refuse('calendar', 'weekStartsOn', weekStartsOn, 'a day from 0 (Sunday) to 6');
  }
  assertOneOf('calendar', 'clock', clock, CLOCKS);
  return {
    type: 'calendar',
    kind: clock,
    unit,
    timeZone,
    count,
    weekStartsOn,
    assign,
    maxTimestamp: lastMillisecond,
    keyOf: endOf,
    next,
  };
}

function assign(this: CalendarAssigner, _value: unknown, timestamp: number, now: number): ReadonlyArray<TimeWindow> {
  const at = this.kind === 'event' ? timestamp : now;
  const recent = recentOf(this);
  const last = recent[0];
  if (last !== undefined && holds(last[0], at)) return last;
  const known = recent.findIndex(([window]) => holds(window, at));
  const found: readonly [TimeWindow] = recent[known] ?? [boundsOf(this, at)];
  if (known >= 0) recent.splice(known, 1);
  else if (recent.length === RECENT) recent.pop();
  recent.unshift(found);
  return found;
}

function next(this: CalendarAssigner, window: TimeWindow): TimeWindow {
  return boundsOf(this, window.end);
}

function holds(window: TimeWindow, at: number): boolean {
  return at >= window.start && at < window.end;
}

/** How many windows an assigner remembers: records out of order go to and fro between a few. */
const RECENT = 16;

// beside the assigners and not in them, so that they stay comparable
const memory = new WeakMap<CalendarAssigner, Array<readonly [TimeWindow]>>();

function recentOf(assigner: CalendarAssigner): Array<readonly [TimeWindow]> {
  let recent = memory.get(assigner);
  if (recent === undefined) {
    recent = [];
    memory.set(assigner, recent);
  }
  return recent;
}

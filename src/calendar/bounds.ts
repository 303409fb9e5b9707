import { Temporal } from 'temporal-polyfill';
import type { TimeWindow } from '../windows/result.js';

/** What a calendar's windows are. */
export interface Rules {
  readonly unit: 'hour' | 'day' | 'week' | 'month' | 'year';
  readonly timeZone: string;
  readonly count: number;
  readonly weekStartsOn: number;
}

const HOUR = 3_600_000;
const THURSDAY = 4; // the weekday of the epoch

/** Is this the name of a time zone? */
export function isTimeZone(name: unknown): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name as string);
    return typeof name === 'string';
  } catch {
    return false;
  }
}

/** The window in which a time is. */
export function boundsOf(rules: Rules, at: number): TimeWindow {
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(rules.timeZone);
  if (rules.unit === 'hour') {
    const size = rules.count * HOUR;
    return { start: startOfHours(zoned, size), end: endOfHours(zoned, size) };
  }
  const [from, to] = datesOf(rules, zoned.toPlainDate());
  const window = { start: startOfDay(from, rules.timeZone), end: startOfDay(to, rules.timeZone) };
  if (at < window.end) return window;
  // clocks that were put back from just after midnight show the day before once more: it stays over
  return { start: window.end, end: startOfDay(datesOf(rules, to)[1], rules.timeZone) };
}

/** The first date of a window, and that of the one after it. */
function datesOf({ unit, count, weekStartsOn }: Rules, date: Temporal.PlainDate): [Temporal.PlainDate, Temporal.PlainDate] {
  switch (unit) {
    case 'year':
      return blockOf(date.year, count, (year) => Temporal.PlainDate.from({ year, month: 1, day: 1 }));
    case 'month':
      return blockOf(date.year * 12 + date.month - 1, count, (months) =>
        Temporal.PlainDate.from({ year: Math.floor(months / 12), month: months - Math.floor(months / 12) * 12 + 1, day: 1 }),
      );
    case 'week': {
      const firstStart = weekStartsOn - THURSDAY; // in days since the epoch
      const week = Math.floor((daysSince(date) - firstStart) / 7);
      return blockOf(week, count, (weeks) => epoch().add({ days: weeks * 7 + firstStart }));
    }
    default:
      return blockOf(daysSince(date), count, (days) => epoch().add({ days }));
  }
}

/** Made when it is wanted: loading the module does no work. */
function epoch(): Temporal.PlainDate {
  return new Temporal.PlainDate(1970, 1, 1);
}

function daysSince(date: Temporal.PlainDate): number {
  return epoch().until(date, { largestUnit: 'days' }).days;
}

function blockOf<D>(index: number, count: number, dateOf: (index: number) => D): [D, D] {
  const first = Math.floor(index / count) * count;
  return [dateOf(first), dateOf(first + count)];
}

/** The first moment of a date, which is not midnight where midnight was skipped. */
function startOfDay(date: Temporal.PlainDate, timeZone: string): number {
  return date.toZonedDateTime(timeZone).epochMilliseconds;
}

/** A moment by the clocks of its zone, in ms. */
function local(zoned: Temporal.ZonedDateTime): number {
  return zoned.epochMilliseconds + zoned.offsetNanoseconds / 1e6;
}

function floorTo(time: number, size: number): number {
  return Math.floor(time / size) * size;
}

// While the offset stays, windows of hours are a grid by local time. A change of the offset begins a window if the clocks
// then show another window's hour, or the beginning of one; else the window goes on.

function startOfHours(zoned: Temporal.ZonedDateTime, size: number): number {
  const label = floorTo(local(zoned), size);
  const start = zoned.epochMilliseconds - (local(zoned) - label);
  const change = zoned.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  if (change === null || change.epochMilliseconds <= start) return start;
  const before = change.subtract({ milliseconds: 1 });
  return floorTo(local(before), size) === label ? startOfHours(before, size) : change.epochMilliseconds;
}

function endOfHours(zoned: Temporal.ZonedDateTime, size: number): number {
  const label = floorTo(local(zoned), size);
  const end = zoned.epochMilliseconds - (local(zoned) - label) + size;
  const change = zoned.getTimeZoneTransition('next');
  if (change === null || change.epochMilliseconds > end) return end;
  const shown = local(change);
  return floorTo(shown, size) === label && shown !== label ? endOfHours(change, size) : change.epochMilliseconds;
}

import fc from 'fast-check';
import { from, toArray } from 'rxjs';
import { Temporal } from 'temporal-polyfill';
import { aggregates, hours, minutes, record, type TimeWindow, toValues, watermark, windowBy } from 'tidemark';
import { type CalendarConfig, type CalendarUnit, calendar } from 'tidemark/calendar';
import { describe, expect, it } from 'vitest';

/** The window of a moment, as `start/end` in UTC. */
function windowOf(unit: CalendarUnit, config: CalendarConfig, at: string): string {
  const [window] = calendar(unit, config).assign('a', Date.parse(at), 0);
  const text = (time = NaN): string => new Date(time).toISOString().replace(':00.000', '');
  return `${text(window?.start)}/${text(window?.end)}`;
}

const lengthOf = ({ start, end }: TimeWindow): number => (end - start) / hours(1);

/** The lengths in hours of the windows from `at` on. */
function lengths(unit: CalendarUnit, config: CalendarConfig, at: string, n: number): number[] {
  const assigner = calendar(unit, config);
  let [window] = assigner.assign('a', Date.parse(at), 0);
  return Array.from({ length: n }, () => {
    if (window === undefined) throw new Error('no window');
    const length = lengthOf(window);
    window = assigner.next(window);
    return length;
  });
}

describe('calendar', () => {
  it.each<[CalendarUnit, CalendarConfig, string, string]>([
    ['hour', { timeZone: 'UTC' }, '2024-02-29T12:34:56Z', '2024-02-29T12:00Z/2024-02-29T13:00Z'],
    ['day', { timeZone: 'UTC' }, '2024-02-29T12:34:56Z', '2024-02-29T00:00Z/2024-03-01T00:00Z'],
    ['week', { timeZone: 'UTC' }, '2024-02-29T12:34:56Z', '2024-02-26T00:00Z/2024-03-04T00:00Z'],
    ['month', { timeZone: 'UTC' }, '2024-02-29T12:34:56Z', '2024-02-01T00:00Z/2024-03-01T00:00Z'],
    ['year', { timeZone: 'UTC' }, '2024-02-29T12:34:56Z', '2024-01-01T00:00Z/2025-01-01T00:00Z'],
    ['month', { timeZone: 'UTC', count: 3 }, '2024-11-05T00:00Z', '2024-10-01T00:00Z/2025-01-01T00:00Z'],
    ['month', { timeZone: 'UTC', count: 3 }, '1969-11-05T00:00Z', '1969-10-01T00:00Z/1970-01-01T00:00Z'],
    ['year', { timeZone: 'UTC', count: 10 }, '2024-11-05T00:00Z', '2020-01-01T00:00Z/2030-01-01T00:00Z'],
    ['day', { timeZone: 'UTC', count: 2 }, '1970-01-02T00:00Z', '1970-01-01T00:00Z/1970-01-03T00:00Z'],
    ['day', { timeZone: 'UTC', count: 2 }, '1969-12-31T00:00Z', '1969-12-30T00:00Z/1970-01-01T00:00Z'],
    ['hour', { timeZone: 'UTC', count: 6 }, '2024-02-29T12:34:56Z', '2024-02-29T12:00Z/2024-02-29T18:00Z'],
    // a quarter of an hour beside the others: hours of Kathmandu begin at :15 UTC
    ['hour', { timeZone: 'Asia/Kathmandu' }, '2024-02-29T12:00Z', '2024-02-29T11:15Z/2024-02-29T12:15Z'],
    ['day', { timeZone: 'Asia/Kathmandu' }, '2024-02-29T12:00Z', '2024-02-28T18:15Z/2024-02-29T18:15Z'],
    ['day', { timeZone: 'America/New_York' }, '2024-02-29T04:59Z', '2024-02-28T05:00Z/2024-02-29T05:00Z'],
    ['month', { timeZone: 'America/New_York' }, '2024-03-15T00:00Z', '2024-03-01T05:00Z/2024-04-01T04:00Z'],
    ['year', { timeZone: 'Europe/Berlin' }, '2023-12-31T23:30Z', '2023-12-31T23:00Z/2024-12-31T23:00Z'],
  ])('%s of %j: %s is in %s', (unit, config, at, expected) => {
    expect(windowOf(unit, config, at)).toBe(expected);
  });

  it.each([
    [0, '2024-02-25T00:00Z/2024-03-03T00:00Z'],
    [1, '2024-02-26T00:00Z/2024-03-04T00:00Z'],
    [2, '2024-02-27T00:00Z/2024-03-05T00:00Z'],
    [3, '2024-02-28T00:00Z/2024-03-06T00:00Z'],
    [4, '2024-02-29T00:00Z/2024-03-07T00:00Z'],
    [5, '2024-02-23T00:00Z/2024-03-01T00:00Z'],
    [6, '2024-02-24T00:00Z/2024-03-02T00:00Z'],
  ] as const)('weeks that start on day %i: the leap day, a Thursday, is in %s', (weekStartsOn, expected) => {
    expect(windowOf('week', { timeZone: 'UTC', weekStartsOn }, '2024-02-29T12:00Z')).toBe(expected);
  });

  it.each<[string, CalendarUnit, string, string, ReadonlyArray<number>]>([
    ['days have 23 hours in spring', 'day', 'Europe/Berlin', '2024-03-30T12:00Z', [24, 23, 24]],
    ['and 25 in autumn', 'day', 'Europe/Berlin', '2024-10-26T12:00Z', [24, 25, 24]],
    ['days have 23 hours in spring', 'day', 'America/New_York', '2024-03-09T12:00Z', [24, 23, 24]],
    ['and 25 in autumn', 'day', 'America/New_York', '2024-11-02T12:00Z', [24, 25, 24]],
    ['days have 23½ hours in spring', 'day', 'Australia/Lord_Howe', '2024-10-05T14:00Z', [23.5, 24]],
    ['and 24½ in autumn', 'day', 'Australia/Lord_Howe', '2024-04-06T14:00Z', [24.5, 24]],
    ['weeks have 167 hours in spring', 'week', 'Europe/Berlin', '2024-03-27T12:00Z', [167, 168]],
    ['hours stay hours in spring', 'hour', 'Europe/Berlin', '2024-03-31T00:30Z', [1, 1, 1]],
    ['and the one shown twice is two', 'hour', 'Europe/Berlin', '2024-10-26T23:30Z', [1, 1, 1, 1]],
    ['an hour that is skipped by half has 30 minutes', 'hour', 'Australia/Lord_Howe', '2024-10-05T14:40Z', [1, 0.5, 1]],
    ['one that is repeated by half has 90', 'hour', 'Australia/Lord_Howe', '2024-04-06T13:40Z', [1, 1.5, 1]],
    ['a day that was left out has no window', 'day', 'Pacific/Apia', '2011-12-29T12:00-10:00', [24, 24, 24]],
    ['a midnight that was skipped', 'day', 'America/Sao_Paulo', '2018-11-03T12:00Z', [24, 23, 24]],
    ['a midnight that came twice', 'day', 'America/Havana', '2024-11-02T12:00Z', [24, 25, 24]],
  ])('%s: %s of %s from %s', (_what, unit, timeZone, at, expected) => {
    expect(lengths(unit, { timeZone }, at, expected.length)).toEqual(expected);
  });

  it('blocks of six hours keep to the clocks: 0, 6, 12, 18', () => {
    const config = { timeZone: 'Europe/Berlin', count: 6 };
    expect(lengths('hour', config, '2024-03-31T00:00Z', 4)).toEqual([5, 6, 6, 6]);
    // three o'clock comes back as two, in the middle of the block
    expect(lengths('hour', config, '2024-10-26T23:00Z', 4)).toEqual([7, 6, 6, 6]);
  });

  it('the hour of half an hour begins at half past', () => {
    expect(windowOf('hour', { timeZone: 'Australia/Lord_Howe' }, '2024-10-05T15:45Z')).toBe(
      '2024-10-05T15:30Z/2024-10-05T16:00Z',
    );
  });

  it('on 30 December 2011 nothing happened in Apia', () => {
    const config = { timeZone: 'Pacific/Apia' };
    expect(windowOf('day', config, '2011-12-29T23:59-10:00')).toBe('2011-12-29T10:00Z/2011-12-30T10:00Z');
    expect(windowOf('day', config, '2011-12-31T00:00+14:00')).toBe('2011-12-30T10:00Z/2011-12-31T10:00Z');
    expect(lengths('week', config, '2011-12-29T12:00-10:00', 2)).toEqual([144, 168]);
  });

  it('a day that is over stays over, where clocks are put back from 0:01 to 23:01', () => {
    const config = { timeZone: 'America/St_Johns' };
    expect(windowOf('day', config, '1998-10-25T02:29:59Z')).toBe('1998-10-24T02:30Z/1998-10-25T02:30Z');
    expect(windowOf('day', config, '1998-10-25T02:30:30Z')).toBe('1998-10-25T02:30Z/1998-10-26T03:30Z');
    expect(windowOf('day', config, '1998-10-25T03:00Z')).toBe('1998-10-25T02:30Z/1998-10-26T03:30Z');
    expect(windowOf('hour', config, '1998-10-25T03:00Z')).toBe('1998-10-25T02:31Z/1998-10-25T03:30Z');
  });

  const zones = [
    ...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia', 'America/Havana'],
    ...['America/Sao_Paulo', 'Africa/Casablanca', 'Antarctica/Troll', 'America/St_Johns'],
  ];

  /** When the clocks of a zone change after `time`. */
  const nextChange = (timeZone: string, time: number): number =>
    Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(timeZone).getTimeZoneTransition('next')?.epochMilliseconds ??
    time;

  it('windows hold their moments and lie side by side, in every zone, for every unit and count', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom<[CalendarUnit, number]>(
          ['hour', 1],
          ['hour', 6],
          ['day', 1],
          ['day', 3],
          ['week', 1],
          ['month', 1],
          ['month', 3],
          ['year', 1],
        ),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: Date.UTC(1975), max: Date.UTC(2037) }),
        fc.option(fc.integer({ min: -minutes(150), max: minutes(150) })),
        (timeZone, [unit, count], weekStartsOn, time, aside) => {
          const at = aside === null ? time : nextChange(timeZone, time) + aside;
          const config = { timeZone, count, weekStartsOn: weekStartsOn as 0 };
          const of = (time: number): TimeWindow => {
            const [window] = calendar(unit, config).assign('a', time, 0);
            if (window === undefined) throw new Error('no window');
            return window;
          };
          const window = of(at);
          expect(window.start).toBeLessThanOrEqual(at);
          expect(window.end).toBeGreaterThan(at);
          for (const inside of [window.start, window.end - 1, Math.floor((window.start + window.end) / 2)]) {
            expect(of(inside)).toEqual(window);
          }
          expect(of(window.end).start).toBe(window.end);
          expect(of(window.start - 1).end).toBe(window.start);
          expect(calendar(unit, config).next(window)).toEqual(of(window.end));
        },
      ),
      { numRuns: 3_000 },
    ));

  it('hours by the clock: each minute of a day of 25 hours is in the hour that the clocks show', () => {
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', hour: '2-digit', hourCycle: 'h23' });
    const assigner = calendar('hour', { timeZone: 'America/New_York' });
    for (let at = Date.parse('2024-11-03T04:00Z'); at < Date.parse('2024-11-04T05:00Z'); at += minutes(1)) {
      const [window] = assigner.assign('a', at, 0);
      expect(clock.format(window?.start)).toBe(clock.format(at));
    }
  });

  it('remembers windows without mixing them up, records to and fro', () => {
    const assigner = calendar('day', { timeZone: 'Europe/Berlin' });
    for (const day of [1, 2, 1, 3, 2, 1, 40, 1, 2, 3, ...Array.from({ length: 30 }, (_, i) => i), 1, 2]) {
      const at = Date.UTC(2024, 0, day, 12);
      expect(assigner.assign('a', at, 0)).toEqual([{ start: Date.UTC(2024, 0, day - 1, 23), end: Date.UTC(2024, 0, day, 23) }]);
    }
  });

  it('by the clock, the scheduler decides', () => {
    const assigner = calendar('hour', { timeZone: 'UTC', clock: 'processing' });
    expect(assigner.kind).toBe('processing');
    expect(assigner.assign('a', 0, hours(5) + 1)).toEqual([{ start: hours(5), end: hours(6) }]);
  });

  it('in a pipe: one result a day, late ones refused', () => {
    const at = (text: string) => Date.parse(text);
    const seen: unknown[] = [];
    from([
      record('a', at('2024-03-30T23:30Z')),
      record('b', at('2024-03-31T21:59Z')),
      record('c', at('2024-03-31T22:00Z')),
      watermark(at('2024-03-31T21:59:59.999Z')),
      record('d', at('2024-03-31T12:00Z')),
    ])
      .pipe(
        windowBy(calendar('day', { timeZone: 'Europe/Berlin' }), aggregates.collect(), {
          lateTo: ({ value }) => seen.push(value),
        }),
        toValues(),
        toArray(),
      )
      .subscribe((results) => seen.push(...results.map(({ window, value }) => [lengthOf(window), value])));
    expect(seen).toEqual(['d', [23, ['a', 'b']], [24, ['c']]]);
  });

  it('is a value: equal to another one, used or not, and says what it is', () => {
    const used = calendar('week', { timeZone: 'UTC' });
    used.assign('a', 0, 0);
    expect(used).toStrictEqual(calendar('week', { timeZone: 'UTC' }));
    expect(used).not.toEqual(calendar('week', { timeZone: 'Europe/Berlin' }));
    expect(used).toMatchObject({ type: 'calendar', kind: 'event', unit: 'week', timeZone: 'UTC', count: 1, weekStartsOn: 1 });
  });

  it('refuses what is none, when it is built', () => {
    const timeZone = 'UTC';
    expect(() => calendar('second' as never, { timeZone })).toThrow(/^calendar: unit is "second", it must be "hour" or "day"/);
    expect(() => calendar('day', { timeZone: 'Mars/Base' })).toThrow(
      /^calendar: timeZone is "Mars\/Base", it must be the IANA name/,
    );
    expect(() => calendar('day', {} as never)).toThrow(/^calendar: timeZone is undefined/);
    expect(() => calendar('day', { timeZone, count: 0 })).toThrow(/^calendar: count is 0, it must be a whole number/);
    expect(() => calendar('hour', { timeZone, count: 5 })).toThrow(/^calendar: count is 5, it must be a divisor of 24/);
    expect(() => calendar('week', { timeZone, weekStartsOn: 7 as never })).toThrow(/^calendar: weekStartsOn is 7/);
    expect(() => calendar('week', { timeZone, clock: 'wall' as never })).toThrow(/^calendar: clock is "wall"/);
  });
});

import { from, map, Subject } from 'rxjs';
import {
  aggregates,
  assignWatermarks,
  boundedOutOfOrderness,
  counters,
  filterValue,
  hours,
  InvalidTimestampError,
  isRecord,
  MIN_TIMESTAMP,
  punctuated,
  type StreamElement,
  seconds,
  tumblingWindow,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { ProbeScheduler } from '../helpers/probeScheduler.js';
import { listen, MAX, r, through, timed, W } from './notation.js';

describe('timestamps: values, units, offsets', () => {
  const times: Record<string, number | undefined> = { a: 1, b: undefined, c: 3 };
  const timestamp = (name: string) => times[name];

  it('P026 a bad timestamp is an error that names record and value; by policy it is dropped or forwarded', () => {
    const source = from(['a', 'b', 'c']);
    const elements: unknown[] = [];
    const failing = assignWatermarks<string>(boundedOutOfOrderness(0), {
      timestamp: timestamp as () => number,
      interval: 'record',
    });
    source.pipe(failing).subscribe({ next: (e) => elements.push(e), error: (error: unknown) => elements.push(error) });
    expect(elements).toHaveLength(3);
    expect(elements.slice(0, 2)).toStrictEqual([r(1, 'a'), W(0)]);
    expect(elements[2]).toBeInstanceOf(InvalidTimestampError);
    expect(elements[2]).toMatchObject({ received: undefined, value: 'b', index: 1 });
    expect((elements[2] as Error).message).toMatch(/"b".*undefined/);

    const seen = counters();
    const config = { timestamp, interval: 'record', counters: seen } as const;
    const bounded = boundedOutOfOrderness<string>(0);
    expect(listen(source.pipe(assignWatermarks(bounded, { ...config, onInvalidTimestamp: 'drop' })))).toEqual([
      'a@1',
      'W(0)',
      'c@3',
      'W(2)',
      'W(MAX)',
      '|',
    ]);
    expect(seen.invalid).toBe(1);
    expect(listen(source.pipe(assignWatermarks(bounded, { ...config, onInvalidTimestamp: 'forward' })))).toEqual([
      'a@1',
      'W(0)',
      'b@MIN',
      'c@3',
      'W(2)',
      'W(MAX)',
      '|',
    ]);
  });

  it('P028 a record without a time does not inherit that of the one before it', () => {
    const stamped = from<{ name: string; at?: number }[]>([{ name: 'a', at: 5 }, { name: 'b' }]).pipe(
      assignWatermarks(boundedOutOfOrderness(0), { timestamp: (e) => e.at, onInvalidTimestamp: 'forward' }),
    );
    const elements: StreamElement<{ name: string }>[] = [];
    stamped.subscribe((element) => elements.push(element));
    expect(elements.filter(isRecord).map((element) => element.timestamp)).toEqual([5, MIN_TIMESTAMP]);
    // a window refuses it rather than counting it somewhere; without it, it counts what has a time
    expect(listen(stamped.pipe(tumblingWindow(10, aggregates.count())))).toEqual([
      expect.stringMatching(/^#.*reassignWatermarks/),
    ]);
    const timed = stamped.pipe(filterValue((_value, time) => time !== MIN_TIMESTAMP));
    expect(listen(timed.pipe(tumblingWindow(10, aggregates.count())))).toEqual(['W(4)', '[0,10) 1', 'W(MAX)', '|']);
  });

  it('P029 a window starts at a floor, also in negative time', () => {
    expect(through(tumblingWindow(5, aggregates.collect()), [r(-1), r(-5), r(-6), r(0), W(MAX)])).toEqual([
      '[-10,-5) -6',
      '[-5,0) -1,-5',
      '[0,5) 0',
      'W(MAX)',
      '|',
    ]);
  });

  it('P030 the offset moves the grid, in negative time as well', () => {
    const starts = (time: number) => through(tumblingWindow(7, aggregates.collect(), { offset: 2 }), [r(time)])[0];
    expect([-13, -10, -5, 1, 2].map(starts)).toEqual(['[-19,-12) -13', '[-12,-5) -10', '[-5,2) -5', '[-5,2) 1', '[2,9) 2']);
  });

  it('P031 offsets may be negative, and are less than the size', () => {
    const day = hours(24);
    const window = tumblingWindow(day, aggregates.count(), { offset: -hours(8) });
    expect(through(window, [r(0)])[0]).toBe(`[${-hours(8)},${hours(16)}) 1`);
    for (const offset of [day, -day]) {
      expect(() => tumblingWindow(day, aggregates.count(), { offset })).toThrow(RangeError);
      expect(() => tumblingWindow(day, aggregates.count(), { offset })).toThrow(`offset is ${offset}`);
    }
  });

  it('P032 days of UTC+8 are windows of 24 hours with an offset of −8', () => {
    const window = tumblingWindow(hours(24), aggregates.count(), { offset: -hours(8) });
    const words = through(window, [r(Date.parse('2024-01-01T16:30:00Z'))]);
    expect(words[0]).toBe(`[${Date.parse('2024-01-01T16:00:00Z')},${Date.parse('2024-01-02T16:00:00Z')}) 1`);
  });

  it('P034 the unit is stated once, where the timestamp is read', () => {
    const words = listen(
      from([{ at: 1_700_000_000 }]).pipe(
        assignWatermarks(boundedOutOfOrderness(0), { timestamp: (e) => seconds(e.at) }),
        tumblingWindow(seconds(60), aggregates.count()),
      ),
    );
    expect(words[1]).toBe('[1699999980000,1700000040000) 1');
  });

  it('P036 a fraction of a millisecond is floored: no record falls between end − 1 and the end', () => {
    const late: number[] = [];
    const source = new Subject<number>();
    const words = listen(
      source.pipe(
        assignWatermarks(
          punctuated<number>((n) => (n === 9.5 ? 9 : 19)),
          { timestamp: (n) => n },
        ),
        tumblingWindow(10, aggregates.collect<number>(), { lateTo: ({ value }) => late.push(value) }),
      ),
    );
    source.next(9.5);
    source.next(9.7);
    expect(words).toEqual(['[0,10) 9.5', 'W(9)', 'W(19)']);
    expect(late).toEqual([9.7]);
  });

  it('P038 nothing is emitted before the first record, and nothing near the limits', () => {
    const scheduler = new ProbeScheduler();
    const source = new Subject<number>();
    const assign = assignWatermarks<number>(boundedOutOfOrderness(60_000), { timestamp: (n) => n, interval: 10, scheduler });
    const words = timed(source.pipe(assign), scheduler);
    scheduler.advanceTo(50);
    expect(words).toEqual([]);
    source.next(5);
    scheduler.advanceTo(60);
    expect(words).toEqual(['50: 5@5', '60: W(-59996)']);
    // a lateness without end saturates
    const kept = tumblingWindow<number, number, undefined>(10, aggregates.count(), { allowedLateness: Infinity });
    expect(through(kept, [r(1), W(Number.MAX_SAFE_INTEGER), r(2), W(MAX)])).toEqual([
      '[0,10) 1',
      `W(${Number.MAX_SAFE_INTEGER})`,
      '[0,10) 2 late',
      'W(MAX)',
      '|',
    ]);
    expect(
      listen(
        from([1]).pipe(
          map((n) => r(n)),
          tumblingWindow(10),
        ),
      ),
    ).toEqual(['[0,10) 1', 'W(MAX)', '|']);
  });
});

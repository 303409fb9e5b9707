import { asyncScheduler, catchError, from, map, merge, NEVER, Observable, of, Subject, take } from 'rxjs';
import {
  type AssignConfig,
  ascendingTimestamps,
  assignWatermarks,
  boundedOutOfOrderness,
  counters,
  fromGenerator,
  InvalidTimestampError,
  idle,
  keyedRecord,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  noWatermarks,
  punctuated,
  reassignWatermarks,
  record,
  sideOutput,
  type WatermarkGenerator,
  type WatermarkStrategy,
  watermark,
  withIdleness,
  withMaxFutureSkew,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { marbles } from '../helpers/marbles.js';
import { ProbeScheduler } from '../helpers/probeScheduler.js';

interface Event {
  readonly at: number;
}
const at = (time: number): Event => ({ at: time });
const on = (time: number) => record(at(time), time);
const timestamp = (event: Event): number => event.at;
const Z = watermark(MAX_TIMESTAMP);

/** Asked after every record. */
const EACH = { timestamp, interval: 'record' } as const;
/** Asked every 10 ms. */
const TENS = { timestamp, interval: 10 } as const;

/** A strategy of which only some methods matter. */
const only = (part: Partial<WatermarkGenerator<Event>>): WatermarkStrategy<Event> =>
  fromGenerator(() => ({ onRecord() {}, onTick() {}, ...part }));

describe('assignWatermarks: the contract', () => {
  it(
    'W3 never: a silent source gives nothing, however often the strategy is asked',
    marbles((m) => {
      const source = m.cold<Event>('-');
      m.expect(source.pipe(assignWatermarks(boundedOutOfOrderness(0), TENS)), '^ 99ms !').toBeObservable('-');
      m.expect(source).toHaveSubscriptions('^ 99ms !');
    }),
  );

  it(
    'W9 empty: the final watermark, then completion',
    marbles((m) => {
      const source = m.cold<Event>('--|');
      m.expect(source.pipe(assignWatermarks(boundedOutOfOrderness(0), TENS))).toBeObservable('--(Z|)', { Z });
      m.expect(source).toHaveSubscriptions('^-!');
    }),
  );

  it(
    'W9 error: passes at once, without asking the strategy and without a watermark',
    marbles((m) => {
      const source = m.cold<Event>('a----#', { a: at(5) });
      m.expect(source.pipe(assignWatermarks(boundedOutOfOrderness(0), TENS))).toBeObservable('a----#', { a: on(5) });
      m.expect(source).toHaveSubscriptions('^----!');
    }),
  );

  it(
    'W3 unsubscribe: ticks end in that frame, and the source is let go',
    marbles((m) => {
      const source = m.hot<Event>('a 14ms b 14ms c', { a: at(5), b: at(20), c: at(30) });
      m.expect(source.pipe(assignWatermarks(ascendingTimestamps(), TENS)), '^ 15ms !').toBeObservable('a 9ms U 4ms b', {
        a: on(5),
        U: watermark(4),
        b: on(20),
      });
      m.expect(source).toHaveSubscriptions('^ 15ms !');
    }),
  );

  for (const [where, frames, config, strategy] of [
    ['timestamp', 'a 4ms #', { timestamp: thrower(10, timestamp) }, noWatermarks<Event>()],
    ['key', 'a 4ms #', { key: thrower(10, timestamp) }, noWatermarks<Event>()],
    ['a generator’s onRecord', 'a 4ms (b#)', {}, only({ onRecord: thrower(10, timestamp) })],
    ['a generator’s onTick', 'a 4ms b 4ms #', {}, only({ onTick: thrower(10, (now: number) => now) })],
    ['punctuated’s function', 'a 4ms (b#)', {}, punctuated<Event>((event) => thrower(10, timestamp)(event) - Infinity)],
  ] as [string, string, Partial<AssignConfig<Event, unknown>>, WatermarkStrategy<Event>][]) {
    it(
      `C1 throws: from ${where}, one error in its frame, and the source is let go`,
      marbles((m) => {
        const source = m.hot<Event>('a 4ms b 20ms c|', { a: at(5), b: at(10), c: at(15) });
        const result = source.pipe(assignWatermarks(strategy, { ...TENS, ...config }), map(unkeyed));
        m.expect(result).toBeObservable(frames, { a: on(5), b: on(10) }, new Error('thrown at 10'));
        m.expect(source).toHaveSubscriptions(where.endsWith('onTick') ? '^ 9ms !' : '^ 4ms !');
      }),
    );
  }

  it('C1 throws: a strategy that can not be created is one error, unchanged, without a subscription to the source', () => {
    const cause = { no: 'generator' };
    let subscribed = 0;
    const source = new Observable<Event>(() => {
      subscribed++;
    });
    const broken = fromGenerator<Event>(() => {
      throw cause;
    });
    const errors: unknown[] = [];
    source.pipe(assignWatermarks(broken, TENS)).subscribe({ error: (error: unknown) => errors.push(error) });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBe(cause);
    expect(subscribed).toBe(0);
  });

  it(
    'C1 throws: a generator that fails when asked at the end gives its error instead of the final watermark',
    marbles((m) => {
      const source = m.hot<Event>('a--|', { a: at(5) });
      m.expect(source.pipe(assignWatermarks(only({ onTick: thrower(3, (now: number) => now) }), TENS))).toBeObservable(
        'a--#',
        { a: on(5) },
        new Error('thrown at 3'),
      );
    }),
  );

  it(
    'W3 synchronous: a source that ends at once sees no tick, but is asked at its end',
    marbles((m) => {
      const source = from([at(1), at(50), at(2)]);
      m.expect(source.pipe(assignWatermarks(boundedOutOfOrderness(0), TENS))).toBeObservable('(abcWZ|)', {
        a: on(1),
        b: on(50),
        c: on(2),
        W: watermark(49),
        Z,
      });
    }),
  );

  it(
    'W3 synchronous: asked after every record it is exact, each watermark right after what caused it',
    marbles((m) => {
      const source = from([at(1), at(50), at(2)]);
      m.expect(source.pipe(assignWatermarks(boundedOutOfOrderness(0), EACH))).toBeObservable('(aVbWcZ|)', {
        a: on(1),
        V: watermark(0),
        b: on(50),
        W: watermark(49),
        c: on(2),
        Z,
      });
    }),
  );

  it('C2 re-entrant: through two stages, a value pushed from inside a record comes after the watermark that this one causes', () => {
    const source = new Subject<Event>();
    const seen: string[] = [];
    source
      .pipe(assignWatermarks(ascendingTimestamps(), EACH), reassignWatermarks(ascendingTimestamps(), { interval: 'record' }))
      .subscribe((element) => {
        seen.push(element._tag === 'Record' ? `r${element.timestamp}` : `W${element.timestamp}`);
        if (seen.length === 1) {
          source.next(at(2));
          source.complete();
          source.next(at(3)); // after the end
        }
      });
    source.next(at(1));
    expect(seen).toEqual(['r1', 'W0', 'r2', 'W1', 'WInfinity']);
  });

  it('C2 re-entrant: after take(1) no user function is called any more', () => {
    const calls: string[] = [];
    const strategy = only({ onRecord: (value) => calls.push(`record ${value.at}`), onTick: () => calls.push('tick') });
    const stamp = (event: Event) => {
      calls.push(`stamp ${event.at}`);
      return event.at;
    };
    from([at(1), at(2), at(3)])
      .pipe(assignWatermarks(strategy, { timestamp: stamp, interval: 'record' }), take(1))
      .subscribe();
    expect(calls).toEqual(['stamp 1']);
  });

  it('C3: each subscription has its own generator', () => {
    const seen: unknown[] = [];
    const result = from([at(7)]).pipe(assignWatermarks(ascendingTimestamps(), EACH));
    result.subscribe((element) => seen.push(element));
    result.subscribe((element) => seen.push(element));
    expect(seen).toStrictEqual([on(7), watermark(6), Z, on(7), watermark(6), Z]);
  });

  it('C4 arguments: refused when the operator is built, with name, value and what is allowed', () => {
    const strategy = noWatermarks<Event>();
    const build = (config?: object) => () => assignWatermarks(strategy, config as AssignConfig<Event>);
    for (const interval of [0, -5, NaN, 1.5, 2 ** 31]) {
      expect(build({ timestamp, interval })).toThrow(RangeError);
      expect(build({ timestamp, interval })).toThrow(/^assignWatermarks: interval/);
      expect(build({ timestamp, interval })).toThrow(`is ${interval}, it must be a whole number of ms`);
    }
    expect(build({ timestamp: 'at' })).toThrow(/timestamp is "at", it must be a function/);
    expect(build()).toThrow(/timestamp is undefined/);
    expect(build({ timestamp, key: 7 })).toThrow(/key is 7/);
    for (const bad of ['panic', null, 7, {}]) {
      expect(build({ timestamp, onInvalidTimestamp: bad })).toThrow(
        `onInvalidTimestamp is ${JSON.stringify(bad)}, it must be 'error', 'drop', 'forward' or { dropTo }`,
      );
    }
    for (const dropTo of ['log', null, 7]) {
      expect(build({ timestamp, onInvalidTimestamp: { dropTo } })).toThrow(
        `onInvalidTimestamp.dropTo is ${JSON.stringify(dropTo)}, it must be a function or an observer`,
      );
    }
    expect(build({ timestamp, interval: Infinity })).not.toThrow();
  });
});

describe('assignWatermarks: watermarks', () => {
  it(
    'W2 W3 watermark: at each tick max − delay − 1, if it advances',
    marbles((m) => {
      const source = m.hot<Event>('a 14ms b 14ms c 9ms |', { a: at(5), b: at(20), c: at(30) });
      m.expect(source.pipe(assignWatermarks(boundedOutOfOrderness(2), TENS))).toBeObservable(
        'a 9ms T 4ms b 4ms U 9ms (cV) 6ms (Z|)',
        {
          a: on(5),
          T: watermark(2),
          b: on(20),
          U: watermark(17),
          c: on(30), // W5: in the frame of the tick, and before it
          V: watermark(27),
          Z,
        },
      );
      m.expect(source).toHaveSubscriptions('^ 39ms !');
    }),
  );

  it(
    'W2 watermark: ascending is max − 1, so that equal times are not behind',
    marbles((m) => {
      const source = m.hot<Event>('a 9ms b 9ms c 9ms |', { a: at(10), b: at(10), c: at(11) });
      m.expect(source.pipe(assignWatermarks(ascendingTimestamps(), EACH))).toBeObservable('(aT) 6ms b 9ms (cU) 6ms (Z|)', {
        a: on(10),
        T: watermark(9),
        b: on(10),
        c: on(11),
        U: watermark(10),
        Z,
      });
    }),
  );

  it(
    'W3 watermark: the default interval is 200 ms on the async scheduler, Infinity is no ticks',
    marbles((m) => {
      const source = m.hot<Event>('a 249ms |', { a: at(5) });
      const values = { a: on(5), W: watermark(4), Z };
      m.expect(source.pipe(assignWatermarks(ascendingTimestamps(), { timestamp }))).toBeObservable('a 199ms W 49ms (Z|)', values);
      m.expect(source.pipe(assignWatermarks(ascendingTimestamps(), { timestamp, interval: Infinity }))).toBeObservable(
        'a 249ms (WZ|)',
        values,
      );
    }),
  );

  it('W3 watermark: the next tick is one interval after the one before it ran, so a host that slept gives no burst', () => {
    const scheduler = new ProbeScheduler();
    const ticks: number[] = [];
    const strategy = only({ onTick: (now) => ticks.push(now) });
    const subscription = NEVER.pipe(assignWatermarks(strategy, { ...TENS, scheduler })).subscribe();
    scheduler.advanceTo(25);
    scheduler.setTime(74); // 49 ms without timers
    scheduler.wake();
    scheduler.advanceTo(95);
    subscription.unsubscribe();
    expect(ticks).toEqual([10, 20, 74, 84, 94]);
  });

  it('W3 watermark: ticks begin after the source is subscribed, and not at all if it has ended by then', () => {
    const order: string[] = [];
    const scheduler = new ProbeScheduler();
    const spying = Object.assign(Object.create(scheduler) as ProbeScheduler, {
      schedule: (work: () => void, delay: number) => {
        order.push('ticks');
        return scheduler.schedule(work, delay);
      },
    });
    const hot = new Observable<Event>(() => {
      order.push('source');
    });
    hot
      .pipe(assignWatermarks(noWatermarks(), { ...TENS, scheduler: spying }))
      .subscribe()
      .unsubscribe();
    expect(order).toEqual(['source', 'ticks']);
    of(at(1))
      .pipe(assignWatermarks(noWatermarks(), { ...TENS, scheduler: spying }))
      .subscribe();
    expect(order).toEqual(['source', 'ticks']);
  });

  it(
    'W3 watermark: what a custom generator says above MIN is emitted, even before any record',
    marbles((m) => {
      const source = m.hot<Event>('25ms |');
      const strategy = only({ onTick: (now, output) => output.emit(now < 15 ? MIN_TIMESTAMP : -3) });
      m.expect(source.pipe(assignWatermarks(strategy, TENS))).toBeObservable('20ms W 4ms (Z|)', { W: watermark(-3), Z });
    }),
  );

  it(
    'W4 watermark: punctuated is asked after every record with its value and time; undefined or a smaller one is none',
    marbles((m) => {
      const asked: unknown[] = [];
      const strategy = punctuated<Event>((event, time) => {
        asked.push([event.at, time]);
        return { 10: 8, 11: undefined, 12: 7 }[time] as number | undefined;
      });
      const source = m.hot<Event>('a 9ms b 9ms c 9ms |', { a: at(10.5), b: at(11), c: at(12) });
      m.expect(source.pipe(assignWatermarks(strategy, TENS))).toBeObservable('(aW) 6ms b 9ms c 9ms (Z|)', {
        a: record(at(10.5), 10),
        W: watermark(8),
        b: on(11),
        c: on(12),
        Z,
      });
      asyncScheduler.schedule(() => {
        expect(asked).toEqual([
          [10.5, 10],
          [11, 11],
          [12, 12],
        ]);
      }, 40);
    }),
  );

  it(
    'W1 regressing: what does not rise is swallowed, whatever the generator says',
    marbles((m) => {
      const source = m.hot<Event>('a 9ms b 9ms c 9ms d 9ms |', { a: at(10), b: at(5), c: at(10), d: at(11) });
      const says = fromGenerator<Event>(() => ({ onRecord: (_event, time, output) => output.emit(time), onTick() {} }));
      m.expect(source.pipe(assignWatermarks(says, EACH))).toBeObservable('(aT) 6ms b 9ms c 9ms (dU) 6ms (Z|)', {
        a: on(10),
        T: watermark(10),
        b: on(5),
        c: on(10),
        d: on(11),
        U: watermark(11),
        Z,
      });
    }),
  );

  it(
    'W9 completion: the strategy is asked once more, then MAX, then the end; one that gave MAX before does so once',
    marbles((m) => {
      const source = m.hot<Event>('a---|', { a: at(5) });
      m.expect(source.pipe(assignWatermarks(boundedOutOfOrderness(1), TENS))).toBeObservable('a---(WZ|)', {
        a: on(5),
        W: watermark(3),
        Z,
      });
    }),
  );

  it(
    'W5 watermark: record and tick of one frame come in that order, from cold and hot sources alike',
    marbles((m) => {
      const values = { a: on(5), W: watermark(4), Z };
      for (const source of [m.hot<Event>('10ms a 9ms |', { a: at(5) }), m.cold<Event>('10ms a 9ms |', { a: at(5) })]) {
        m.expect(source.pipe(assignWatermarks(ascendingTimestamps(), TENS))).toBeObservable('10ms (aW) 6ms (Z|)', values);
      }
    }),
  );

  it(
    'T1 watermark: fractions are floored, and what is no time is an error that says so',
    marbles((m) => {
      const source = m.hot<Event>('a 9ms b 9ms c', { a: at(1.5), b: at(-0), c: at(3) });
      const says = punctuated<Event>(
        (event) => [0.75, undefined, 'soon' as never][Math.floor(event.at === 3 ? 2 : event.at === 1.5 ? 0 : 1)],
      );
      m.expect(source.pipe(assignWatermarks(says, TENS), shown())).toBeObservable('(aW) 6ms b 9ms (ce|)', {
        a: record(at(1.5), 1),
        W: watermark(0),
        b: record(at(-0), 0),
        c: on(3),
        e: { _tag: 'InvalidTimestamp', operator: 'assignWatermarks', of: 'watermark', received: 'soon', value: at(3), index: 2 },
      });
    }),
  );
});

describe('assignWatermarks: a generator that gives no time when it is asked', () => {
  const asked = only({ onTick: (_now, output) => output.emit(NaN) });
  const failure = { _tag: 'InvalidTimestamp', operator: 'assignWatermarks', of: 'watermark', received: NaN, index: 0 };

  it(
    'T1 watermark: after a record, the error names the record',
    marbles((m) => {
      const source = m.hot<Event>('5ms b 9ms b', { b: at(2) });
      const values = { B: on(2), e: { ...failure, value: at(2) } };
      m.expect(source.pipe(assignWatermarks(asked, EACH), shown())).toBeObservable('5ms (Be|)', values);
    }),
  );

  it(
    'T1 watermark: at a tick, the error has the index of the last record',
    marbles((m) => {
      const source = m.hot<Event>('5ms b 9ms b', { b: at(2) });
      const values = { B: on(2), e: { ...failure, value: undefined } };
      m.expect(source.pipe(assignWatermarks(asked, TENS), shown())).toBeObservable('5ms B 4ms (e|)', values);
    }),
  );

  it('T1 watermark: at the end, the error names no value', () => {
    const errors: Error[] = [];
    from([at(1), at(2)])
      .pipe(assignWatermarks(asked, { timestamp }))
      .subscribe({ error: (error) => errors.push(error) });
    expect(errors.map(({ message }) => message)).toEqual([
      'assignWatermarks: the watermark of record 1 is NaN, not integer ms since the epoch; is a field missing?',
    ]);
  });
});

describe('assignWatermarks: idleness', () => {
  const quiet = withIdleness(500)(boundedOutOfOrderness<Event>(0));

  it(
    'W7 idle: by ticks of 200 the clock starts at the first tick without a record, and idle is told more than 500 later',
    marbles((m) => {
      const source = m.hot<Event>('100ms a', { a: at(5) });
      const result = source.pipe(assignWatermarks(quiet, { timestamp }));
      m.expect(result, '^ 1999ms !').toBeObservable('100ms a 99ms W 799ms I', { a: on(5), W: watermark(4), I: idle(4) });
    }),
  );

  it(
    'W7 idle: exactly the timeout is not more than the timeout',
    marbles((m) => {
      const strategy = withIdleness(400)(boundedOutOfOrderness<Event>(0));
      const source = m.hot<Event>('100ms a', { a: at(5) });
      // quiet since the tick at 400; at 800 it is 400, at 1000 it is more
      m.expect(source.pipe(assignWatermarks(strategy, { timestamp })), '^ 1999ms !').toBeObservable('100ms a 99ms W 799ms I', {
        a: on(5),
        W: watermark(4),
        I: idle(4),
      });
    }),
  );

  it(
    'W7 idle: a record alone does not make it active again, a rising watermark does, in one element',
    marbles((m) => {
      const source = m.hot<Event>('100ms a 1049ms b 199ms c', { a: at(5), b: at(3), c: at(9) });
      m.expect(source.pipe(assignWatermarks(quiet, { timestamp })), '^ 1450ms !').toBeObservable(
        '100ms a 99ms W 799ms I 149ms b 199ms c 49ms V',
        { a: on(5), W: watermark(4), I: idle(4), b: on(3), c: on(9), V: watermark(8) },
      );
    }),
  );

  it(
    'W7 idle: before the first record too, at MIN',
    marbles((m) => {
      const source = m.hot<Event>('-');
      // the first tick starts the clock
      m.expect(source.pipe(assignWatermarks(quiet, { timestamp })), '^ 1200ms !').toBeObservable('800ms I', { I: idle() });
    }),
  );

  for (const interval of ['record', Infinity] as const) {
    it(
      `W7 idle: without ticks (interval ${interval}) exactly the timeout after the last record`,
      marbles((m) => {
        const strategy = withIdleness(50)(punctuated<Event>((event) => event.at));
        const source = m.hot<Event>('10ms a 29ms b 99ms c', { a: at(5), b: at(4), c: at(9) });
        m.expect(source.pipe(assignWatermarks(strategy, { timestamp, interval })), '^ 250ms !').toBeObservable(
          '10ms (aW) 26ms b 49ms I 49ms (cV) 46ms J',
          { a: on(5), W: watermark(5), b: on(4), I: idle(5), c: on(9), V: watermark(9), J: idle(9) },
        );
      }),
    );
  }

  it('W7 idle: a tick more than one interval overdue starts the clock anew', () => {
    const scheduler = new ProbeScheduler();
    const seen: unknown[] = [];
    const source = new Subject<Event>();
    source
      .pipe(assignWatermarks(withIdleness(500)(boundedOutOfOrderness<Event>(0)), { timestamp, scheduler }))
      .subscribe((element) => seen.push([scheduler.now(), element]));
    scheduler.advanceTo(700); // quiet since the tick at 200
    scheduler.setTime(1_900); // blocked
    scheduler.wake();
    scheduler.advanceTo(2_400);
    expect(seen).toEqual([]);
    scheduler.advanceTo(2_600);
    expect(seen).toStrictEqual([[2_500, idle()]]);
  });

  it('W7 idle: without ticks, a timer that is overdue by a good part of the timeout starts anew', () => {
    const scheduler = new ProbeScheduler();
    const seen: unknown[] = [];
    const strategy = withIdleness(100)(boundedOutOfOrderness<Event>(0));
    NEVER.pipe(assignWatermarks(strategy, { ...EACH, scheduler })).subscribe((element) => seen.push([scheduler.now(), element]));
    scheduler.setTime(250);
    scheduler.wake();
    scheduler.advanceTo(349);
    expect(seen).toEqual([]);
    scheduler.advanceTo(350);
    expect(seen).toStrictEqual([[350, idle()]]);
    expect(scheduler.pending).toBe(0);
  });

  it('W7 idle: after idle without ticks, a record that closes downstream leaves no timer', () => {
    const scheduler = new ProbeScheduler();
    const source = new Subject<Event>();
    const strategy = withIdleness(100)(boundedOutOfOrderness<Event>(0));
    source.pipe(assignWatermarks(strategy, { ...EACH, scheduler }), take(2)).subscribe();
    scheduler.advanceTo(100); // idle is the first element
    expect(scheduler.pending).toBe(0);
    source.next(at(1));
    expect([source.observed, scheduler.pending]).toEqual([false, 0]);
  });

  it(
    'W6 idle: a generator may say so itself; an advance and a going idle are two elements',
    marbles((m) => {
      const strategy = only({
        onRecord(_event, time, output) {
          output.emit(time);
          output.markIdle();
          output.markIdle(); // says nothing new
        },
      });
      const source = m.hot<Event>('a 9ms b 9ms |', { a: at(5), b: at(4) });
      m.expect(source.pipe(assignWatermarks(strategy, TENS))).toBeObservable('(aWI) 5ms b 9ms (Z|)', {
        a: on(5),
        W: watermark(5),
        I: idle(5),
        b: on(4), // 4 does not rise: still idle
        Z,
      });
    }),
  );
});

describe('assignWatermarks: timestamps', () => {
  it(
    'T1 W8 watermark: a record beyond the skew is forwarded and counted, but takes no part in the strategy',
    marbles((m) => {
      const seen = counters();
      const strategy = withMaxFutureSkew(100)(boundedOutOfOrderness<Event>(0));
      const source = m.hot<Event>('a 9ms b 9ms c 9ms |', { a: at(100), b: at(111), c: at(120) });
      // the clock is the frame: 100 ≤ 0 + 100, 111 > 10 + 100, 120 ≤ 20 + 100
      m.expect(source.pipe(assignWatermarks(strategy, { ...EACH, counters: seen }))).toBeObservable(
        '(aT) 6ms b 9ms (cU) 6ms (Z|)',
        {
          a: on(100),
          T: watermark(99),
          b: on(111),
          c: on(120),
          U: watermark(119),
          Z,
        },
      );
      asyncScheduler.schedule(() => expect(seen).toMatchObject({ records: 3, held: 1, invalid: 0 }), 31);
    }),
  );

  it(
    'T1 error: what is no time fails, naming value, index and likely cause',
    marbles((m) => {
      const source = m.hot<Event>('ab', { a: at(5), b: {} as never });
      m.expect(source.pipe(assignWatermarks(noWatermarks(), TENS), shown())).toBeObservable('a(e|)', {
        a: on(5),
        e: { _tag: 'InvalidTimestamp', operator: 'assignWatermarks', of: 'timestamp', received: undefined, value: {}, index: 1 },
      });
      m.expect(source).toHaveSubscriptions('^!');
    }),
  );

  it('T1: each sort of nonsense has its hint', () => {
    for (const [raw, hint] of [
      [undefined, /missing/],
      [null, /missing/],
      [NaN, /NaN/],
      [Infinity, /infinite/],
      [-Infinity, /infinite/],
      [2 ** 53, /nanoseconds/],
      [1n, /Number\(\)/],
      ['2020-01-01', /parse/i],
      [new Date(0), /getTime/],
      [{}, /number/],
    ] as const) {
      let error: unknown;
      of(raw as unknown)
        .pipe(assignWatermarks(noWatermarks(), { timestamp: (value) => value as number }))
        .subscribe({ error: (cause: unknown) => (error = cause) });
      expect(error).toBeInstanceOf(InvalidTimestampError);
      expect(error).toMatchObject({ operator: 'assignWatermarks', of: 'timestamp', index: 0, message: hint });
      expect(Object.is((error as InvalidTimestampError).received, raw)).toBe(true);
    }
  });

  it(
    'T1 watermark: by policy a bad one is dropped, put aside, or forwarded without a time, and counted',
    marbles((m) => {
      const lenient = (event: { at?: number }) => event.at;
      const events = { a: { at: 1 }, b: {}, c: { at: 3 } };
      const on = { a: record(events.a, 1), c: record(events.c, 3), b: record(events.b, MIN_TIMESTAMP) };
      const marks = { T: watermark(0), U: watermark(2), Z };
      const seen = counters();
      const dropTo = sideOutput<{ at?: number }>();
      const source = m.hot<{ at?: number }>('a 4ms b 4ms c 4ms |', events);
      const config = { timestamp: lenient, interval: 'record', counters: seen } as const;
      const ascending = ascendingTimestamps<{ at?: number }>();
      m.expect(source.pipe(assignWatermarks(ascending, { ...config, onInvalidTimestamp: 'drop' }))).toBeObservable(
        '(aT) 6ms (cU) 1ms (Z|)',
        { ...on, ...marks },
      );
      m.expect(source.pipe(assignWatermarks(ascending, { ...config, onInvalidTimestamp: { dropTo } }))).toBeObservable(
        '(aT) 6ms (cU) 1ms (Z|)',
        { ...on, ...marks },
      );
      m.expect(dropTo).toBeObservable('5ms b 9ms |', { b: events.b });
      m.expect(source.pipe(assignWatermarks(ascending, { ...config, onInvalidTimestamp: 'forward' }))).toBeObservable(
        '(aT) 1ms b 4ms (cU) 1ms (Z|)',
        { ...on, ...marks },
      );
      asyncScheduler.schedule(() => expect(seen).toMatchObject({ records: 9, invalid: 3 }), 20);
    }),
  );

  it(
    'T1 watermark: forwarding a record without a time keeps its key and moves no watermark',
    marbles((m) => {
      const source = m.hot<{ at?: number; user: string }>('a', { a: { user: 'ann' } });
      const result = source.pipe(
        assignWatermarks(ascendingTimestamps(), {
          timestamp: (event) => event.at,
          key: (event) => event.user,
          onInvalidTimestamp: 'forward',
          interval: 'record',
        }),
      );
      m.expect(result, '^ 9ms !').toBeObservable('a', { a: keyedRecord({ user: 'ann' }, MIN_TIMESTAMP, 'ann') });
    }),
  );

  it('C7: hot and cold, the same input in the same frames gives the same output', () => {
    const run = () => {
      const scheduler = new ProbeScheduler();
      const seen: unknown[] = [];
      const source = new Subject<Event>();
      merge(source.pipe(assignWatermarks(withIdleness(25)(boundedOutOfOrderness<Event>(3)), { ...TENS, scheduler }))).subscribe(
        (element) => seen.push([scheduler.now(), element]),
      );
      for (const [now, time] of [
        [3, 5],
        [10, 20],
        [12, 14],
        [95, 40],
      ] as const) {
        scheduler.advanceTo(now);
        source.next(at(time));
      }
      source.complete();
      return seen;
    };
    const first = run();
    expect(first).toHaveLength(9);
    for (let i = 0; i < 20; i++) expect(run()).toStrictEqual(first);
  });
});

/** Calls `then`, which gives a number, and throws at one of them. */
function thrower<A>(when: number, then: (value: A) => number): (value: A) => number {
  return (value) => {
    const number = then(value);
    if (number === when) throw new Error(`thrown at ${when}`);
    return number;
  };
}

function unkeyed<E extends { readonly _tag: string }>(element: E): E {
  return element._tag === 'Record' ? { ...element, key: undefined } : element;
}

/** An error of tidemark's as an element: its data, without the wording. */
function shown<A>(): (source: Observable<A>) => Observable<unknown> {
  return catchError((error: InvalidTimestampError) => {
    const { _tag, operator, of: what, received, value, index } = error;
    return of({ _tag, operator, of: what, received, value, index });
  });
}

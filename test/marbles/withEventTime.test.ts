import fc from 'fast-check';
import {
  asyncScheduler,
  auditTime,
  bufferTime,
  bufferToggle,
  debounceTime,
  delay,
  delayWhen,
  from,
  interval,
  map,
  mergeMap,
  NEVER,
  type Observable,
  type OperatorFunction,
  observeOn,
  of,
  pairwise,
  pipe,
  type SchedulerLike,
  sampleTime,
  scan,
  subscribeOn,
  switchMap,
  take,
  tap,
  throttleTime,
  timeInterval,
  timeout,
  timer,
  timestamp,
  toArray,
  windowTime,
} from 'rxjs';
import {
  counters,
  type EventTimeConfig,
  keyedRecord,
  MAX_TIMESTAMP,
  record,
  type StreamElement,
  watermark,
  withEventTime,
} from 'tidemark';
import { show } from 'tidemark/testing';
import { describe, expect, it } from 'vitest';
import { type In, refusesNonFunctions } from '../helpers/checklist.js';
import { marbles } from '../helpers/marbles.js';
import { sortedRows } from '../helpers/sortedRows.js';
import { listen, open, r, through, W } from '../pitfalls/notation.js';

type Use<A, B> = (values$: Observable<A>, scheduler: SchedulerLike) => Observable<B>;

/** Rows: the records in the order of arrival, and what comes out of them at which time, when time has got to 100 and then ends. */
interface Row {
  readonly name: string;
  readonly use: Use<string, unknown>;
  readonly out: string;
}

// a is at 1, b at 3, c at 12, d at 30; they arrive as c, a, b, then W(20), then d
const ARRIVALS: ReadonlyArray<StreamElement<string>> = [r(12, 'c'), r(3, 'b'), r(1, 'a'), W(20), r(30, 'd'), W(99)];

const ROWS: ReadonlyArray<Row> = [
  {
    name: 'auditTime: the latest value, 5 after the first one of a burst',
    use: (values$, scheduler) => values$.pipe(auditTime(5, scheduler)),
    out: 'b@6 c@17 W(20) d@35 W(99) W(MAX) |',
  },
  {
    name: 'bufferTime: every 10 from the first record on, empty ones too; what is left at the end',
    use: (values$, scheduler) => values$.pipe(take(4), bufferTime(10, scheduler)),
    out: '["a","b"]@11 W(20) ["c"]@21 ["d"]@30 W(MAX) |',
  },
  {
    name: 'bufferToggle: between timers; b, in the millisecond of the first, comes before it',
    use: (values$, scheduler) =>
      values$.pipe(
        bufferToggle(timer(2, 20, scheduler), () => timer(10, scheduler)),
        take(2),
      ),
    out: '["c"]@13 W(20) ["d"]@33 W(MAX) |',
  },
  {
    name: 'debounceTime: 5 after the last value of a burst',
    use: (values$, scheduler) => values$.pipe(debounceTime(5, scheduler)),
    out: 'b@8 c@17 W(20) d@35 W(99) W(MAX) |',
  },
  {
    name: 'delay: each by 9, behind a watermark that came meanwhile',
    use: (values$, scheduler) => values$.pipe(delay(9, scheduler)),
    out: 'a@10 b@12 W(20) c@21 d@39 W(99) W(MAX) |',
  },
  {
    name: 'delayWhen(timer): each by its own time',
    use: (values$, scheduler) => values$.pipe(delayWhen((_, i) => timer([20, 2, 2, 2][i] ?? 0, scheduler))),
    out: 'b@5 c@14 W(20) a@21 d@32 W(99) W(MAX) |',
  },
  {
    name: 'interval inside switchMap: until the next value',
    use: (values$, scheduler) =>
      values$.pipe(
        switchMap((value) =>
          interval(6, scheduler).pipe(
            take(2),
            map((n) => `${value}${n}`),
          ),
        ),
      ),
    out: 'b0@9 c0@18 W(20) c1@24 d0@36 d1@42 W(99) W(MAX) |',
  },
  {
    name: 'observeOn: in the same millisecond',
    use: (values$, scheduler) => values$.pipe(observeOn(scheduler)),
    out: 'a@1 b@3 c@12 W(20) d@30 W(99) W(MAX) |',
  },
  {
    name: 'observeOn with a delay',
    use: (values$, scheduler) => values$.pipe(observeOn(scheduler, 4)),
    out: 'a@5 b@7 c@16 W(20) d@34 W(99) W(MAX) |',
  },
  {
    name: 'sampleTime: every 10 from the first record on, if something is new',
    use: (values$, scheduler) => values$.pipe(take(4), sampleTime(10, scheduler)),
    out: 'b@11 W(20) c@21 W(MAX) |',
  },
  {
    name: 'subscribeOn: what comes in the millisecond before is missed, as in RxJS',
    use: (values$, scheduler) => values$.pipe(subscribeOn(scheduler)),
    out: 'b@3 c@12 W(20) d@30 W(99) W(MAX) |',
  },
  {
    name: 'throttleTime: the first value, then none for 5',
    use: (values$, scheduler) => values$.pipe(throttleTime(5, scheduler)),
    out: 'a@1 c@12 W(20) d@30 W(99) W(MAX) |',
  },
  {
    name: 'throttleTime, trailing: the last one of a burst too',
    use: (values$, scheduler) => values$.pipe(throttleTime(5, scheduler, { leading: true, trailing: true })),
    out: 'a@1 b@6 c@12 W(20) d@30 W(99) W(MAX) |',
  },
  {
    name: 'timeInterval: from the first record on',
    use: (values$, scheduler) =>
      values$.pipe(
        timeInterval(scheduler),
        map(({ value, interval: ms }) => `${value}+${ms}`),
      ),
    out: 'a+0@1 b+2@3 c+9@12 W(20) d+18@30 W(99) W(MAX) |',
  },
  {
    name: 'timeout: 15 after the last value',
    use: (values$, scheduler) => values$.pipe(timeout({ each: 15, with: () => of('silence'), scheduler })),
    out: 'a@1 b@3 c@12 W(20) silence@27 W(MAX) |',
  },
  {
    name: 'timeout: its error is the error of the stream',
    use: (values$, scheduler) => values$.pipe(timeout({ each: 15, scheduler })),
    out: 'a@1 b@3 c@12 W(20) #Timeout has occurred',
  },
  {
    name: 'timestamp: the time of the record',
    use: (values$, scheduler) =>
      values$.pipe(
        timestamp(scheduler),
        map((stamped) => `${stamped.value}:${stamped.timestamp}`),
      ),
    out: 'a:1@1 b:3@3 c:12@12 W(20) d:30@30 W(99) W(MAX) |',
  },
  {
    name: 'windowTime: as bufferTime',
    use: (values$, scheduler) =>
      values$.pipe(
        take(4),
        windowTime(10, scheduler),
        mergeMap((window$) => window$.pipe(toArray())),
      ),
    out: '["a","b"]@11 W(20) ["c"]@21 ["d"]@30 W(MAX) |',
  },
];

const words = <A, B>(
  use: Use<A, B>,
  elements: ReadonlyArray<StreamElement<A>>,
  config?: EventTimeConfig<A, undefined, boolean>,
) => through(withEventTime<A, B, undefined, boolean>(use, config), elements);

const identical = () => withEventTime<number, number, string, true>((values$) => values$, { perKey: true });

describe('withEventTime', () => {
  describe("each of RxJS's operators that take a scheduler", () => {
    it.each(ROWS)('$name', ({ use, out }) => {
      expect(words(use, ARRIVALS).join(' ')).toBe(out);
      // a key of its own changes nothing but the key
      const keyed = ARRIVALS.map((element) => (element._tag === 'Record' ? { ...element, key: 'k' } : element));
      const perKey = through(withEventTime<string, unknown, string, true>(use, { perKey: true }), keyed);
      if (!out.includes('#')) {
        const results = (all: ReadonlyArray<string>) => all.filter((word) => !word.startsWith('W('));
        expect(results(perKey)).toEqual(results(out.split(' ').map((word) => (word.includes('@') ? `k:${word}` : word))));
      }
    });

    it('law: the result depends on the times and values of the records, not on the order of their arrival', () => {
      const letters = fc.array(fc.record({ time: fc.nat(60), value: fc.nat(99) }), { minLength: 1, maxLength: 12 });
      const cases = letters.chain((records) =>
        fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length }), fc.constantFrom(...ROWS)),
      );
      fc.assert(
        fc.property(cases, fc.array(fc.nat(80)), ([records, shuffled, { use }], marks) => {
          // equal times keep the order of arrival, which may differ: so each time has one value
          const unique = <E extends { time: number }>(all: ReadonlyArray<E>): E[] =>
            all.filter(({ time }) => records.filter((other) => other.time === time).length === 1);
          const elements = (all: typeof records) => unique(all).map(({ time, value }) => r(time, `${value}`));
          const sorted = elements([...records].sort((a, b) => a.time - b.time));
          // as they happen, with watermarks between
          const live = sorted.flatMap((element, i) => {
            const before = marks[i];
            return before === undefined || before >= element.timestamp ? [element] : [W(before), element];
          });
          const results = (all: ReadonlyArray<StreamElement<string>>) => words(use, all).filter((word) => !word.startsWith('W('));
          expect(results(elements(shuffled))).toEqual(results(sorted));
          expect(results(live)).toEqual(results(sorted));
        }),
      );
    });
  });

  sortedRows({
    operator: identical(),
    output: (element) => element,
    twice: pipe(identical(), identical()),
    outputTwice: (element) => element,
    throwing: (fail) => withEventTime<number, number, string, true>((values$) => values$.pipe(tap(fail)), { perKey: true }),
  });
  refusesNonFunctions('withEventTime', 'use', withEventTime);

  it.each([
    ['horizon', -1, '≥ 0'],
    ['horizon', NaN, '≥ 0'],
    ['forgetAfter', 0, '≥ 1'],
    ['forgetAfter', 0.5, '≥ 1'],
  ])('arguments: refuses a %s of %s when it is built', (name, value, least) => {
    expect(() => withEventTime((values$) => values$, { [name]: value })).toThrow(
      new RangeError(`withEventTime: ${name} is ${value}, it must be a whole number of ms ${least} or Infinity`),
    );
  });

  it('throws: what `use` throws is the error', () => {
    const fail = (): never => {
      throw new Error('of the user');
    };
    expect(through(withEventTime(fail), [r(1), W(1), r(2), W(2)])).toEqual(['#of the user']);
  });

  it('throws: what an action throws is the error, and nothing comes after it', () => {
    const use: Use<number, number> = (values$, scheduler) => {
      scheduler.schedule(() => {
        throw new Error('of an action');
      }, 5);
      return values$;
    };
    expect(words(use, [r(1), r(5), r(6), r(7), W(9)])).toEqual(['1@1', '5@5', '6@6', '#of an action']);
  });

  it('the clock begins at the first record, and stands at the time of each', () => {
    const nows: number[] = [];
    const use: Use<number, number> = (values$, scheduler) => {
      nows.push(scheduler.now());
      return values$.pipe(tap(() => nows.push(scheduler.now())));
    };
    words(use, [r(-7), r(3), W(5), r(9)]);
    expect(nows).toEqual([-7, -7, 3, 9]);
  });

  it('equal times: records before what was scheduled, that in the order of scheduling', () => {
    const use: Use<string, string> = (values$, scheduler) =>
      values$.pipe(
        mergeMap((value) =>
          timer(5, scheduler)
            .pipe(map(() => `${value}+5`))
            .pipe((late$) => from([of(value), late$]).pipe(mergeMap((x$) => x$))),
        ),
      );
    expect(words(use, [r(0, 'a'), r(0, 'b'), r(5, 'c'), W(9)])).toEqual([
      ...['a@0', 'b@0', 'c@5', 'a+5@5', 'b+5@5', 'W(9)', 'c+5@10', 'W(MAX)', '|'],
    ]);
  });

  it('per key: each key has operators of its own, and all results are in the order of time', () => {
    const use: Use<string, string> = (values$, scheduler) => values$.pipe(debounceTime(10, scheduler));
    const elements = [keyedRecord('a', 1, 'k'), keyedRecord('x', 5, 'l'), keyedRecord('b', 8, 'k'), watermark(16), watermark(20)];
    expect(through(withEventTime(use, { perKey: true }), elements)).toEqual([
      'l:x@15',
      'W(16)',
      'k:b@18',
      'W(20)',
      'W(MAX)',
      '|',
    ]);
    expect(through(withEventTime(use), elements)).toEqual(['W(16)', 'b@18', 'W(20)', 'W(MAX)', '|']);
  });

  it('per key: a run that has completed takes no more of its key', () => {
    const use: Use<string, string> = (values$) => values$.pipe(take(1));
    const elements = [keyedRecord('a', 1, 'k'), keyedRecord('b', 2, 'k'), keyedRecord('x', 3, 'l'), watermark(9)];
    expect(through(withEventTime(use, { perKey: true }), elements)).toEqual(['k:a@1', 'l:x@3', 'W(9)', 'W(MAX)', '|']);
  });

  it('per key: a key that is silent, with nothing pending, is let go, and begins anew', () => {
    const seen: string[] = [];
    const use: Use<string, string> = (values$, scheduler) => {
      seen.push(`begin ${scheduler.now()}`);
      return values$.pipe(
        scan((all, value) => all + value, ''),
        delay(30, scheduler),
        tap({ complete: () => seen.push(`end ${scheduler.now()}`) }),
      );
    };
    const elements = [
      keyedRecord('a', 0, 'k'),
      keyedRecord('b', 5, 'k'),
      watermark(40),
      keyedRecord('c', 41, 'k'),
      watermark(99),
    ];
    expect(through(withEventTime(use, { perKey: true, forgetAfter: 10 }), elements)).toEqual([
      ...['k:a@30', 'k:ab@35', 'W(40)', 'k:c@71', 'W(99)', 'W(MAX)', '|'],
    ]);
    // silent at 15, but the last of it is done at 35
    expect(seen).toEqual(['begin 0', 'end 35', 'begin 41', 'end 71']);
  });

  it('per key: what a run that is let go has still to do is done', () => {
    const use: Use<string, string> = (values$, scheduler) =>
      from([
        values$.pipe(
          toArray(),
          map((all) => all.join('')),
          delay(7, scheduler),
        ),
      ]).pipe(mergeMap((x$) => x$));
    const elements = [
      keyedRecord('a', 0, 'k'),
      keyedRecord('b', 5, 'k'),
      watermark(40),
      keyedRecord('c', 41, 'k'),
      watermark(99),
    ];
    expect(through(withEventTime(use, { perKey: true, forgetAfter: 10 }), elements)).toEqual([
      ...['k:ab@22', 'W(40)', 'k:c@58', 'W(99)', 'W(MAX)', '|'],
    ]);
  });

  it('the end: the values complete, then what is pending is done up to the horizon, and what remains is counted', () => {
    const seen = counters();
    const use: Use<number, string> = (values$, scheduler) =>
      values$.pipe(mergeMap((value) => interval(10, scheduler).pipe(map((n) => `${value}:${n}`))));
    expect(words(use, [r(0), r(5)], { horizon: 20, counters: seen })).toEqual([
      ...['0:0@10', '5:0@15', '0:1@20', '5:1@25', 'W(MAX)', '|'],
    ]);
    expect(seen).toMatchObject({ records: 2, late: 0, discarded: 2 });
  });

  it('the end: by default the horizon is a day past the last record', () => {
    const day = 86_400_000;
    const use =
      (wait: number): Use<number, number> =>
      (values$, scheduler) =>
        values$.pipe(delay(wait, scheduler));
    expect(words(use(day), [r(1)])).toEqual([`1@${day + 1}`, 'W(MAX)', '|']);
    const seen = counters();
    expect(words(use(day + 1), [r(1)], { counters: seen })).toEqual(['W(MAX)', '|']);
    expect(seen.discarded).toBe(1);
  });

  it('the end: when the result completes, so does the stream', () => {
    let unsubscribed = false;
    const source = open(r(1), r(2), r(3), W(9), r(10)).pipe((s$) => s$, tap({ unsubscribe: () => (unsubscribed = true) }));
    expect(listen(source.pipe(withEventTime((values$) => values$.pipe(take(2)))))).toEqual(['1@1', '2@2', 'W(MAX)', '|']);
    expect(unsubscribed).toBe(true);
  });

  it('late: at the watermark or behind it; counted, and to be had', () => {
    const seen = counters();
    const late: string[] = [];
    const config = { counters: seen, lateTo: (element: StreamElement<number>) => late.push(show(element)) };
    expect(words((values$) => values$, [r(1), W(5), r(5), r(6)], config)).toEqual(['1@1', 'W(5)', '6@6', 'W(MAX)', '|']);
    expect([late, seen.late, seen.records]).toEqual([['5@5'], 1, 3]);
  });

  it('idle: says nothing of time', () => {
    const use: Use<number, number> = (values$, scheduler) => values$.pipe(delay(5, scheduler));
    const idle = { _tag: 'Watermark', timestamp: 3, idle: true } as const;
    expect(listen(open<number>(r(1), W(3), idle, W(6)).pipe(withEventTime(use)))).toEqual(['W(3)', 'W(3, idle)', '1@6', 'W(6)']);
  });

  it('a period of 0 would never end: an error', () => {
    expect(
      words(
        (values$, scheduler) =>
          values$.pipe(switchMap(() => interval(0, scheduler).pipe(map(() => 'x')))).pipe(pairwise(), take(0)),
        [r(1), W(2)],
      ),
    ).toEqual(['W(MAX)', '|']);
    const stuck: Use<number, never> = (_values$, scheduler) => interval(0, scheduler).pipe(mergeMap(() => NEVER));
    expect(words(stuck, [r(7), W(9)])).toEqual([
      '#EventTimeScheduler: an action comes again and again at 7; give its period at least 1 ms',
    ]);
  });

  it(
    'an operator without the scheduler waits for the host, and its results take their turn',
    marbles((m) => {
      const source = m.hot<In>('a-W-------b-|', {
        a: keyedRecord(1, 10, 'k'),
        W: watermark(25),
        b: keyedRecord(2, 30, 'k'),
      });
      const use: Use<number, number> = (values$) => values$.pipe(delay(3, asyncScheduler));
      m.expect(source.pipe(withEventTime(use))).toBeObservable('--W--x------(Z|)', {
        W: watermark(25),
        x: record(1, 10),
        Z: watermark(MAX_TIMESTAMP),
      });
    }),
  );

  it('timers: none is left after the end, an error, an unsubscription', () => {
    const schedulers: Array<SchedulerLike & { readonly pending?: number }> = [];
    const use: Use<number, number> = (values$, scheduler) => {
      schedulers.push(scheduler);
      return values$.pipe(
        mergeMap((value) => (value === 3 ? timer(1, scheduler).pipe(map(() => JSON.parse('!'))) : interval(10, scheduler))),
      );
    };
    const all: OperatorFunction<StreamElement<number>, StreamElement<number>> = withEventTime(use, { horizon: 5 });
    through(all, [r(1), W(50)]);
    through(all, [r(1), r(3), W(50)]);
    open<number>(r(1), W(50)).pipe(all).subscribe().unsubscribe();
    expect(schedulers.map(({ pending }) => pending)).toEqual([0, 0, 0]);
  });
});

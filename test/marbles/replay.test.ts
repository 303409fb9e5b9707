import fc from 'fast-check';
import {
  asyncScheduler,
  auditTime,
  concat,
  debounceTime,
  delay,
  map,
  materialize,
  mergeMap,
  NEVER,
  type Observable,
  of,
  type SchedulerLike,
  Subject,
  take,
  tap,
  throwError,
  timer,
  timestamp,
  toArray,
} from 'rxjs';
import {
  type Arrival,
  aggregates,
  assignWatermarks,
  boundedOutOfOrderness,
  isRecord,
  recordArrivals,
  replay,
  type StreamElement,
  tumblingWindow,
} from 'tidemark';
import { show } from 'tidemark/testing';
import { describe, expect, it } from 'vitest';
import { marbles } from '../helpers/marbles.js';
import { ProbeScheduler } from '../helpers/probeScheduler.js';

type Use<B> = (values$: Observable<string>, scheduler: SchedulerLike) => Observable<B>;

/** `a` at 1 ms, and so on. */
const log = (...all: ReadonlyArray<readonly [at: number, value: string]>): Arrival<string>[] =>
  all.map(([at, value]) => ({ at, notification: { kind: 'N', value } }));
const itself: Use<string> = (values$) => values$;
const atOnce = { speed: Infinity } as const;

/** What comes out, as `a@1`, by the clock of the recording. */
function played<B>(arrivals: Iterable<Arrival<string>>, use: Use<B>, config: Parameters<typeof replay>[2] = atOnce): string[] {
  const words: string[] = [];
  let clock: SchedulerLike | undefined;
  replay(
    arrivals,
    (values$: Observable<string>, scheduler) => {
      clock = scheduler;
      return use(values$, scheduler);
    },
    config,
  ).subscribe({
    next: (value) => words.push(`${String(value)}@${clock?.now()}`),
    error: (cause: unknown) => words.push(`#${cause instanceof Error ? cause.message : cause}`),
    complete: () => words.push('|'),
  });
  return words;
}

describe('replay', () => {
  it(
    'once as fast: in the frames of the recording, from the first arrival on',
    marbles((m) => {
      const arrivals = log([1_000, 'a'], [1_003, 'b'], [1_003, 'c'], [1_008, 'd']);
      m.expect(replay(arrivals, itself)).toBeObservable('a--(bc)-(d|)');
    }),
  );

  it(
    'N times as fast, and slower',
    marbles((m) => {
      const arrivals = log([0, 'a'], [10, 'b'], [30, 'c']);
      m.expect(replay(arrivals, itself, { speed: 10 })).toBeObservable('ab-(c|)');
      m.expect(replay(arrivals, itself, { speed: 0.5 })).toBeObservable('a 19ms b 39ms (c|)');
    }),
  );

  it(
    'timers go by the clock of the recording, at its speed, also when they come again',
    marbles((m) => {
      const arrivals = log([0, 'a'], [100, 'b']);
      const nows: number[] = [];
      const use: Use<string> = (values$, scheduler) =>
        values$.pipe(
          debounceTime(50, scheduler),
          tap(() => nows.push(scheduler.now())),
        );
      m.expect(replay(arrivals, use, { speed: 10 })).toBeObservable('-----a----(b|)');
      m.flush();
      expect(nows).toEqual([50, 100]);
    }),
  );

  it(
    'never: an empty log that waits for nothing ends at once',
    marbles((m) => {
      m.expect(replay([], itself)).toBeObservable('(|)');
      m.expect(replay([], () => NEVER)).toBeObservable('-');
      m.expect(replay([], () => NEVER, atOnce)).toBeObservable('(|)');
    }),
  );

  it('all at once: arrivals and timers in the order of their times, arrivals first', () => {
    const arrivals = log([1_000, 'a'], [1_005, 'b'], [1_020, 'c']);
    const use: Use<string> = (values$, scheduler) =>
      values$.pipe(mergeMap((value) => concat(of(value), timer(5, scheduler).pipe(map(() => `${value}+5`)))));
    expect(played(arrivals, use)).toEqual(['a@1000', 'b@1005', 'a+5@1005', 'b+5@1010', 'c@1020', 'c+5@1025', '|']);
  });

  it('all at once: what is pending at the end is done up to the horizon', () => {
    const use: Use<string> = (values$, scheduler) => values$.pipe(delay(10, scheduler));
    expect(played(log([0, 'a']), use)).toEqual(['a@10', '|']);
    expect(played(log([0, 'a']), use, { ...atOnce, horizon: 9 })).toEqual(['|']);
  });

  it('error: as it was recorded, and nothing behind it', () => {
    const arrivals: Arrival<string>[] = [
      ...log([1, 'a']),
      { at: 2, notification: { kind: 'E', error: new Error('then') } },
      ...log([3, 'b']),
    ];
    expect(played(arrivals, itself)).toEqual(['a@1', '#then']);
  });

  it('completion: as it was recorded; a log without an end completes behind its last arrival', () => {
    const arrivals: Arrival<string>[] = [...log([1, 'a']), { at: 5, notification: { kind: 'C' } }, ...log([9, 'b'])];
    const use: Use<string> = (values$) =>
      values$.pipe(
        toArray(),
        map((all) => all.join('')),
      );
    expect(played(arrivals, use)).toEqual(['a@5', '|']);
    expect(played(log([1, 'a'], [2, 'b']), use)).toEqual(['ab@2', '|']);
  });

  it('unsubscribe: the log is left, and no timer with it', () => {
    let returned = 0;
    function* endless(): Generator<Arrival<string>> {
      try {
        for (let at = 0; ; at += 10) yield { at, notification: { kind: 'N', value: `${at}` } };
      } finally {
        returned++;
      }
    }
    expect(played(endless(), (values$) => values$.pipe(take(2)))).toEqual(['0@0', '10@10', '|']);
    const scheduler = new ProbeScheduler(7);
    const seen: string[] = [];
    const subscription = replay(endless(), itself, { scheduler }).subscribe((value) => seen.push(value));
    scheduler.advanceTo(30);
    subscription.unsubscribe();
    expect([seen, scheduler.pending, returned]).toEqual([['0', '10', '20'], 0, 2]);
  });

  it('throws: of `use`, of the log, of an action', () => {
    const fail = (): never => {
      throw new Error('of the user');
    };
    function* broken(): Generator<Arrival<string>> {
      yield* log([0, 'a']);
      fail();
    }
    expect(played([], fail)).toEqual(['#of the user']);
    expect(played(broken(), itself)).toEqual(['#of the user']);
    const acting: Use<string> = (values$, scheduler) => {
      scheduler.schedule(fail, 1);
      return values$;
    };
    expect(played(log([0, 'a'], [5, 'b']), acting)).toEqual(['a@0', '#of the user']);
    const scheduler = new ProbeScheduler();
    const seen: unknown[] = [];
    function* brokenLater(): Generator<Arrival<string>> {
      yield* log([0, 'a'], [10, 'b']);
      fail();
    }
    replay(brokenLater(), itself, { scheduler }).subscribe({
      next: (value) => seen.push(value),
      error: (cause) => seen.push(cause.message),
    });
    scheduler.advanceTo(20);
    expect(seen).toEqual(['a', 'of the user']);
  });

  it('re-entrant: a sink that feeds the result takes its turn', () => {
    const extra = new Subject<string>();
    const seen: string[] = [];
    replay(log([0, 'a'], [1, 'b']), (values$) => concat(values$).pipe((s$) => mergeWithExtra(s$, extra)), atOnce).subscribe(
      (value) => {
        if (value === 'a') extra.next('x');
        seen.push(value);
      },
    );
    expect(seen).toEqual(['a', 'x', 'b']);
  });

  it.each([
    ['speed', 0, 'a number > 0 or Infinity'],
    ['speed', NaN, 'a number > 0 or Infinity'],
    ['horizon', -1, 'a whole number of ms ≥ 0 or Infinity'],
  ])('arguments: refuses a %s of %s when it is built', (name, value, allowed) => {
    expect(() => replay([], itself, { [name]: value })).toThrow(
      new RangeError(`replay: ${name} is ${value}, it must be ${allowed}`),
    );
  });
  it('arguments: refuses a use that is no function', () => {
    expect(() => replay([], 'use' as never)).toThrow(new TypeError('replay: use is "use", it must be a function'));
  });

  it(
    'processing time: a recorded run does again what it did, at any speed; watermarks included',
    marbles((m) => {
      const arrivals: Arrival<number>[] = [];
      const run = (values$: Observable<number>, scheduler: SchedulerLike): Observable<StreamElement<string>> =>
        values$.pipe(
          assignWatermarks(boundedOutOfOrderness(2), { timestamp: (at) => at, interval: 20, scheduler }),
          tumblingWindow(30, aggregates.collect(), { clock: 'processing', scheduler }),
          map((element) =>
            isRecord(element) ? { ...element, value: `${element.value.window.start}: ${element.value.value.join()}` } : element,
          ),
        );
      const source = m.cold<number>('a--b 45ms c 3ms d 70ms e 20ms |', { a: 5, b: 9, c: 7, d: 50, e: 90 });
      const seen = (scheduler: SchedulerLike, words: string[]) => (element: StreamElement<string>) =>
        void words.push(`${show(element)} at ${scheduler.now()}`);
      const live: string[] = [];
      run(source.pipe(recordArrivals((arrival) => arrivals.push(arrival))), asyncScheduler).subscribe(seen(asyncScheduler, live));
      m.flush();
      for (const speed of [1, 2, Infinity]) {
        const again: string[] = [];
        // ahead of its start, as all else of a run is by the time of the recording
        const scheduler = new ProbeScheduler(12_345);
        const use: typeof run = (values$, clock) => run(values$, clock).pipe(tap(seen(clock, again)));
        replay(arrivals, use, { speed, scheduler }).subscribe();
        scheduler.advanceTo(20_000);
        expect(again.length).toBeGreaterThan(5);
        // twice as fast, each ms of the host is two of the recording
        const round = (words: ReadonlyArray<string>) => (speed === 2 ? words.map((word) => word.replace(/ at \d+$/, '')) : words);
        expect(round(again)).toEqual(round(live));
      }
    }),
  );

  it('law: at once is what it is at the speed of the recording', () => {
    const arrivals = fc.array(fc.nat(20), { maxLength: 10 }).map((gaps) => {
      let at = 100;
      return gaps.map((gap, i) => {
        at += 2 * gap; // even, and the timers odd: no arrival in the ms of a timer
        return [at, `${i}`] as const;
      });
    });
    const uses: ReadonlyArray<Use<unknown>> = [
      (values$, scheduler) => values$.pipe(debounceTime(11, scheduler)),
      (values$, scheduler) => values$.pipe(auditTime(11, scheduler)),
      (values$, scheduler) =>
        values$.pipe(
          delay(11, scheduler),
          timestamp(scheduler),
          materialize(),
          map(({ value, kind }) => `${kind}${value?.value}${value?.timestamp}`),
        ),
      () => throwError(() => 'no'),
    ];
    fc.assert(
      fc.property(arrivals, fc.constantFrom(...uses), (all, use) => {
        const scheduler = new ProbeScheduler(5);
        const real = played(log(...all), use, { scheduler });
        scheduler.advanceTo(10_000);
        expect(played(log(...all), use)).toEqual(real);
      }),
    );
  });
});

function mergeWithExtra(values$: Observable<string>, extra$: Observable<string>): Observable<string> {
  return of(values$, extra$).pipe(mergeMap((each$) => each$));
}

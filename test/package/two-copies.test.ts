import * as first from 'rxjs';
import { TestScheduler as FirstTestScheduler } from 'rxjs/testing';
import * as second from 'rxjs2';
import { TestScheduler } from 'rxjs2/testing';
import {
  aggregates,
  assignWatermarks,
  boundedOutOfOrderness,
  concatMapValue,
  fromSource,
  MAX_TIMESTAMP,
  mapValue,
  record,
  type SideOutput,
  type StreamRecord,
  sideOutput,
  toValues,
  tumblingWindow,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { windowed } from '../helpers/elements.js';

interface Click {
  readonly at: number;
}

// Two copies of rxjs have two `Observable` types, told apart by protected members; at run time there is no difference.
const foreign = <A>(source: second.Observable<A>): first.Observable<A> => source as unknown as first.Observable<A>;
const foreignClock = (scheduler: second.SchedulerLike): first.SchedulerLike => scheduler as unknown as first.SchedulerLike;
const back = <A>(source: first.Observable<A>): second.Observable<A> => source as unknown as second.Observable<A>;

describe('two copies of rxjs in one application', () => {
  it('are two', () => {
    expect(second.Observable).not.toBe(first.Observable);
    expect(TestScheduler).not.toBe(FirstTestScheduler);
    expect(second.of(1)).not.toBeInstanceOf(first.Observable);
  });

  it('P116 a foreign observable goes through the operators, and back into foreign ones', () => {
    const seen: unknown[] = [];
    const clicks = foreign(second.of<Click[]>({ at: 1 }, { at: 12 }, { at: 3 }));
    const windows = clicks.pipe(
      assignWatermarks(boundedOutOfOrderness(10), { timestamp: (click) => click.at, interval: 'record' }),
      tumblingWindow(10, aggregates.count()),
      toValues(),
    );
    back(windows)
      .pipe(second.map(({ window, value }) => [window.start, value]))
      .subscribe({ next: (value) => seen.push(value), complete: () => seen.push('complete') });
    expect(seen).toEqual([[0, 2], [10, 1], 'complete']);
  });

  it("P116 an operator is one of the other copy's pipe", () => {
    const seen: unknown[] = [];
    const operator = mapValue((n: number) => n + 1) as unknown as second.OperatorFunction<
      StreamRecord<number>,
      StreamRecord<number>
    >;
    second
      .of(record(1, 5))
      .pipe(operator, second.take(1))
      .subscribe((element) => seen.push(element));
    expect(seen).toEqual([record(2, 5)]);
  });

  it('P116 an early end reaches the foreign source', () => {
    let freed = 0;
    const source = new second.Observable<StreamRecord<number>>((out) => {
      out.next(record(1, 1));
      out.next(record(2, 2));
      return () => {
        freed++;
      };
    });
    const seen: unknown[] = [];
    foreign(source)
      .pipe(
        mapValue((n) => n * 10),
        first.take(1),
      )
      .subscribe((element) => seen.push(element));
    expect([seen, freed]).toEqual([[record(10, 1)], 1]);
  });

  it('P116 an error of the foreign source, and one of user code, is one notification', () => {
    const errors: unknown[] = [];
    const boom = new Error('boom');
    foreign(second.throwError(() => boom))
      .pipe(mapValue((n) => n))
      .subscribe({ error: (cause) => errors.push(cause) });
    const fails = foreign(second.of(record(1, 1))).pipe(
      mapValue(() => {
        throw boom;
      }),
    );
    back(fails).subscribe({ error: (cause) => errors.push(cause) });
    expect(errors).toEqual([boom, boom]);
    expect(errors[0]).toBe(boom);
  });

  it('P116 late records go into a foreign subject', () => {
    const late = new second.Subject<StreamRecord<string>>();
    const seen: unknown[] = [];
    late.subscribe((element) => seen.push(element));
    first
      .of(record('a', 1), watermark(9), record('b', 2))
      .pipe(tumblingWindow(10, aggregates.count(), { lateTo: late }))
      .subscribe();
    expect(seen).toEqual([record('b', 2)]);
  });

  it('P116 a side output is read with the foreign copy', () => {
    const late: SideOutput<StreamRecord<string>> = sideOutput();
    const seen: unknown[] = [];
    back(late)
      .pipe(second.map(({ value }) => value))
      .subscribe((value) => seen.push(value));
    first
      .of(record('a', 1), watermark(9), record('b', 2))
      .pipe(tumblingWindow(10, aggregates.count(), { lateTo: late }))
      .subscribe();
    expect(seen).toEqual(['b']);
  });

  it('P116 user code hands back foreign observables', () => {
    const seen: unknown[] = [];
    first
      .of(record(1, 5), watermark(5))
      .pipe(concatMapValue((n) => foreign(second.of(n, n + 1))))
      .subscribe((element) => seen.push(element));
    expect(seen).toEqual([record(1, 5), record(2, 5), watermark(5)]);
  });

  it('P116 C6 under the test scheduler of the other copy, if it is passed', () => {
    const scheduler = new TestScheduler((actual, expected) => expect(actual).toStrictEqual(expected));
    scheduler.run(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot<Click>('a 99ms b 199ms |', { a: { at: 1_000 }, b: { at: 6_000 } });
      const result = foreign(source).pipe(
        assignWatermarks(boundedOutOfOrderness(1_000), {
          timestamp: (click) => click.at,
          interval: 200,
          scheduler: foreignClock(scheduler),
        }),
        tumblingWindow(5_000, aggregates.count(), { scheduler: foreignClock(scheduler) }),
      );
      expectObservable(back(result)).toBe('200ms (xW) 96ms (yZ|)', {
        x: record(windowed(0, 5_000, 1), 4_999),
        W: watermark(4_999),
        y: record(windowed(5_000, 10_000, 1), 9_999),
        Z: watermark(MAX_TIMESTAMP),
      });
      expectSubscriptions(source.subscriptions).toBe('^ 299ms !');
    });
  });

  it('P116 C6 processing-time windows run on its clock', () => {
    const scheduler = new TestScheduler((actual, expected) => expect(actual).toStrictEqual(expected));
    scheduler.run(({ hot, expectObservable }) => {
      const source = hot('a 998ms b 5ms c 10ms |', { a: record('a', 7), b: record('b', 7), c: record('c', 7) });
      const result = foreign(source).pipe(
        tumblingWindow(1_000, aggregates.collect(), { clock: 'processing', scheduler: foreignClock(scheduler) }),
      );
      expectObservable(back(result)).toBe('1000ms x 15ms (yZ|)', {
        x: record(windowed(0, 1_000, ['a', 'b']), 999),
        y: record(windowed(1_000, 2_000, ['c']), 1_999),
        Z: watermark(MAX_TIMESTAMP),
      });
    });
  });

  it('P116 C6 a source that stamps ticks on it', () => {
    const scheduler = new TestScheduler((actual, expected) => expect(actual).toStrictEqual(expected));
    scheduler.run(({ expectObservable }) => {
      const source = fromSource<string>(
        (context) => {
          const task = scheduler.schedule(() => context.collect('a'), 250);
          task.add(scheduler.schedule(() => context.complete(), 500));
          return task as unknown as first.TeardownLogic;
        },
        { time: 'ingestion', interval: 100, scheduler: foreignClock(scheduler) },
      );
      expectObservable(back(source).pipe(second.take(4))).toBe('100ms V 149ms (aW) 146ms (X|)', {
        V: watermark(100),
        a: record('a', 250),
        W: watermark(200),
        X: watermark(400),
      });
    });
  });
});

import { concat, defer, from, type Observable, of, retry, Subject, take, throwError } from 'rxjs';
import {
  type AggregateSpec,
  aggregates,
  assigners,
  assignWatermarks,
  keyBy,
  noWatermarks,
  punctuated,
  type StreamElement,
  tumblingWindow,
  windowBy,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { ProbeScheduler } from '../helpers/probeScheduler.js';
import { listen, r, W, word } from './notation.js';

describe('errors, re-entrancy, an early end', () => {
  it('P092 user code is called under guard: one error, the user’s own, the source released, no timer left, nothing thrown', () => {
    const cause = { the: 'user’s own' };
    const second = <A>(then: (n: number) => A) => {
      let calls = 0;
      return (n: number): A => {
        if (++calls === 2) throw cause;
        return then(n);
      };
    };
    const scheduler = new ProbeScheduler();
    const timed = { interval: 10, scheduler } as const;
    const adding = (): AggregateSpec<number, number, number> => {
      const add = second((n) => n);
      return { create: () => 0, add: (_state, n) => add(n), result: (n) => n };
    };
    const giving = (): AggregateSpec<number, number, number> => {
      const result = second((n) => n);
      return { create: () => 0, add: (n) => n + 1, result };
    };
    const assigning = () => {
      const plain = assigners.tumbling(10);
      const assign = second((n) => plain.assign(n, n, 0));
      return { ...plain, assign: (_value: number, timestamp: number) => assign(timestamp) };
    };
    const stamped = assignWatermarks<number>(
      punctuated((n) => n - 1),
      { timestamp: (n) => n, ...timed },
    );
    const pipelines: Record<string, (source: Subject<number>) => Observable<unknown>> = {
      extractor: (source) => source.pipe(assignWatermarks<number>(noWatermarks(), { timestamp: second((n) => n), ...timed })),
      watermark: (source) =>
        source.pipe(assignWatermarks(punctuated<number>(second((n) => n)), { timestamp: (n) => n, ...timed })),
      key: (source) => source.pipe(stamped, keyBy(second((n) => n))),
      add: (source) => source.pipe(stamped, tumblingWindow(10, adding(), { scheduler })),
      result: (source) => source.pipe(stamped, tumblingWindow(10, giving(), { scheduler })),
      assigner: (source) => source.pipe(stamped, windowBy(assigning(), aggregates.count(), { scheduler })),
    };
    for (const [name, pipeline] of Object.entries(pipelines)) {
      const source = new Subject<number>();
      const errors: unknown[] = [];
      pipeline(source).subscribe({ error: (error: unknown) => errors.push(error), complete: () => errors.push('completed') });
      for (const n of [1, 11, 21, 31]) source.next(n);
      source.complete();
      expect([name, errors.length, source.observed, scheduler.pending]).toEqual([name, 1, false, 0]);
      expect(errors[0]).toBe(cause);
    }
  });

  it('P094 an error flushes nothing', () => {
    const source = concat(
      of<StreamElement<number>>(r(1)),
      throwError(() => new Error('from the source')),
    );
    expect(listen(source.pipe(tumblingWindow(10)))).toEqual(['#from the source']);
  });

  it('P095 when downstream closes in a burst of firings, they stop', () => {
    const source = new Subject<StreamElement<number>>();
    const words = listen(source.pipe(tumblingWindow(10), take(1)));
    for (const element of [r(1), r(11), r(21), W(29)]) source.next(element);
    expect(words).toEqual(['[0,10) 1', '|']);
    expect(source.observed).toBe(false);
  });

  it('P097 what a sink pushes into the source waits until the element at hand is done', () => {
    const source = new Subject<StreamElement<number>>();
    const words: string[] = [];
    const late: number[] = [];
    source
      .pipe(
        tumblingWindow<number, ReadonlyArray<number>, undefined>(10, aggregates.collect(), {
          lateTo: ({ value }) => late.push(value),
        }),
      )
      .subscribe((element) => {
        words.push(word(element));
        if (words.length === 1) source.next(r(12));
      });
    for (const element of [r(1), r(21), W(25)]) source.next(element);
    expect([words, late]).toEqual([['[0,10) 1', 'W(25)'], [12]]);
    source.next(W(29));
    expect([words, late]).toEqual([['[0,10) 1', 'W(25)', '[20,30) 21', 'W(29)'], [12]]);
  });

  it('P097 through two stages, each element once and in order', () => {
    const source = new Subject<StreamElement<number>>();
    const words: string[] = [];
    source.pipe(tumblingWindow(10, aggregates.count()), tumblingWindow(30, aggregates.count())).subscribe((element) => {
      words.push(word(element));
      if (words.length === 2) {
        source.next(r(31)); // from inside W(29): after it, so in the next window
        source.next(W(59));
      }
    });
    for (const element of [r(1), r(21), W(29)]) source.next(element);
    expect(words).toEqual(['[0,30) 2', 'W(29)', '[30,60) 1', 'W(59)']);
  });

  it('P099 state belongs to one subscription: a retry starts with nothing', () => {
    let runs = 0;
    const source = defer(() =>
      runs++ === 0
        ? concat(
            of<StreamElement<number>>(r(1)),
            throwError(() => new Error('once')),
          )
        : from<StreamElement<number>[]>([r(2), W(9)]),
    );
    expect(listen(source.pipe(tumblingWindow(10), retry(1)))).toEqual(['[0,10) 2', 'W(9)', 'W(MAX)', '|']);
  });
});

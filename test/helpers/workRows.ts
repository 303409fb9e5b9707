import { defer, from, NEVER, type Observable, type ObservableInput, of, Subject, take, throwError, timer, toArray } from 'rxjs';
import { map } from 'rxjs/operators';
import { keyedRecord, type StreamElement, watermark } from 'tidemark';
import { expect, it, vi } from 'vitest';
import { IN, type In } from './checklist.js';
import { marbles } from './marbles.js';

/** An operator that does work for each record, one at a time or several. */
export type MakeWork = <B>(
  project: (value: number, timestamp: number) => ObservableInput<B>,
) => (source: Observable<In>) => Observable<StreamElement<B, string>>;

/** Work that takes 10 ms for each unit of its value, and gives that value. */
export const tens = (value: number): Observable<number> => timer(value * 10).pipe(map(() => value));

/** What is true of concatMapValue and mergeMapValue alike. */
export function workRows(name: string, make: MakeWork): void {
  it(
    'P080 watermark: waits for the work before it, and so does an idle mark',
    marbles((m) => {
      const source = m.hot<In>('     a 9ms V 9ms I 79ms |', { a: keyedRecord(5, 10, 'k'), V: IN.V, I: IN.I });
      const expected = '             50ms (aVI) 45ms |';
      m.expect(source.pipe(make(tens))).toBeObservable(expected, { a: keyedRecord(5, 10, 'k'), V: IN.V, I: IN.I });
    }),
  );

  it(
    'watermark: passes at once where no work is before it, also after work that is done',
    marbles((m) => {
      const source = m.hot<In>('  V-a 19ms W-|', { a: keyedRecord(1, 20, 'k'), V: IN.V, W: IN.W });
      const expected = '          V- 10ms a 9ms W-|';
      m.expect(source.pipe(make(tens))).toBeObservable(expected, { a: keyedRecord(1, 20, 'k'), V: IN.V, W: IN.W });
    }),
  );

  it(
    'regressing: of watermarks that wait, those that do not rise are swallowed as they leave',
    marbles((m) => {
      const source = m.hot<In>('     aVVWV-(X|)', { ...IN, a: keyedRecord(2, 20, 'k') });
      const expected = '             20ms (aVWX|)';
      m.expect(source.pipe(make(tens))).toBeObservable(expected, { ...IN, a: keyedRecord(2, 20, 'k') });
    }),
  );

  it(
    'idle: a return waits its turn too',
    marbles((m) => {
      const source = m.hot<In>('     VIaAI 35ms |', { ...IN, a: keyedRecord(2, 20, 'k') });
      const expected = '             VI 20ms (aAI) 13ms |';
      m.expect(source.pipe(make(tens))).toBeObservable(expected, { ...IN, a: keyedRecord(2, 20, 'k') });
    }),
  );

  it(
    'completion: waits for the work, and for what waits behind it',
    marbles((m) => {
      const source = m.hot<In>('     aV|', { a: keyedRecord(3, 10, 'k'), V: IN.V });
      m.expect(source.pipe(make(tens))).toBeObservable('30ms (aV|)', { a: keyedRecord(3, 10, 'k'), V: IN.V });
      m.expect(source).toHaveSubscriptions('^-!');
    }),
  );

  it(
    'completion: of work that gives nothing lets watermark and end go',
    marbles((m) => {
      const source = m.hot<In>('     aV|', IN);
      const inner = m.cold<number>(' -----|');
      m.expect(source.pipe(make(() => inner))).toBeObservable('-----(V|)', IN);
      m.expect(inner).toHaveSubscriptions('^----!');
    }),
  );

  it(
    'completion: work gives any number of results, all with time and key of their record',
    marbles((m) => {
      const source = m.hot<In>('      a|', IN);
      const inner = m.cold<string>('  -x-y-(z|)');
      m.expect(source.pipe(make(() => inner))).toBeObservable('-x-y-(z|)', {
        x: keyedRecord('x', 10, 'k'),
        y: keyedRecord('y', 10, 'k'),
        z: keyedRecord('z', 10, 'k'),
      });
    }),
  );

  it(
    'error: of the source ends all work at once',
    marbles((m) => {
      const source = m.hot<In>('     a-V-#', IN);
      const inner = m.cold<number>(' ---------x|');
      m.expect(source.pipe(make(() => inner))).toBeObservable('----#');
      m.expect(inner).toHaveSubscriptions('^---!');
    }),
  );

  it(
    'error: of work is the error, and ends source and work',
    marbles((m) => {
      const cause = new Error('of the work');
      const source = m.hot<In>('        a-V-----|', IN);
      const inner = m.cold<number>('    -x--#', { x: 7 }, cause);
      m.expect(source.pipe(make(() => inner))).toBeObservable('-x--#', { x: keyedRecord(7, 10, 'k') }, cause);
      m.expect(source).toHaveSubscriptions('^---!');
      m.expect(inner).toHaveSubscriptions('^---!');
    }),
  );

  it(
    'error: of work after the source has ended still arrives',
    marbles((m) => {
      const cause = new Error('of the work');
      const source = m.hot<In>('     a|', IN);
      const inner = m.cold<number>(' ----#', {}, cause);
      m.expect(source.pipe(make(() => inner))).toBeObservable('----#', {}, cause);
    }),
  );

  it(
    'unsubscribe: ends source and work at once, and nothing stays scheduled',
    marbles((m) => {
      const source = m.hot<In>('     a-V--------', IN);
      const inner = m.cold<number>(' ---------x|');
      m.expect(source.pipe(make(() => inner)), '^----!').toBeObservable('-----');
      m.expect(source).toHaveSubscriptions('                           ^----!');
      m.expect(inner).toHaveSubscriptions('                            ^----!');
    }),
  );

  it('synchronous: an endless inner stream is left when downstream closes', () => {
    let given = 0;
    const cleanup = vi.fn();
    const endless = function* (): Generator<number> {
      try {
        for (; given < 1_000; ) yield given++;
      } finally {
        cleanup();
      }
    };
    const seen: unknown[] = [];
    from<In[]>([IN.a, IN.b])
      .pipe(make(endless), take(2))
      .subscribe((o) => seen.push(o));
    expect(seen).toStrictEqual([keyedRecord(0, 10, 'k'), keyedRecord(1, 10, 'k')]);
    expect({ given, cleanups: cleanup.mock.calls.length }).toStrictEqual({ given: 2, cleanups: 1 });
  });

  it('synchronous: an endless inner stream from the backlog is left too', () => {
    let given = 0;
    const gate = new Subject<number>();
    const source = new Subject<In>();
    const endless = function* (): Generator<number> {
      while (given < 1_000) yield given++;
    };
    const seen: unknown[] = [];
    source
      .pipe(
        make((value) => (value === 1 ? gate : endless())),
        take(2),
      )
      .subscribe((o) => seen.push(o));
    source.next(IN.a);
    source.next(IN.V);
    source.next(IN.b);
    gate.complete();
    expect(seen).toStrictEqual([IN.V, keyedRecord(0, 20, 'k')]);
    expect(source.observed).toBe(false);
  });

  it('synchronous: an endless inner stream that begins as the one before ends is left too', () => {
    let given = 0;
    const gate = new Subject<number>();
    const source = new Subject<In>();
    const endless = function* (): Generator<number> {
      while (given < 1_000) yield given++;
    };
    const seen: unknown[] = [];
    const one = make((value) => (value === 1 ? gate : endless()));
    source.pipe(one, take(3)).subscribe((o) => {
      seen.push(o);
      // re-entrant: b comes, and the gate closes, within the step that hands out the first result
      if (seen.length > 1) return;
      source.next(IN.b);
      gate.complete();
    });
    source.next(IN.a);
    gate.next(7);
    expect(seen).toStrictEqual([keyedRecord(7, 10, 'k'), keyedRecord(0, 20, 'k'), keyedRecord(1, 20, 'k')]);
    expect(given).toBe(2);
  });

  it('synchronous: a long backlog of work that is done at once does not grow the stack', () => {
    const gate = new Subject<number>();
    const source = new Subject<In>();
    const seen: Array<StreamElement<number, string>> = [];
    const done = vi.fn();
    source.pipe(make((value) => (value < 0 ? gate : of(value)))).subscribe({ next: (o) => seen.push(o), complete: done });
    source.next(keyedRecord(-1, 0, 'k'));
    for (let i = 0; i < 50_000; i++) source.next(keyedRecord(i, i, 'k'));
    source.next(watermark(50_000));
    source.complete();
    gate.next(-7);
    gate.complete();
    expect(seen).toHaveLength(50_002);
    expect(seen.at(-1)).toStrictEqual(watermark(50_000));
    expect(done).toHaveBeenCalledTimes(1);
  });

  it('re-entrant: what is pushed while a result of work is handled comes after it', () => {
    const source = new Subject<In>();
    const log: unknown[] = [];
    source
      .pipe(
        make((value) => [value, -value]),
        make((value) => [value]),
      )
      .subscribe({
        next: (o) => {
          log.push(o);
          if (log.length > 1) return;
          source.next(IN.V);
          source.next(IN.b);
          source.complete();
          log.push('handled');
        },
        complete: () => log.push('complete'),
      });
    source.next(IN.a);
    const results = (value: number): unknown[] => [keyedRecord(value, value * 10, 'k'), keyedRecord(-value, value * 10, 'k')];
    const [first, second] = results(1);
    expect(log).toStrictEqual([first, 'handled', second, IN.V, ...results(2), 'complete']);
  });

  it('throws: one that begins later, from the backlog, is the error too', () => {
    const cause = new Error('of the user');
    const gate = new Subject<number>();
    const source = new Subject<In>();
    const log: unknown[] = [];
    const project = (value: number): ObservableInput<number> => {
      if (value === 2) throw cause;
      return gate;
    };
    source.pipe(make(project)).subscribe({ next: (o) => log.push(o), error: (e) => log.push(e) });
    source.next(IN.a);
    source.next(IN.b);
    gate.complete();
    expect(log).toStrictEqual([cause]);
    expect([source.observed, gate.observed]).toStrictEqual([false, false]);
  });

  it('arguments: a result that is no input fails the stream', () => {
    const failed = vi.fn();
    from<In[]>([IN.a])
      .pipe(make(() => undefined as never))
      .subscribe({ error: failed });
    expect(failed.mock.calls).toHaveLength(1);
    expect(failed.mock.calls[0]?.[0]).toBeInstanceOf(TypeError);
  });

  it('gives project the value and the time', () => {
    const project = vi.fn((_value: number, _timestamp: number) => of(0));
    from<In[]>([IN.a, IN.V, IN.c]).pipe(make(project)).subscribe();
    expect(project.mock.calls).toStrictEqual([
      [1, 10],
      [3, 30],
    ]);
  });

  it('takes Promises: the watermark waits for them, a rejection is the error', async () => {
    const resolved = await new Promise<unknown>((resolve) => {
      from<In[]>([IN.a, IN.V, IN.b, IN.W])
        .pipe(
          make(async (value) => `p${value}`),
          toArray(),
        )
        .subscribe(resolve);
    });
    expect(resolved).toStrictEqual([keyedRecord('p1', 10, 'k'), IN.V, keyedRecord('p2', 20, 'k'), IN.W]);

    const cause = new Error('rejected');
    const rejected = await new Promise<unknown>((resolve) => {
      from<In[]>([IN.a, IN.V])
        .pipe(make(() => Promise.reject(cause)))
        .subscribe({ error: resolve });
    });
    expect(rejected).toBe(cause);
  });

  it('takes Promises: one that resolves after the end of the subscription says nothing', async () => {
    let resolve = (_value: number): void => {};
    const promise = new Promise<number>((given) => {
      resolve = given;
    });
    const next = vi.fn();
    const subscription = from<In[]>([IN.a])
      .pipe(make(() => promise))
      .subscribe(next);
    subscription.unsubscribe();
    resolve(1);
    await promise;
    await Promise.resolve();
    expect(next).not.toHaveBeenCalled();
  });

  it(`${name} keeps a state for each subscription`, () => {
    let subscriptions = 0;
    const result = from<In[]>([IN.a, IN.V]).pipe(make(() => defer(() => (subscriptions++ === 0 ? NEVER : of(5)))));
    const seen: unknown[] = [];
    const first = result.subscribe((o) => seen.push(['first', o]));
    result.subscribe((o) => seen.push(['second', o]));
    first.unsubscribe();
    expect(seen).toStrictEqual([
      ['second', keyedRecord(5, 10, 'k')],
      ['second', IN.V],
    ]);
  });

  it('throws: a failure of work that is begun at once leaves nothing behind', () => {
    const cause = new Error('at once');
    const source = new Subject<In>();
    const failed = vi.fn();
    source.pipe(make(() => throwError(() => cause))).subscribe({ error: failed });
    source.next(IN.a);
    expect(failed.mock.calls).toStrictEqual([[cause]]);
    expect(source.observed).toBe(false);
  });
}

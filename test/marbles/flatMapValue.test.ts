import { from, pipe, Subject, take, toArray } from 'rxjs';
import { flatMapValue, keyedRecord, watermark } from 'tidemark';
import { describe, expect, it, vi } from 'vitest';
import { checklist, IN, type In, refusesNonFunctions, withValue } from '../helpers/checklist.js';
import { marbles } from '../helpers/marbles.js';

const tenfold = (value: number): number[] => [value * 10];

describe('flatMapValue', () => {
  checklist({
    operator: flatMapValue<number, number, string>(tenfold),
    output: (element) => withValue(element, (value) => value * 10),
    twice: pipe(flatMapValue<number, number, string>(tenfold), flatMapValue(tenfold)),
    outputTwice: (element) => withValue(element, (value) => value * 100),
    throwing: (fail) =>
      flatMapValue<number, number, string>((value) => {
        fail(value);
        return tenfold(value);
      }),
    statuses: true,
  });
  refusesNonFunctions('flatMapValue', 'f', flatMapValue);

  it(
    'gives any number of values, all before the watermark that follows, with time and key of their record',
    marbles((m) => {
      const source = from<In[]>([IN.a, IN.V, IN.c, IN.b, IN.W]);
      const repeated = source.pipe(
        flatMapValue((value, timestamp) => (value === 3 ? [] : Array.from({ length: value }, (_, i) => `${timestamp}.${i}`))),
        toArray(),
      );
      m.expect(repeated).toBeObservable('(x|)', {
        x: [
          keyedRecord('10.0', 10, 'k'),
          watermark(15),
          keyedRecord('20.0', 20, 'k'),
          keyedRecord('20.1', 20, 'k'),
          watermark(25),
        ],
      });
    }),
  );

  it('throws: a generator that fails gives what it had and one error', () => {
    const cause = new Error('of the generator');
    const seen: unknown[] = [];
    const source = new Subject<In>();
    const broken = function* (value: number): Generator<number> {
      yield value;
      throw cause;
    };
    source.pipe(flatMapValue(broken)).subscribe({ next: (o) => seen.push(o), error: (e) => seen.push(e) });
    source.next(IN.a);
    source.next(IN.b);
    expect(seen).toStrictEqual([IN.a, cause]);
    expect(seen[1]).toBe(cause);
    expect(source.observed).toBe(false);
  });

  it('synchronous: a generator without end is left, and cleaned up, when downstream closes', () => {
    const cleanup = vi.fn();
    const seen: unknown[] = [];
    let given = 0;
    const endless = function* (): Generator<number> {
      try {
        while (given < 1_000) yield given++;
      } finally {
        cleanup();
      }
    };
    from<In[]>([IN.a, IN.b])
      .pipe(flatMapValue(endless), take(2))
      .subscribe((o) => seen.push(o));
    expect(seen).toStrictEqual([keyedRecord(0, 10, 'k'), keyedRecord(1, 10, 'k')]);
    expect({ given, cleanups: cleanup.mock.calls.length }).toStrictEqual({ given: 2, cleanups: 1 });
  });

  it('arguments: a result that is a string or no iterable fails the stream', () => {
    for (const result of ['text', undefined, 5]) {
      const failed = vi.fn();
      from<In[]>([IN.a])
        .pipe(flatMapValue(() => result as never))
        .subscribe({ error: failed });
      expect(failed.mock.calls).toHaveLength(1);
      expect(failed.mock.calls[0]?.[0]).toBeInstanceOf(TypeError);
    }
    const failed = vi.fn();
    from<In[]>([IN.a])
      .pipe(flatMapValue(() => 'text' as never))
      .subscribe({ error: failed });
    const message = 'flatMapValue: the result of f is "text", it must be an iterable that is no string';
    expect(failed.mock.calls[0]?.[0]).toStrictEqual(new TypeError(message));
  });
});

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { from, Subject } from 'rxjs';
import {
  type Aggregate,
  aggregates,
  assignWatermarks,
  boundedOutOfOrderness,
  punctuated,
  type StreamElement,
  tumblingWindow,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { listen, r, W, word } from './notation.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

describe('synchronous sources, and what is held in memory', () => {
  it('P105 a synchronous source sees no tick, but is asked at its end; punctuated is exact', () => {
    const run = (strategy: Parameters<typeof assignWatermarks<number>>[0], interval: number) => {
      const late: number[] = [];
      const words = listen(
        from([1, 50, 2]).pipe(
          assignWatermarks<number>(strategy, { timestamp: (n) => n, interval }),
          tumblingWindow(10, aggregates.collect<number>(), { lateTo: ({ value }) => late.push(value) }),
        ),
      );
      return { words, late };
    };
    expect(run(boundedOutOfOrderness(0), 10)).toEqual({
      words: ['[0,10) 1,2', 'W(49)', '[50,60) 50', 'W(MAX)', '|'],
      late: [],
    });
    expect(
      run(
        punctuated((n) => n - 1),
        10,
      ),
    ).toEqual({
      words: ['W(0)', '[0,10) 1', 'W(49)', '[50,60) 50', 'W(MAX)', '|'],
      late: [2],
    });
  });

  it('P108 an aggregate holds its state, not the records: only collecting windows do', async () => {
    /** How many of 1000 records are still in memory while their window is open. */
    const held = async (aggregate: Aggregate<{ n: number }, unknown>): Promise<number> => {
      const source = new Subject<StreamElement<{ n: number }>>();
      source.pipe(tumblingWindow(10_000_000, aggregate)).subscribe();
      const watched: WeakRef<object>[] = [];
      for (let n = 0; n < 1_000; n++) {
        const value = { n };
        watched.push(new WeakRef(value));
        source.next(r(n, value));
      }
      await new Promise((resolve) => setTimeout(resolve)); // a weak reference holds until the job that made it is over
      gc();
      expect(source.observed).toBe(true);
      return watched.filter((ref) => ref.deref() !== undefined).length;
    };
    expect(await held(aggregates.count())).toBeLessThan(10);
    expect(await held(aggregates.sum((e) => e.n))).toBeLessThan(10);
    expect(await held(aggregates.collect())).toBe(1_000);
  });

  it('P108 a million records in one window are one number', () => {
    const source = new Subject<StreamElement<number>>();
    const words: string[] = [];
    source.pipe(tumblingWindow(10_000_000, aggregates.count())).subscribe((element) => words.push(word(element)));
    for (let n = 0; n < 1_000_000; n++) source.next(r(n));
    source.next(W(9_999_999));
    expect(words).toEqual(['[0,10000000) 1000000', 'W(9999999)']);
  });
});

import { from, Subject } from 'rxjs';
import { aggregates, assignWatermarks, boundedOutOfOrderness, counters, tumblingWindow, withMaxFutureSkew } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { ProbeScheduler } from '../helpers/probeScheduler.js';
import { listen, r, through, W } from './notation.js';

const at = (n: number) => n;

describe('clocks that are wrong, and what is dropped', () => {
  it('P019 one record from tomorrow does not make all others late, if there is a guard', () => {
    const honest = Array.from({ length: 10 }, (_, i) => 36_001_000 + i * 1_000);
    const run = (guarded: boolean) => {
      const scheduler = new ProbeScheduler(36_000_000);
      const source = new Subject<number>();
      const late: number[] = [];
      const seen = counters();
      const bounded = boundedOutOfOrderness<number>(60_000);
      const strategy = guarded ? withMaxFutureSkew(300_000)(bounded) : bounded;
      const words = listen(
        source.pipe(
          assignWatermarks(strategy, { timestamp: at, interval: 'record', scheduler, counters: seen }),
          tumblingWindow(60_000, aggregates.count(), { lateTo: ({ value }) => late.push(value) }),
        ),
      );
      source.next(36_000_000);
      source.next(122_400_000);
      for (const time of honest) source.next(time);
      source.complete();
      return { words: words.filter((said) => said.startsWith('[')), late, held: seen.held };
    };
    expect(run(true)).toEqual({
      words: ['[36000000,36060000) 11', '[122400000,122460000) 1'], // the odd one is forwarded
      late: [],
      held: 1,
    });
    expect(run(false)).toEqual({
      words: ['[36000000,36060000) 1', '[122400000,122460000) 1'],
      late: honest,
      held: 0,
    });
  });

  it('P021 what is dropped is counted, and can be had', () => {
    const input = [W(19), r(1), r(2), r(3)];
    const late: number[] = [];
    const seen = counters();
    through(tumblingWindow(10, aggregates.count(), { counters: seen, lateTo: ({ value }) => late.push(value) }), input);
    expect(late).toEqual([1, 2, 3]);
    expect(seen.late).toBe(3);
    const alone = counters();
    through(tumblingWindow(10, aggregates.count(), { counters: alone }), input);
    expect(alone.late).toBe(3);
  });

  it('P024 the bound moves the watermark and nothing else: it is not taken off a second time', () => {
    const run = (bound: number) => {
      const late: number[] = [];
      const words = listen(
        from([100, 85]).pipe(
          assignWatermarks(boundedOutOfOrderness(bound), { timestamp: at, interval: 'record' }),
          tumblingWindow(10, aggregates.count(), { lateTo: ({ value }) => late.push(value) }),
        ),
      );
      return [...words, ...late.map((time) => `late ${time}`)];
    };
    expect(run(10)).toEqual(['W(89)', '[100,110) 1', 'W(MAX)', '|', 'late 85']);
    expect(run(15)).toEqual(['W(84)', '[80,90) 1', '[100,110) 1', 'W(MAX)', '|']);
  });

  it('P025 late is decided by the window, not by the record: behind the watermark is not late', () => {
    const late: number[] = [];
    const window = tumblingWindow<number, ReadonlyArray<number>, undefined>(10, aggregates.collect(), {
      lateTo: ({ value }) => late.push(value),
    });
    expect(through(window, [r(1), W(7), r(5), W(9)])).toEqual(['W(7)', '[0,10) 1,5', 'W(9)', 'W(MAX)', '|']);
    expect(late).toEqual([]);
  });
});

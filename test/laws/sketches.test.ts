import fc from 'fast-check';
import { approxDistinct, histogram, quantiles } from 'tidemark/sketches';
import { describe, expect, it } from 'vitest';
import { mergedResultOf, resultOf } from '../helpers/aggregates.js';

const itself = (x: number): number => x;

/** The same numbers from 0 to 1 in each run (Park and Miller). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

describe('quantiles', () => {
  const qs = [0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1];

  for (const relativeError of [0.05, 0.01, 0.001]) {
    const aggregate = quantiles(itself, qs, { relativeError });
    const within = (all: ReadonlyArray<number>, found: ReadonlyArray<number>): void => {
      const sorted = all.slice().sort((a, b) => a - b);
      qs.forEach((q, i) => {
        const exact = sorted[Math.floor(q * (all.length - 1))] ?? NaN;
        // a little more for the rounding of the logarithms themselves
        expect(Math.abs((found[i] ?? NaN) - exact)).toBeLessThanOrEqual(Math.abs(exact) * relativeError * (1 + 1e-6));
      });
    };

    it(`are within ${relativeError} of the number at their rank, whatever comes, however split`, () =>
      fc.assert(
        fc.property(
          fc.array(
            fc.oneof(fc.integer(), fc.double({ min: -1e9, max: 1e9, noNaN: true })).map((x) => (Math.abs(x) < 1e-9 ? 0 : x)),
            {
              minLength: 1,
              maxLength: 200,
            },
          ),
          fc.nat(200),
          (all, at) => {
            within(all, resultOf(aggregate, all));
            expect(mergedResultOf(aggregate, [all.slice(0, at), all.slice(at)])).toStrictEqual(resultOf(aggregate, all));
          },
        ),
      ));

    it(`are within ${relativeError} on long tails of both signs`, () => {
      const random = seeded(7);
      const all = Array.from({ length: 20_000 }, () => (random() < 0.3 ? -1 : 1) * Math.exp(random() * 20 - 5));
      within(all, resultOf(aggregate, all));
    });
  }

  it('negative numbers are not forgotten by a merge', () => {
    expect(mergedResultOf(quantiles(itself, [0, 0.5]), [[-5, 1, 2], [-7], [3]])).toEqual([-7, expect.closeTo(1, 1)]);
  });

  it('infinite numbers have their rank, NaN is in all results, nothing is NaN', () => {
    const aggregate = quantiles(itself, [0, 0.5, 1]);
    expect(resultOf(aggregate, [Infinity, 1, -Infinity])).toEqual([-Infinity, 1, Infinity]);
    expect(mergedResultOf(aggregate, [[1, 2], [NaN]])).toEqual([NaN, NaN, NaN]);
    expect(resultOf(aggregate, [])).toEqual([NaN, NaN, NaN]);
  });

  it('arguments are checked when it is built', () => {
    expect(() => quantiles(5 as never, [0])).toThrow(/^quantiles: by is 5, it must be a function/);
    expect(() => quantiles(itself, [])).toThrow(/^quantiles: qs is \[\], it must be numbers from 0 to 1/);
    expect(() => quantiles(itself, [0.5, 50])).toThrow(/^quantiles: qs is \[0\.5,50\]/);
    expect(() => quantiles(itself, [0.5], { relativeError: 0 })).toThrow(/^quantiles: relativeError is 0, it must be above 0/);
  });
});

describe('approxDistinct', () => {
  /** Root of the mean square and the largest of the relative errors over many seeds. */
  const errors = (precision: number, distinct: number, runs: number, name: (run: number, i: number) => string | number) => {
    const aggregate = approxDistinct((value: string | number) => value, { precision });
    const found = Array.from({ length: runs }, (_, run) => {
      // each value twice, and in two parts that have half of them in common
      const all = Array.from({ length: distinct }, (_value, i) => name(run, i));
      const half = all.length >> 1;
      return mergedResultOf(aggregate, [all.slice(0, half + (half >> 1)), all.slice(half >> 1), all]) / distinct - 1;
    });
    return {
      rms: Math.hypot(...found) / Math.sqrt(runs),
      worst: Math.max(...found.map(Math.abs)),
    };
  };

  it.each([
    [8, 100],
    [8, 1_000],
    [10, 30],
    [10, 2_500],
    [12, 1_000],
    [12, 10_000],
    [14, 5_000],
  ])('precision %i, %i values: the standard error is 1.04 / √registers', (precision, distinct) => {
    const stated = 1.04 / Math.sqrt(2 ** precision);
    for (const name of [
      (run: number, i: number) => `${run}:user${i}`,
      (run: number, i: number) => run * 1_000_003 + i,
      (run: number, i: number) => `ключ ${i} 🐎 ${run}`,
    ]) {
      const { rms, worst } = errors(precision, distinct, 20, name);
      expect(rms).toBeLessThanOrEqual(stated * 1.5); // the spread of the mean of 20
      expect(worst).toBeLessThanOrEqual(stated * 4 + 1 / distinct); // rounded
    }
  });

  it('few values are counted all but exactly', () => {
    for (let distinct = 0; distinct <= 40; distinct++) {
      const all = Array.from({ length: distinct }, (_, i) => `user ${i}`);
      expect(
        Math.abs(
          resultOf(
            approxDistinct((s: string) => s, { precision: 14 }),
            all,
          ) - distinct,
        ),
      ).toBeLessThanOrEqual(1);
    }
  });

  it('1 is not "1"', () => {
    expect(
      resultOf(
        approxDistinct((value: number | string) => value),
        [1, '1', 1, '1'],
      ),
    ).toBe(2);
  });

  it('arguments are checked when it is built, and what `by` gives when it is called', () => {
    expect(() => approxDistinct(itself, { precision: 3 })).toThrow(
      /^approxDistinct: precision is 3, it must be a whole number from 8 to 16/,
    );
    expect(() => approxDistinct('x' as never)).toThrow(/^approxDistinct: by is "x"/);
    expect(() =>
      resultOf(
        approxDistinct(() => ({}) as never),
        [1],
      ),
    ).toThrow(/^approxDistinct: what by gives is {}, it must be a string/);
  });
});

describe('histogram', () => {
  it('a number on a bound is above it, NaN is nowhere, infinite ones are at the ends', () => {
    expect(resultOf(histogram(itself, [0, 10]), [-1, 0, 9.9, 10, NaN, Infinity, -Infinity])).toEqual([2, 2, 2]);
  });

  it('arguments are checked when it is built', () => {
    for (const bounds of [[], [1, 1], [2, 1], [NaN], [0, Infinity], 5 as never]) {
      expect(() => histogram(itself, bounds)).toThrow(/^histogram: bounds is .*, it must be rising numbers, at least one/);
    }
  });
});

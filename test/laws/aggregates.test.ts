import fc from 'fast-check';
import { Ord as NumberOrd } from 'fp-ts/lib/number.js';
import { type Aggregate, aggregates, type MergeableAggregate, type MergeableAggregateSpec } from 'tidemark';
import { describe, expect, it } from 'vitest';
import {
  commutative,
  type Item,
  item,
  items,
  mergedResultOf,
  parts,
  resultOf,
  stateOf,
  subjects,
} from '../helpers/aggregates.js';

for (const { name, aggregate, means } of subjects) {
  const { create, merge, result } = aggregate;
  const state = (all: ReadonlyArray<Item>): unknown => stateOf(aggregate, all);

  describe(`aggregates.${name}`, () => {
    it('computes what it says, also over nothing', () => {
      expect(result(create())).toStrictEqual(means([]));
      fc.assert(
        fc.property(items, (all) => {
          expect(resultOf(aggregate, all)).toStrictEqual(means(all));
        }),
      );
    });

    it('gives the same, split anywhere and merged', () =>
      fc.assert(
        fc.property(parts, (some) => {
          expect(mergedResultOf(aggregate, some)).toStrictEqual(means(some.flat()));
        }),
      ));

    it('has a neutral element: create()', () =>
      fc.assert(
        fc.property(items, items, (all, more) => {
          expect(result(stateOf(aggregate, more, merge(create(), state(all))))).toStrictEqual(means([...all, ...more]));
          expect(result(stateOf(aggregate, more, merge(state(all), create())))).toStrictEqual(means([...all, ...more]));
        }),
      ));

    it('merges associatively, and goes on from there', () =>
      fc.assert(
        fc.property(items, items, items, items, (a, b, c, more) => {
          const left = merge(merge(state(a), state(b)), state(c));
          const right = merge(state(a), merge(state(b), state(c)));
          expect(result(left)).toStrictEqual(result(right));
          expect(result(stateOf(aggregate, more, left))).toStrictEqual(result(stateOf(aggregate, more, right)));
        }),
      ));

    // the sketches of quantiles are objects of a library
    if (name !== 'quantiles') {
      it('has a state that can be copied, and goes on from the copy', () =>
        fc.assert(
          fc.property(items, items, (all, more) => {
            const copy = structuredClone(state(all));
            expect(result(stateOf(aggregate, more, copy))).toStrictEqual(means([...all, ...more]));
          }),
        ));
    }

    it('gives results that stay as they were, whatever is added or merged later', () =>
      fc.assert(
        fc.property(items, items, items, (all, other, more) => {
          const left = state(all);
          const right = state(other);
          const given = [result(left), result(right)];
          const whole = merge(left, right);
          given.push(result(whole));
          given.push(result(stateOf(aggregate, more, whole)));
          expect(given).toStrictEqual([means(all), means(other), means([...all, ...other]), means([...all, ...other, ...more])]);
        }),
      ));

    it('leaves the right one of a merge as it is, also when the left one grows: panes are shared', () =>
      fc.assert(
        fc.property(items, items, fc.array(item, { minLength: 1, maxLength: 4 }), (all, other, more) => {
          const right = state(other);
          stateOf(aggregate, more, merge(state(all), right));
          expect(result(right)).toStrictEqual(means(other));
        }),
      ));

    it('gives each window a state of its own', () =>
      fc.assert(
        fc.property(items, items, (all, other) => {
          const [one, two] = [create(), create()];
          const after = stateOf(aggregate, all, one);
          expect(result(stateOf(aggregate, other, two))).toStrictEqual(means(other));
          expect(result(after)).toStrictEqual(means(all));
        }),
      ));

    const { remove } = aggregate;
    if (remove !== undefined) {
      it('removes exactly what was merged, and goes on from there', () =>
        fc.assert(
          fc.property(items, items, items, (a, b, more) => {
            // the oldest pane is the one that leaves, and the newest may leave as well
            const oldest = remove(merge(state(a), state(b)), state(a));
            const newest = remove(merge(state(a), state(b)), state(b));
            expect(result(stateOf(aggregate, more, oldest))).toStrictEqual(means([...b, ...more]));
            expect(result(stateOf(aggregate, more, newest))).toStrictEqual(means([...a, ...more]));
          }),
        ));
    }
  });
}

describe('the flag commutative', () => {
  it('is on those that need no order', () => {
    expect(commutative.map(({ name }) => name)).toStrictEqual(
      expect.arrayContaining([
        ...['count', 'sum', 'mean', 'min', 'max', 'distinctCount', 'percentOf', 'variance, to nine digits'],
        ...['approxDistinct', 'quantiles', 'histogram'],
      ]),
    );
  });

  for (const { name, aggregate } of commutative) {
    it(`holds for ${name}`, () =>
      fc.assert(
        fc.property(items, items, (a, b) => {
          const { merge, result } = aggregate;
          const ab = result(merge(stateOf(aggregate, a), stateOf(aggregate, b)));
          expect(result(merge(stateOf(aggregate, b), stateOf(aggregate, a)))).toStrictEqual(ab);
        }),
      ));
  }

  it('is on a struct only if it is on all of its parts', () => {
    const some = { n: aggregates.count(), last: aggregates.last<number>() };
    expect(aggregates.struct(some).commutative).toBeUndefined();
    expect(aggregates.struct({ n: aggregates.count(), sum: aggregates.sum() }).commutative).toBe(true);
  });
});

describe('removing', () => {
  const names = subjects.filter(({ aggregate }) => aggregate.remove !== undefined).map(({ name }) => name);

  it('is there where it can be exact', () => {
    expect(names).toStrictEqual(
      expect.arrayContaining([
        'count',
        'sum',
        'mean',
        'distinctCount',
        'percentOf',
        'histogram',
        'struct that can be subtracted',
      ]),
    );
  });

  const itself = (x: number): number => x;
  const additive = [
    { name: 'sum', aggregate: aggregates.sum() },
    { name: 'mean', aggregate: aggregates.mean(itself) },
    { name: 'percentOf', aggregate: aggregates.percentOf((x: number) => x > 0, itself) },
    { name: 'struct', aggregate: aggregates.struct({ n: aggregates.count(), sum: aggregates.sum() }) },
  ];
  // what leaves is subtracted only while all parts and the whole have been exact
  const numbers = fc.array(fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double(), fc.constantFrom(0.1, 1e15, -0)), {
    maxLength: 6,
  });

  for (const { name, aggregate } of additive as ReadonlyArray<{ name: string; aggregate: MergeableAggregate<number, unknown> }>) {
    it(`of any numbers: where ${name} says that it is exact, it equals merging what is left`, () =>
      fc.assert(
        fc.property(numbers, numbers, numbers, (a, b, c) => {
          const { merge, remove, removable, result, create } = aggregate;
          const of = (...all: ReadonlyArray<number>[]): unknown =>
            all.reduce<unknown>((whole, part) => merge(whole, stateOf(aggregate, part)), create());
          const exact = [of(a), of(b), of(c), of(a, b), of(a, b, c)].every((state) => removable?.(state) ?? true);
          if (!exact || remove === undefined) return;
          expect(result(remove(of(a, b, c), of(a)))).toStrictEqual(result(of(b, c)));
        }),
        { numRuns: 500 },
      ));

    it(`of whole numbers ${name} is exact, of fractions it is not`, () => {
      expect(aggregate.removable?.(stateOf(aggregate, [1, -5, 2 ** 40])) ?? true).toBe(true);
      expect(aggregate.removable?.(stateOf(aggregate, [0.5]))).toBe(false);
      expect(aggregate.removable?.(stateOf(aggregate, [2 ** 53, 2]))).toBe(false);
    });
  }
});

describe('variance', () => {
  it('keeps its digits where the numbers are large and close together', () => {
    const all = [4, 7, 13, 16].map((n) => 1e9 + n);
    const variance = aggregates.variance((n: number) => n);
    expect(resultOf(variance, all)).toBe(30);
    expect(mergedResultOf(variance, [all.slice(0, 1), all.slice(1)])).toBe(30);
  });

  it('of one record is NaN for a sample, 0 for a population', () => {
    expect(
      resultOf(
        aggregates.variance((n: number) => n),
        [7],
      ),
    ).toBeNaN();
    expect(
      resultOf(
        aggregates.variance((n: number) => n, { population: true }),
        [7],
      ),
    ).toBe(0);
  });
});

describe('arguments', () => {
  it('topK, percentOf and distinctCount refuse what they can not use, when they are built', () => {
    expect(() => aggregates.topK(0, NumberOrd)).toThrow(new RangeError('topK: k is 0, it must be a whole number ≥ 1'));
    expect(() => aggregates.topK(2, {} as never)).toThrow(/^topK: ord is {}, it must be an Ord/);
    expect(() => aggregates.percentOf(5 as never)).toThrow(/^percentOf: predicate is 5, it must be a function/);
    expect(() => aggregates.distinctCount('user' as never)).toThrow(/^distinctCount: by is "user", it must be a function/);
  });

  it('distinctCount without a selector takes the records themselves', () => {
    expect(resultOf(aggregates.distinctCount(), [1, '1', NaN, NaN, null, 0, -0])).toBe(5);
  });
});

describe('aggregates put together', () => {
  const anyOf = fc.constantFrom(...subjects.map(({ aggregate }) => aggregate));

  it('struct gives what its parts give alone', () =>
    fc.assert(
      fc.property(anyOf, anyOf, parts, (a, b, some) => {
        const both = aggregates.struct<Item, { a: unknown; b: unknown }>({ a, b });
        expect(resultOf(both, some.flat())).toStrictEqual({ a: resultOf(a, some.flat()), b: resultOf(b, some.flat()) });
        expect(mergedResultOf(both, some)).toStrictEqual({ a: mergedResultOf(a, some), b: mergedResultOf(b, some) });
      }),
    ));

  it('mapResult maps results, and only those', () =>
    fc.assert(
      fc.property(anyOf, parts, (aggregate, some) => {
        const mapped = aggregates.mapResult((value: unknown) => [value])(aggregate as MergeableAggregate<Item, unknown>);
        expect(mergedResultOf(mapped, some)).toStrictEqual([mergedResultOf(aggregate, some)]);
        expect(resultOf(mapped, some.flat())).toStrictEqual([resultOf(aggregate, some.flat())]);
      }),
    ));

  it('contramapInput maps inputs, and only those', () =>
    fc.assert(
      fc.property(anyOf, parts, (aggregate, some) => {
        const f = (a: Item): Item => ({ n: -a.n, name: `${a.name}!` });
        const mapped = aggregates.contramapInput(f)(aggregate as MergeableAggregate<Item, unknown>);
        const mappedParts = some.map((part) => part.map(f));
        expect(mergedResultOf(mapped, some)).toStrictEqual(mergedResultOf(aggregate, mappedParts));
        expect(resultOf(mapped, some.flat())).toStrictEqual(resultOf(aggregate, mappedParts.flat()));
      }),
    ));

  it('times arrive through contramapInput and struct', () => {
    const times: MergeableAggregateSpec<unknown, ReadonlyArray<number>, ReadonlyArray<number>> = {
      create: () => [],
      add: (state, _input, timestamp) => [...state, timestamp],
      result: (state) => state,
      merge: (left, right) => [...left, ...right],
    };
    const all = aggregates.struct({ times: aggregates.contramapInput((s: string) => s.length)(times) });
    expect(all.result(all.add(all.add(all.create(), 'a', 7), 'b', 5))).toStrictEqual({ times: [7, 5] });
  });

  it('what can merge still can, what can not still can not', () => {
    const plain: Aggregate<number, number> = aggregates.fold(
      () => 0,
      (total, n) => total + n,
    );
    const change = [aggregates.mapResult((total: number) => total), aggregates.contramapInput((n: number) => n)];
    for (const f of change) {
      expect(f(plain).merge).toBeUndefined();
      expect(f(aggregates.sum()).merge).toBeInstanceOf(Function);
      expect(f(aggregates.sum()).commutative).toBe(true);
      expect(f(aggregates.count()).remove).toBe(aggregates.count().remove);
    }
  });

  it('fold is the fold it was given', () =>
    fc.assert(
      fc.property(items, (all) => {
        const folded = aggregates.fold(
          () => '',
          (text, a: Item, timestamp) => `${text}${a.name}@${timestamp};`,
        );
        expect(resultOf(folded, all)).toBe(all.map((a, i) => `${a.name}@${i};`).join(''));
      }),
    ));

  it('sum without a selector takes the numbers themselves', () =>
    fc.assert(
      fc.property(fc.array(fc.integer()), (all) => {
        expect(resultOf(aggregates.sum(), all)).toBe(all.reduce((total, n) => total + n, 0));
      }),
    ));

  it('min and max are NaN if one of the numbers is', () =>
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.array(fc.integer()), (before, after) => {
        for (const aggregate of [aggregates.min<number>((n) => n), aggregates.max<number>((n) => n)]) {
          expect(resultOf(aggregate, [...before, NaN, ...after])).toBeNaN();
          expect(mergedResultOf(aggregate, [before, [NaN], after])).toBeNaN();
        }
      }),
    ));

  it('struct refuses, when it is built, a part that can not merge', () => {
    const plain = aggregates.fold(
      () => 0,
      (n: number) => n,
    );
    expect(() => aggregates.struct({ ok: aggregates.count(), bad: plain as never })).toThrow(/struct: bad is .* mergeable/);
  });
});

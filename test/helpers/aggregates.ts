import fc from 'fast-check';
import { Ord as NumberOrd } from 'fp-ts/lib/number.js';
import { contramap } from 'fp-ts/lib/Ord.js';
import { Monoid as StringMonoid } from 'fp-ts/lib/string.js';
import { type Aggregate, type AggregateSpec, aggregates, type MergeableAggregate } from 'tidemark';
import { approxDistinct, histogram, quantiles } from 'tidemark/sketches';

/** What the aggregates of the law tests fold: numbers small enough that sums are exact, names that tell equals apart. */
export interface Item {
  readonly n: number;
  readonly name: string;
}

export const item: fc.Arbitrary<Item> = fc.record(
  { n: fc.integer({ min: -3, max: 3 }), name: fc.string({ maxLength: 2 }) },
  { noNullPrototype: true },
);
export const items: fc.Arbitrary<Item[]> = fc.array(item, { maxLength: 12 });

/** An aggregate, and what it computes, said without it. */
export interface Subject {
  readonly name: string;
  readonly aggregate: MergeableAggregate<Item, unknown>;
  readonly means: (all: ReadonlyArray<Item>) => unknown;
}

const byN = contramap((a: Item) => a.n)(NumberOrd);
const first = (all: ReadonlyArray<Item>): Item | undefined => all[0];
const total = (all: ReadonlyArray<Item>): number => all.reduce((sum, a) => sum + a.n, 0);
const least = (all: ReadonlyArray<Item>): number | undefined => (all.length === 0 ? undefined : Math.min(...all.map((a) => a.n)));
const greatest = (all: ReadonlyArray<Item>): number | undefined =>
  all.length === 0 ? undefined : Math.max(...all.map((a) => a.n));
const n = (a: Item): number => a.n;
const distinctNames = (all: ReadonlyArray<Item>): number => new Set(all.map((a) => a.name)).size;
const greatestFirst = (all: ReadonlyArray<Item>): ReadonlyArray<Item> => all.slice().sort((a, b) => b.n - a.n); // stable
const share = (all: ReadonlyArray<Item>, by: (a: Item) => number): number => {
  const sum = (some: ReadonlyArray<Item>): number => some.reduce((whole, a) => whole + by(a), 0);
  return (100 * sum(all.filter((a) => a.n > 0))) / sum(all);
};
const squares = (all: ReadonlyArray<Item>): number => {
  const mean = total(all) / all.length;
  return all.length < 2 ? (all.length === 0 ? NaN : 0) : all.reduce((sum, a) => sum + (a.n - mean) ** 2, 0);
};
const nineDigits = (x: number): number => (Number.isNaN(x) ? x : Math.round(x * 1e9) / 1e9 + 0);
/**
 * A variance of whole numbers, times the denominator that it has: a whole number, but for errors of rounding. (A variance itself
 * may lie half-way between two numbers of nine digits, where the last bit decides.)
 */
const numerator = (variance: number, count: number, free: number): number => nineDigits(variance * count * (count - free));
const numeratorOf = (free: 0 | 1): Subject['aggregate'] =>
  aggregates.mapResult(({ variance, count }: { readonly variance: number; readonly count: number }) =>
    numerator(variance, count, free),
  )(aggregates.struct({ variance: aggregates.variance(n, { population: free === 0 }), count: aggregates.count() }));

const someNames = approxDistinct((a: Item) => a.name, { precision: 8 });

/** Those of `tidemark/sketches`: on so few small numbers, the nearest whole number is the exact one. */
const sketched: ReadonlyArray<Subject> = [
  // what it says of all at once: its error has a test of its own, here it is whether splitting shows
  { name: 'approxDistinct', aggregate: someNames, means: (all) => resultOf(someNames, all.slice().reverse()) },
  {
    name: 'quantiles',
    aggregate: aggregates.mapResult((qs: ReadonlyArray<number>) => qs.map((q) => Math.round(q) + 0))(
      quantiles(n, [0.9, 0, 0.5, 1]),
    ),
    means: (all) => {
      const sorted = all.map(n).sort((a, b) => a - b);
      return [0.9, 0, 0.5, 1].map((q) => sorted[Math.floor(q * (all.length - 1))] ?? NaN);
    },
  },
  {
    name: 'histogram',
    aggregate: histogram(n, [-1, 0, 2]),
    means: (all) => [
      all.filter((a) => a.n < -1).length,
      all.filter((a) => a.n === -1).length,
      all.filter((a) => a.n === 0 || a.n === 1).length,
      all.filter((a) => a.n >= 2).length,
    ],
  },
];

/** Every aggregate of `aggregates` and of `tidemark/sketches`. Over nothing: rule 2.18 of the API. */
export const subjects: ReadonlyArray<Subject> = [
  { name: 'count', aggregate: aggregates.count(), means: (all) => all.length },
  { name: 'sum', aggregate: aggregates.sum(n), means: total },
  { name: 'mean', aggregate: aggregates.mean(n), means: (all) => total(all) / all.length },
  { name: 'min', aggregate: aggregates.min(n), means: least },
  { name: 'max', aggregate: aggregates.max(n), means: greatest },
  { name: 'minBy', aggregate: aggregates.minBy(byN), means: (all) => all.find((a) => a.n === least(all)) },
  { name: 'maxBy', aggregate: aggregates.maxBy(byN), means: (all) => all.find((a) => a.n === greatest(all)) },
  { name: 'first', aggregate: aggregates.first<Item>(), means: first },
  { name: 'last', aggregate: aggregates.last<Item>(), means: (all) => all.at(-1) },
  { name: 'collect', aggregate: aggregates.collect<Item>(), means: (all) => all },
  {
    name: 'reduce',
    aggregate: aggregates.reduce<Item>((a, b) => ({ n: a.n + b.n, name: a.name + b.name })),
    means: (all) => (all.length === 0 ? undefined : { n: total(all), name: all.map((a) => a.name).join('') }),
  },
  {
    name: 'foldMap',
    aggregate: aggregates.foldMap(StringMonoid)((a: Item) => a.name),
    means: (all) => all.map((a) => a.name).join(''),
  },
  { name: 'topK', aggregate: aggregates.topK(3, byN), means: (all) => greatestFirst(all).slice(0, 3) },
  { name: 'distinctCount', aggregate: aggregates.distinctCount((a: Item) => a.name), means: distinctNames },
  { name: 'percentOf', aggregate: aggregates.percentOf((a: Item) => a.n > 0), means: (all) => share(all, () => 1) },
  {
    name: 'percentOf of a sum',
    aggregate: aggregates.percentOf(
      (a: Item) => a.n > 0,
      (a: Item) => a.n ** 2,
    ),
    means: (all) => share(all, (a) => a.n ** 2),
  },
  {
    name: 'variance, to nine digits',
    aggregate: numeratorOf(1),
    means: (all) => numerator(squares(all) / (all.length - 1), all.length, 1),
  },
  {
    name: 'variance of a population, to nine digits',
    aggregate: numeratorOf(0),
    means: (all) => numerator(squares(all) / all.length, all.length, 0),
  },
  {
    name: 'struct that can be subtracted',
    aggregate: aggregates.struct({
      n: aggregates.count(),
      total: aggregates.sum(n),
      names: aggregates.distinctCount((a: Item) => a.name),
    }),
    means: (all) => ({ n: all.length, total: total(all), names: distinctNames(all) }),
  },
  {
    name: 'struct of two that can be subtracted',
    aggregate: aggregates.struct({ n: aggregates.count(), total: aggregates.sum(n) }),
    means: (all) => ({ n: all.length, total: total(all) }),
  },
  ...sketched,
  {
    name: 'struct',
    aggregate: aggregates.struct({
      n: aggregates.count(),
      all: aggregates.collect<Item>(),
      mean: aggregates.mean(n),
      first: aggregates.first<Item>(),
    }),
    means: (all) => ({ n: all.length, all, mean: total(all) / all.length, first: first(all) }),
  },
  {
    name: 'struct of a struct, mapped both ways',
    aggregate: aggregates.mapResult((value: object) => ({ value }))(
      aggregates.contramapInput((a: Item) => ({ ...a, n: a.n + 1 }))(
        aggregates.struct({ deep: aggregates.struct({ n: aggregates.sum(n), last: aggregates.last<Item>() }) }),
      ),
    ),
    means: (all) => {
      const last = all.at(-1);
      return {
        value: { deep: { n: total(all) + all.length, last: last === undefined ? undefined : { ...last, n: last.n + 1 } } },
      };
    },
  },
];

/** Only those whose order of merging is said not to matter. */
export const commutative: ReadonlyArray<Subject> = subjects.filter(({ aggregate }) => aggregate.commutative === true);

/** The state after all of these; index stands in for time. */
export function stateOf<I, S>(aggregate: AggregateSpec<I, unknown, S>, all: ReadonlyArray<I>, state: S = aggregate.create()): S {
  return all.reduce((s, input, i) => aggregate.add(s, input, i), state);
}

/** The result over all of these. */
export function resultOf<I, O>(aggregate: Aggregate<I, O>, all: ReadonlyArray<I>): O {
  return aggregate.result(stateOf(aggregate, all));
}

/** The result over parts that are folded alone, then merged from the left. */
export function mergedResultOf<I, O>(aggregate: MergeableAggregate<I, O>, parts: ReadonlyArray<ReadonlyArray<I>>): O {
  const states = parts.map((part) => stateOf(aggregate, part));
  return aggregate.result(states.reduce((left, right) => aggregate.merge(left, right), aggregate.create()));
}

/** Inputs, cut into parts anywhere; some are empty. */
export const parts: fc.Arbitrary<Item[][]> = fc.array(fc.array(item, { maxLength: 5 }), { maxLength: 5 });

import { assertFunction } from '../../time/assert.js';
import type { MergeableAggregate, MergeableAggregateSpec } from './aggregate.js';

/**
 * How many records.
 *
 * @category aggregates
 * @since 0.1.0
 */
export function count(): MergeableAggregate<unknown, number> {
  return COUNT;
}

const COUNT: MergeableAggregateSpec<unknown, number, number> = {
  kind: 'count',
  create: () => 0,
  add: (n) => n + 1,
  result: (n) => n,
  merge: (left, right) => left + right,
  commutative: true,
  remove: (n, other) => n - other,
};

/**
 * The sum of the records, or of a number of each; 0 over nothing.
 *
 * Sliding windows subtract what leaves them while all of their sums are safe integers, as that is exact; sums of fractions
 * are put together anew.
 *
 * @category aggregates
 * @since 0.1.0
 */
export function sum(): MergeableAggregate<number, number>;
export function sum<I>(by: (input: I) => number): MergeableAggregate<I, number>;
export function sum<I>(by?: (input: I) => number): MergeableAggregateSpec<I, number, number> {
  if (by === undefined) return SUM as MergeableAggregateSpec<unknown, number, number>;
  assertFunction('sum', 'by', by);
  return { ...SUM, add: (total, input) => total + by(input) };
}

const SUM: MergeableAggregateSpec<number, number, number> = {
  kind: 'sum',
  create: () => 0,
  add: (total, input) => total + input,
  result: (total) => total,
  merge: (left, right) => left + right,
  commutative: true,
  remove: (total, other) => total - other,
  removable: (total) => Number.isSafeInteger(total), // a function of our own: bundlers drop it with the rest
};

/**
 * The mean of a number of each record; NaN over nothing.
 *
 * @category aggregates
 * @since 0.1.0
 */
export function mean<I>(by: (input: I) => number): MergeableAggregate<I, number> {
  assertFunction('mean', 'by', by);
  const aggregate: MergeableAggregateSpec<I, number, { n: number; total: number }> = {
    kind: 'mean',
    create: () => ({ n: 0, total: 0 }),
    add(state, input) {
      state.n++;
      state.total += by(input);
      return state;
    },
    result: ({ n, total }) => total / n,
    merge(left, right) {
      left.n += right.n;
      left.total += right.total;
      return left;
    },
    commutative: true,
    remove(state, other) {
      state.n -= other.n;
      state.total -= other.total;
      return state;
    },
    removable: ({ total }) => Number.isSafeInteger(total),
  };
  return aggregate;
}

/**
 * The least of a number of each record; NaN if one of them is.
 *
 * @category aggregates
 * @since 0.1.0
 */
export function min<I>(by: (input: I) => number): MergeableAggregate<I, number> {
  return extreme('min', by, Math.min);
}

/**
 * The greatest of a number of each record; NaN if one of them is.
 *
 * @category aggregates
 * @since 0.1.0
 */
export function max<I>(by: (input: I) => number): MergeableAggregate<I, number> {
  return extreme('max', by, Math.max);
}

/** Over nothing it is undefined; only evictors and gap filling can see that, and their types say so. */
function extreme<I>(
  kind: string,
  by: (input: I) => number,
  pick: (a: number, b: number) => number,
): MergeableAggregate<I, number> {
  assertFunction(kind, 'by', by);
  const aggregate: MergeableAggregateSpec<I, number, number | null> = {
    kind,
    create: () => null,
    add: (state, input) => (state === null ? by(input) : pick(state, by(input))),
    result: (state) => (state === null ? undefined : state) as number,
    merge: (left, right) => (left === null ? right : right === null ? left : pick(left, right)),
    commutative: true,
  };
  return aggregate;
}

import type { Ord } from 'fp-ts/lib/Ord.js';
import { assertFunction, assertOrd } from '../../time/assert.js';
import type { MergeableAggregate, MergeableAggregateSpec } from './aggregate.js';

/** Nothing yet, or what there is in a box: plain data, also where the records are `null` or `undefined`. */
type Maybe<I> = null | [I];

/**
 * The records put together two by two, in the order of their arrival.
 *
 * ```ts
 * from([record('a', 1), record('b', 3), record('c', 2)]).pipe(
 *   tumblingWindow(10, aggregates.reduce((left, right) => left + right)),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // 'abc'
 * ```
 *
 * @param f associative, if windows merge.
 * @category aggregates
 * @since 0.1.0
 */
export function reduce<I>(f: (left: I, right: I) => I): MergeableAggregate<I, I> {
  assertFunction('reduce', 'f', f);
  return reduction('reduce', f);
}

function reduction<I>(kind: string, f: (left: I, right: I) => I): MergeableAggregateSpec<I, I, Maybe<I>> {
  return {
    kind,
    create: nothing,
    add(state, input) {
      if (state === null) return [input];
      state[0] = f(state[0], input);
      return state;
    },
    result: something,
    merge(left, right) {
      if (right === null) return left;
      if (left === null) return [right[0]]; // a box of its own: the right state stays as it is
      left[0] = f(left[0], right[0]);
      return left;
    },
  };
}

function nothing(): null {
  return null;
}

/** Over nothing it is undefined; only evictors and gap filling can see that, and their types say so. */
function something<I>(state: Maybe<I>): I {
  return (state === null ? undefined : state[0]) as I;
}

/**
 * The record that is least by `ord`, the earliest of equals.
 *
 * @category aggregates
 * @since 0.1.0
 */
export function minBy<I>(ord: Ord<I>): MergeableAggregate<I, I> {
  assertOrd('minBy', ord);
  return reduction('minBy', (left, right) => (ord.compare(right, left) < 0 ? right : left));
}

/**
 * The record that is greatest by `ord`, the earliest of equals.
 *
 * @category aggregates
 * @since 0.1.0
 */
export function maxBy<I>(ord: Ord<I>): MergeableAggregate<I, I> {
  assertOrd('maxBy', ord);
  return reduction('maxBy', (left, right) => (ord.compare(right, left) > 0 ? right : left));
}

/**
 * The record that arrived first.
 *
 * @category aggregates
 * @since 0.1.0
 */
export function first<I>(): MergeableAggregate<I, I> {
  return FIRST as MergeableAggregate<unknown, never>;
}

const FIRST: MergeableAggregateSpec<unknown, unknown, Maybe<unknown>> = {
  kind: 'first',
  create: nothing,
  add: (state, input) => state ?? [input],
  result: something,
  merge: (left, right) => left ?? right, // a box is never written to here
};

/**
 * The record that arrived last.
 *
 * @category aggregates
 * @since 0.1.0
 */
export function last<I>(): MergeableAggregate<I, I> {
  return LAST as MergeableAggregate<unknown, never>;
}

const LAST: MergeableAggregateSpec<unknown, unknown, Maybe<unknown>> = {
  kind: 'last',
  create: nothing,
  add(state, input) {
    if (state === null) return [input];
    state[0] = input;
    return state;
  },
  result: something,
  merge: (left, right) => (right === null ? left : [right[0]]), // the right state stays as it is
};

import type { Ord } from 'fp-ts/lib/Ord.js';
import type { MergeableAggregate, MergeableAggregateSpec } from './aggregate.js';

const NOTHING = Symbol('nothing');
type Maybe<I> = I | typeof NOTHING;

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
  const aggregate: MergeableAggregateSpec<I, I, Maybe<I>> = {
    create: () => NOTHING,
    add: (state, input) => (state === NOTHING ? input : f(state, input)),
    // over nothing it is undefined; only evictors and gap filling can see that, and their types say so
    result: (state) => (state === NOTHING ? undefined : state) as I,
    merge: (left, right) => (left === NOTHING ? right : right === NOTHING ? left : f(left, right)),
  };
  return aggregate;
}

/**
 * The record that is least by `ord`, the earliest of equals.
 *
 * @category aggregates
 * @since 0.1.0
 */
export function minBy<I>(ord: Ord<I>): MergeableAggregate<I, I> {
  return reduce((left, right) => (ord.compare(right, left) < 0 ? right : left));
}

/**
 * The record that is greatest by `ord`, the earliest of equals.
 *
 * @category aggregates
 * @since 0.1.0
 */
export function maxBy<I>(ord: Ord<I>): MergeableAggregate<I, I> {
  return reduce((left, right) => (ord.compare(right, left) > 0 ? right : left));
}

/**
 * The record that arrived first.
 *
 * @category aggregates
 * @since 0.1.0
 */
export function first<I>(): MergeableAggregate<I, I> {
  return reduce((left) => left);
}

/**
 * The record that arrived last.
 *
 * @category aggregates
 * @since 0.1.0
 */
export function last<I>(): MergeableAggregate<I, I> {
  return reduce((_left, right) => right);
}

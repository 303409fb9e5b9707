import { assertFunction } from '../../time/assert.js';
import type { Aggregate, MergeableAggregate } from './aggregate.js';

/**
 * What was mergeable stays mergeable; what was not does not become so. (`Readonly<G>` below rather than `G`: a bare type
 * parameter is `any` while TypeScript looks for the type of `f`'s argument, and would hide it in fp-ts's `pipe`.)
 */
type Keeping<G, I, O> = G extends { readonly merge: unknown } ? MergeableAggregate<I, O> : Aggregate<I, O>;

/**
 * An aggregate whose result goes through `f`.
 *
 * ```ts
 * const pairs = pipe(
 *   aggregates.count(),
 *   aggregates.mapResult((n) => Math.floor(n / 2)),
 * );
 * from([record('a', 1), record('b', 2), record('c', 3)]).pipe(
 *   tumblingWindow(10, pairs),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // 1
 * ```
 *
 * @category aggregates
 * @since 0.1.0
 */
export function mapResult<O, P>(f: (output: O) => P): <I, G>(aggregate: Aggregate<I, O> & Readonly<G>) => Keeping<G, I, P>;
export function mapResult<O, P>(f: (output: O) => P): (aggregate: Aggregate<unknown, O>) => Aggregate<unknown, P> {
  assertFunction('mapResult', 'f', f);
  return (aggregate) => ({ ...aggregate, kind: 'mapResult', result: (state) => f(aggregate.result(state)) });
}

/**
 * An aggregate for `J`s from one for `I`s, by way of `f`.
 *
 * ```ts
 * const clicks = pipe(
 *   aggregates.sum(),
 *   aggregates.contramapInput((click: { n: number }) => click.n),
 * );
 * from([record({ n: 3 }, 1), record({ n: 4 }, 2)]).pipe(
 *   tumblingWindow(10, clicks),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // 7
 * ```
 *
 * @category aggregates
 * @since 0.1.0
 */
export function contramapInput<I, J>(f: (input: J) => I): <O, G>(aggregate: Aggregate<I, O> & Readonly<G>) => Keeping<G, J, O>;
export function contramapInput<I, J>(f: (input: J) => I): (aggregate: Aggregate<I, unknown>) => Aggregate<J, unknown> {
  assertFunction('contramapInput', 'f', f);
  return (aggregate) => ({
    ...aggregate,
    kind: 'contramapInput',
    add: (state, input, timestamp) => aggregate.add(state, f(input), timestamp),
  });
}

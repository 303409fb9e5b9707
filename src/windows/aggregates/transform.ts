import type { Aggregate, MergeableAggregate } from './aggregate.js';

/**
 * What was mergeable stays mergeable; what was not does not become so. (`Readonly<G>` below rather than `G`: a bare type
 * parameter is `any` while TypeScript looks for the type of `f`'s argument, and would hide it in fp-ts's `pipe`.)
 */
type Keeping<G, I, O, S> = G extends { readonly merge: unknown } ? MergeableAggregate<I, O, S> : Aggregate<I, O, S>;

/**
 * An aggregate whose result goes through `f`.
 *
 * ```ts
 * pipe(aggregates.count(), aggregates.mapResult((n) => n * 2));
 * ```
 *
 * @category aggregates
 * @since 0.1.0
 */
export function mapResult<O, P>(
  f: (output: O) => P,
): <I, S, G>(aggregate: Aggregate<I, O, S> & Readonly<G>) => Keeping<G, I, P, S>;
export function mapResult<O, P>(f: (output: O) => P): (aggregate: Aggregate<unknown, O>) => Aggregate<unknown, P> {
  return (aggregate) => ({ ...aggregate, result: (state) => f(aggregate.result(state)) });
}

/**
 * An aggregate for `J`s from one for `I`s, by way of `f`.
 *
 * ```ts
 * pipe(aggregates.sum(), aggregates.contramapInput((click: { n: number }) => click.n));
 * ```
 *
 * @category aggregates
 * @since 0.1.0
 */
export function contramapInput<I, J>(
  f: (input: J) => I,
): <O, S, G>(aggregate: Aggregate<I, O, S> & Readonly<G>) => Keeping<G, J, O, S>;
export function contramapInput<I, J>(f: (input: J) => I): (aggregate: Aggregate<I, unknown>) => Aggregate<J, unknown> {
  return (aggregate) => ({
    ...aggregate,
    add: (state, input, timestamp) => aggregate.add(state, f(input), timestamp),
  });
}

import type { Aggregate, MergeableAggregate } from './aggregate.js';

/** What was mergeable stays mergeable; what was not does not become so. */
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
export function mapResult<O, P>(f: (output: O) => P): <I, S, G>(aggregate: Aggregate<I, O, S> & G) => Keeping<G, I, P, S> {
  return <I, S, G>(aggregate: Aggregate<I, O, S> & G) =>
    ({ ...aggregate, result: (state: S) => f(aggregate.result(state)) }) as Keeping<G, I, P, S>;
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
export function contramapInput<I, J>(f: (input: J) => I): <O, S, G>(aggregate: Aggregate<I, O, S> & G) => Keeping<G, J, O, S> {
  return <O, S, G>(aggregate: Aggregate<I, O, S> & G) =>
    ({
      ...aggregate,
      add: (state: S, input: J, timestamp: number) => aggregate.add(state, f(input), timestamp),
    }) as Keeping<G, J, O, S>;
}

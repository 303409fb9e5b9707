import type { Aggregate, MergeableAggregate } from './aggregate.js';

/** What was mergeable stays mergeable. */
type Keeping<I, O, S, M> = M extends undefined ? Aggregate<I, O, S> : MergeableAggregate<I, O, S>;

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
): <I, S, M = undefined>(aggregate: Aggregate<I, O, S> & { readonly merge?: M }) => Keeping<I, P, S, M> {
  return <I, S, M>(aggregate: Aggregate<I, O, S> & { readonly merge?: M }) =>
    ({ ...aggregate, result: (state: S) => f(aggregate.result(state)) }) as Keeping<I, P, S, M>;
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
): <O, S, M = undefined>(aggregate: Aggregate<I, O, S> & { readonly merge?: M }) => Keeping<J, O, S, M> {
  return <O, S, M>(aggregate: Aggregate<I, O, S> & { readonly merge?: M }) =>
    ({
      ...aggregate,
      add: (state: S, input: J, timestamp: number) => aggregate.add(state, f(input), timestamp),
    }) as Keeping<J, O, S, M>;
}

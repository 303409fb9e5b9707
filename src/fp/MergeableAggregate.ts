/**
 * fp-ts instances for `MergeableAggregate`, a type of two parameters: the input, then the output. An aggregate is a fold
 * that can be put side by side with others: one pass over a window runs them all.
 *
 * They are not for `Aggregate`, since a functor over it would forget by type whether it can merge; `aggregates.mapResult`
 * and `aggregates.contramapInput` keep it. There is no `Monad`: what to fold can't depend on a result that comes last.
 *
 * @since 0.1.0
 */
import type { Applicative2 } from 'fp-ts/lib/Applicative.js';
import type { Apply2 } from 'fp-ts/lib/Apply.js';
import type { Functor2 } from 'fp-ts/lib/Functor.js';
import type { Profunctor2 } from 'fp-ts/lib/Profunctor.js';
import type { MergeableAggregate } from '../windows/aggregates/aggregate.js';
import { struct } from '../windows/aggregates/struct.js';
import { contramapInput, mapResult } from '../windows/aggregates/transform.js';

// --- model ---

/**
 * The name of `MergeableAggregate` among fp-ts's type constructors.
 *
 * @category type lambdas
 * @since 0.1.0
 */
export const URI = 'tidemark/MergeableAggregate';

/**
 * The type of {@link URI}.
 *
 * @category type lambdas
 * @since 0.1.0
 */
export type URI = typeof URI;

declare module 'fp-ts/HKT.js' {
  interface URItoKind2<E, A> {
    readonly [URI]: MergeableAggregate<E, A>;
  }
}

// --- constructors ---

/**
 * The aggregate that gives `a` whatever comes in.
 *
 * ```ts
 * from([record('x', 1)]).pipe(
 *   tumblingWindow(10, mergeableAggregate.of('constant')),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // 'constant'
 * ```
 *
 * @category constructors
 * @since 0.1.0
 */
export const of = <A, I = unknown>(a: A): MergeableAggregate<I, A> => ({
  create: () => null,
  add: () => null,
  result: () => a,
  merge: () => null,
  commutative: true,
  remove: () => null,
});

// --- mapping ---

/**
 * Maps the output; the same as `aggregates.mapResult`.
 *
 * ```ts
 * const legs = pipe(
 *   aggregates.count(),
 *   mergeableAggregate.map((n) => n * 2),
 * );
 * from([record('hen', 1), record('duck', 2)]).pipe(
 *   tumblingWindow(10, legs),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // 4
 * ```
 *
 * @category mapping
 * @since 0.1.0
 */
export const map =
  <A, B>(f: (a: A) => B) =>
  <I>(aggregate: MergeableAggregate<I, A>): MergeableAggregate<I, B> =>
    mapResult(f)(aggregate);

/**
 * Maps the input on its way in and the output on its way out.
 *
 * ```ts
 * const euros = pipe(
 *   aggregates.sum(),
 *   mergeableAggregate.promap(
 *     (sale: { cents: number }) => sale.cents,
 *     (cents) => cents / 100,
 *   ),
 * );
 * from([record({ cents: 50 }, 1), record({ cents: 75 }, 2)]).pipe(
 *   tumblingWindow(10, euros),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // 1.25
 * ```
 *
 * @category mapping
 * @since 0.1.0
 */
export const promap =
  <I, A, J, B>(f: (input: J) => I, g: (a: A) => B) =>
  (aggregate: MergeableAggregate<I, A>): MergeableAggregate<J, B> =>
    mapResult(g)(contramapInput(f)(aggregate));

// --- apply ---

/**
 * Runs an aggregate of functions and one of arguments side by side, and applies the one result to the other.
 *
 * ```ts
 * const sum = aggregates.sum<{ ms: number }>((e) => e.ms);
 * const perRecord = pipe(
 *   sum,
 *   mergeableAggregate.map((total) => (n: number) => total / n),
 *   mergeableAggregate.ap(aggregates.count()),
 * );
 * from([record({ ms: 3 }, 1), record({ ms: 5 }, 2)]).pipe(
 *   tumblingWindow(10, perRecord),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // 4
 * ```
 *
 * **Cost**: that of both, and one array a window and key. It merges, shares panes and is commutative if both are.
 *
 * @category apply
 * @since 0.1.0
 */
export const ap =
  <I, A>(argument: MergeableAggregate<I, A>) =>
  <J, B>(functions: MergeableAggregate<J, (a: A) => B>): MergeableAggregate<I & J, B> => {
    const both = struct<I & J, { f: (a: A) => B; a: A }>({ f: functions, a: argument });
    return mapResult(({ f, a }: { f: (a: A) => B; a: A }) => f(a))(both);
  };

// --- instances: their members are written out, as a spread is something that bundlers do not drop ---

const _map: Functor2<URI>['map'] = (aggregate, f) => map(f)(aggregate);
const _ap: Apply2<URI>['ap'] = (functions, argument) => ap(argument)(functions);

/**
 * `map` over the output.
 *
 * @category instances
 * @since 0.1.0
 */
export const Functor: Functor2<URI> = { URI, map: _map };

/**
 * The input on the left, contravariant; the output on the right.
 *
 * @category instances
 * @since 0.1.0
 */
export const Profunctor: Profunctor2<URI> = { URI, map: _map, promap: (aggregate, f, g) => promap(f, g)(aggregate) };

/**
 * Two folds in one pass.
 *
 * @category instances
 * @since 0.1.0
 */
export const Apply: Apply2<URI> = { URI, map: _map, ap: _ap };

/**
 * Any number of folds in one pass: `sequenceT`, `sequenceS` and `traverse` of fp-ts work over aggregates.
 *
 * ```ts
 * import { sequenceS } from 'fp-ts/lib/Apply.js';
 *
 * const summary = sequenceS(mergeableAggregate.Applicative)({ n: aggregates.count(), last: aggregates.last<string>() });
 * from([record('a', 1), record('b', 2)]).pipe(
 *   tumblingWindow(10, summary),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // { n: 2, last: 'b' }
 * ```
 *
 * @category instances
 * @since 0.1.0
 */
export const Applicative: Applicative2<URI> = { URI, map: _map, ap: _ap, of: (a) => of(a) };

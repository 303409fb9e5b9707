/**
 * fp-ts instances for `EventStream`, a type of two parameters: the key, then the value. They act on the records;
 * watermarks pass, so a stream that is filtered empty still tells the time.
 *
 * There is no `Monad`: inner streams would carry watermarks of their own.
 *
 * The `Monoid` is lawful for the records alone: nested unions may say other watermarks on the way.
 *
 * @since 0.1.0
 */
import type { Compactable2 } from 'fp-ts/lib/Compactable.js';
import type { Either } from 'fp-ts/lib/Either.js';
import type { Filterable2 } from 'fp-ts/lib/Filterable.js';
import type { Functor2 } from 'fp-ts/lib/Functor.js';
import type { Monoid } from 'fp-ts/lib/Monoid.js';
import { getLeft, getRight, type Option } from 'fp-ts/lib/Option.js';
import type { Predicate } from 'fp-ts/lib/Predicate.js';
import type { Refinement } from 'fp-ts/lib/Refinement.js';
import type { Separated } from 'fp-ts/lib/Separated.js';
import type { EventStream } from '../internal/eventStream.js';
import { filterMapValue } from '../operators/filterMapValue.js';
import { filterValue } from '../operators/filterValue.js';
import { fromElements } from '../operators/fromElements.js';
import { mapValue } from '../operators/mapValue.js';
import { union } from '../operators/union.js';

// --- model ---

/**
 * The name of `EventStream` among fp-ts's type constructors.
 *
 * @category type lambdas
 * @since 0.1.0
 */
export const URI = 'tidemark/EventStream';

/**
 * The type of {@link URI}.
 *
 * @category type lambdas
 * @since 0.1.0
 */
export type URI = typeof URI;

declare module 'fp-ts/HKT.js' {
  interface URItoKind2<E, A> {
    readonly [URI]: EventStream<A, E>;
  }
}

// --- mapping ---

/**
 * Maps the value of each record; `mapValue` whose function sees the value alone.
 *
 * ```ts
 * pipe(fromElements(record('7', 5)), eventStream.map(parseInt)); // record(7, 5), watermark(MAX_TIMESTAMP)
 * ```
 *
 * @category mapping
 * @since 0.1.0
 */
export const map =
  <A, B>(f: (a: A) => B) =>
  <K>(stream: EventStream<A, K>): EventStream<B, K> =>
    stream.pipe(mapValue((a: A) => f(a)));

// --- filtering ---

/**
 * Maps the value of each record, and drops the records for which there is none.
 *
 * ```ts
 * const even = (n: number) => (n % 2 === 0 ? O.some(n / 2) : O.none);
 * pipe(fromElements(record(3, 1), record(4, 2)), eventStream.filterMap(even)); // record(2, 2), watermark(MAX_TIMESTAMP)
 * ```
 *
 * @category filtering
 * @since 0.1.0
 */
export const filterMap =
  <A, B>(f: (a: A) => Option<B>) =>
  <K>(stream: EventStream<A, K>): EventStream<B, K> =>
    stream.pipe(filterMapValue((a: A) => f(a)));

/**
 * Keeps the records whose value is there, without the `Some` around it.
 *
 * @category filtering
 * @since 0.1.0
 */
export const compact = <A, K>(stream: EventStream<Option<A>, K>): EventStream<A, K> => filterMap((a: Option<A>) => a)(stream);

/**
 * Keeps the records whose value passes.
 *
 * ```ts
 * pipe(fromElements(record(3, 1), record(4, 2)), eventStream.filter((n) => n > 3)); // record(4, 2), watermark(MAX_TIMESTAMP)
 * ```
 *
 * @category filtering
 * @since 0.1.0
 */
export function filter<A, B extends A>(refinement: Refinement<A, B>): <K>(stream: EventStream<A, K>) => EventStream<B, K>;
export function filter<A>(predicate: Predicate<A>): <K>(stream: EventStream<A, K>) => EventStream<A, K>;
export function filter<A>(predicate: Predicate<A>): <K>(stream: EventStream<A, K>) => EventStream<A, K> {
  return (stream) => stream.pipe(filterValue((a: A) => predicate(a)));
}

/**
 * Two streams of one: the values on the left of `f`, and those on the right. Both have all watermarks.
 *
 * Each subscribes to the source by itself; a cold source that must run once has to be shared.
 *
 * @category filtering
 * @since 0.1.0
 */
export const partitionMap =
  <A, B, C>(f: (a: A) => Either<B, C>) =>
  <K>(stream: EventStream<A, K>): Separated<EventStream<B, K>, EventStream<C, K>> => ({
    left: filterMap((a: A) => getLeft(f(a)))(stream),
    right: filterMap((a: A) => getRight(f(a)))(stream),
  });

/**
 * {@link partitionMap} of values that are on a side already.
 *
 * @category filtering
 * @since 0.1.0
 */
export const separate = <A, B, K>(stream: EventStream<Either<A, B>, K>): Separated<EventStream<A, K>, EventStream<B, K>> =>
  partitionMap((a: Either<A, B>) => a)(stream);

/**
 * Two streams of one: on the left the values that do not pass, on the right those that do. As {@link partitionMap}.
 *
 * @category filtering
 * @since 0.1.0
 */
export function partition<A, B extends A>(
  refinement: Refinement<A, B>,
): <K>(stream: EventStream<A, K>) => Separated<EventStream<A, K>, EventStream<B, K>>;
export function partition<A>(
  predicate: Predicate<A>,
): <K>(stream: EventStream<A, K>) => Separated<EventStream<A, K>, EventStream<A, K>>;
export function partition<A>(
  predicate: Predicate<A>,
): <K>(stream: EventStream<A, K>) => Separated<EventStream<A, K>, EventStream<A, K>> {
  return (stream) => ({ left: filter((a: A) => !predicate(a))(stream), right: filter(predicate)(stream) });
}

// --- instances: their members are written out, as a spread is something that bundlers do not drop ---

const _map: Functor2<URI>['map'] = (stream, f) => map(f)(stream);

/**
 * `map` over the values.
 *
 * @category instances
 * @since 0.1.0
 */
export const Functor: Functor2<URI> = { URI, map: _map };

/**
 * Drops what is not there.
 *
 * @category instances
 * @since 0.1.0
 */
export const Compactable: Compactable2<URI> = { URI, compact, separate };

/**
 * Drops records, never watermarks.
 *
 * @category instances
 * @since 0.1.0
 */
export const Filterable: Filterable2<URI> = {
  URI,
  map: _map,
  compact,
  separate,
  filter: <A, K>(stream: EventStream<A, K>, predicate: Predicate<A>) => filter(predicate)(stream),
  filterMap: (stream, f) => filterMap(f)(stream),
  partition: <A, K>(stream: EventStream<A, K>, predicate: Predicate<A>) => partition(predicate)(stream),
  partitionMap: (stream, f) => partitionMap(f)(stream),
};

/**
 * Several streams as one, by `union`; the empty stream has ended. Lawful for the records: of streams that are silent for a while, a
 * union of unions may say other watermarks on the way than one of all.
 *
 * ```ts
 * const both = eventStream.getMonoid<string, undefined>();
 * both.concat(of(record('a', 1)), both.empty); // record('a', 1), watermark(MAX_TIMESTAMP)
 * ```
 *
 * @category instances
 * @since 0.1.0
 */
export const getMonoid = <A, K>(): Monoid<EventStream<A, K>> => ({
  empty: fromElements<A, K>(),
  concat: (left, right) => union(left, right),
});

/**
 * fp-ts instances for `StreamElement`, a type of two parameters: the key, then the value. All of them look at records;
 * a watermark holds no value and passes through.
 *
 * There is no `Filterable`, since a dropped record has no empty element to leave behind, and no `Applicative`, since two
 * timestamps have no lawful join without a choice.
 *
 * @since 0.1.0
 */

import type { HKT } from 'fp-ts/HKT.js';
import type { Applicative } from 'fp-ts/lib/Applicative.js';
import type { Bifunctor2 } from 'fp-ts/lib/Bifunctor.js';
import type { Eq } from 'fp-ts/lib/Eq.js';
import type { Foldable2 } from 'fp-ts/lib/Foldable.js';
import type { Functor2 } from 'fp-ts/lib/Functor.js';
import type { FunctorWithIndex2 } from 'fp-ts/lib/FunctorWithIndex.js';
import type { Monoid } from 'fp-ts/lib/Monoid.js';
import type { Show } from 'fp-ts/lib/Show.js';
import type { PipeableTraverse2, Traversable2 } from 'fp-ts/lib/Traversable.js';
import { MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamElement, type StreamRecord } from '../element/element.js';

// --- model ---

/**
 * The name of `StreamElement` among fp-ts's type constructors.
 *
 * @category type lambdas
 * @since 0.1.0
 */
export const URI = 'tidemark/StreamElement';

/**
 * The type of {@link URI}.
 *
 * @category type lambdas
 * @since 0.1.0
 */
export type URI = typeof URI;

declare module 'fp-ts/HKT.js' {
  interface URItoKind2<E, A> {
    readonly [URI]: StreamElement<A, E>;
  }
}

// --- mapping ---

/**
 * Maps the value of a record; time and key stay.
 *
 * ```ts
 * pipe(record(2, 5), streamElement.map((n) => n * 10)); // record(20, 5)
 * ```
 *
 * @category mapping
 * @since 0.1.0
 */
export const map =
  <A, B>(f: (a: A) => B) =>
  <K>(element: StreamElement<A, K>): StreamElement<B, K> =>
    element._tag === 'Record' ? withValue(element, f(element.value)) : element;

/**
 * {@link map} with the timestamp (ms since the epoch) as the index.
 *
 * ```ts
 * pipe(record('a', 5), streamElement.mapWithIndex((timestamp, name) => `${name}@${timestamp}`)); // record('a@5', 5)
 * ```
 *
 * @category mapping
 * @since 0.1.0
 */
export const mapWithIndex =
  <A, B>(f: (timestamp: number, a: A) => B) =>
  <K>(element: StreamElement<A, K>): StreamElement<B, K> =>
    element._tag === 'Record' ? withValue(element, f(element.timestamp, element.value)) : element;

/**
 * Maps the key and the value of a record at once.
 *
 * ```ts
 * pipe(keyedRecord(2, 5, 'ann'), streamElement.bimap((key) => key.length, (n) => n * 10)); // keyedRecord(20, 5, 3)
 * ```
 *
 * @category mapping
 * @since 0.1.0
 */
export const bimap =
  <K, L, A, B>(f: (key: K) => L, g: (a: A) => B) =>
  (element: StreamElement<A, K>): StreamElement<B, L> =>
    element._tag === 'Record'
      ? { _tag: 'Record', value: g(element.value), timestamp: element.timestamp, key: f(element.key) }
      : element;

/**
 * Maps the key of a record; time and value stay.
 *
 * ```ts
 * pipe(keyedRecord(2, 5, 'ann'), streamElement.mapLeft((key) => key.length)); // keyedRecord(2, 5, 3)
 * ```
 *
 * @category mapping
 * @since 0.1.0
 */
export const mapLeft =
  <K, L>(f: (key: K) => L) =>
  <A>(element: StreamElement<A, K>): StreamElement<A, L> =>
    element._tag === 'Record'
      ? { _tag: 'Record', value: element.value, timestamp: element.timestamp, key: f(element.key) }
      : element;

// --- folding ---

/**
 * Folds the value of a record into `start`; a watermark leaves `start` as it is.
 *
 * ```ts
 * pipe(record(2, 5), streamElement.reduce(40, (total, n) => total + n)); // 42
 * ```
 *
 * @category folding
 * @since 0.1.0
 */
export const reduce =
  <A, B>(start: B, f: (b: B, a: A) => B) =>
  <K>(element: StreamElement<A, K>): B =>
    element._tag === 'Record' ? f(start, element.value) : start;

/**
 * {@link reduce} with the arguments of `f` turned round.
 *
 * @category folding
 * @since 0.1.0
 */
export const reduceRight =
  <A, B>(start: B, f: (a: A, b: B) => B) =>
  <K>(element: StreamElement<A, K>): B =>
    element._tag === 'Record' ? f(element.value, start) : start;

/**
 * The value of a record in a monoid; a watermark is its empty element.
 *
 * ```ts
 * pipe(watermark(5), streamElement.foldMap(S.Monoid)((value: string) => value)); // ''
 * ```
 *
 * @category folding
 * @since 0.1.0
 */
export const foldMap =
  <M>(monoid: Monoid<M>) =>
  <A>(f: (a: A) => M) =>
  <K>(element: StreamElement<A, K>): M =>
    element._tag === 'Record' ? f(element.value) : monoid.empty;

// --- traversing ---

/**
 * Maps the value of a record by a function with an effect, and has the effect around the whole element.
 *
 * ```ts
 * const parse = (text: string) => (text === '' ? O.none : O.some(Number(text)));
 * pipe(record('7', 5), streamElement.traverse(O.Applicative)(parse)); // O.some(record(7, 5))
 * ```
 *
 * @category traversing
 * @since 0.1.0
 */
export const traverse: PipeableTraverse2<URI> =
  <F>(F: Applicative<F>) =>
  <A, B>(f: (a: A) => HKT<F, B>) =>
  <K>(element: StreamElement<A, K>): HKT<F, StreamElement<B, K>> =>
    element._tag === 'Record'
      ? F.map(f(element.value), (value): StreamElement<B, K> => withValue(element, value))
      : F.of<StreamElement<B, K>>(element);

/**
 * Turns an element of an effect into an effect of an element.
 *
 * ```ts
 * pipe(record(O.some(7), 5), streamElement.sequence(O.Applicative)); // O.some(record(7, 5))
 * ```
 *
 * @category traversing
 * @since 0.1.0
 */
export const sequence: Traversable2<URI>['sequence'] =
  <F>(F: Applicative<F>) =>
  <K, A>(element: StreamElement<HKT<F, A>, K>): HKT<F, StreamElement<A, K>> =>
    element._tag === 'Record'
      ? F.map(element.value, (value): StreamElement<A, K> => withValue(element, value))
      : F.of<StreamElement<A, K>>(element);

// --- instances: their members are written out, as a spread is something that bundlers do not drop ---

const _map: Functor2<URI>['map'] = (element, f) => map(f)(element);
const _reduce: Foldable2<URI>['reduce'] = (element, start, f) => reduce(start, f)(element);
const _foldMap: Foldable2<URI>['foldMap'] = (monoid) => (element, f) => foldMap(monoid)(f)(element);
const _reduceRight: Foldable2<URI>['reduceRight'] = (element, start, f) => reduceRight(start, f)(element);

/**
 * Elements are equal if they are of one kind and all fields are: `key` for keys, `value` for values, time and idleness
 * by themselves.
 *
 * ```ts
 * streamElement.getEq(S.Eq, N.Eq).equals(keyedRecord(1, 5, 'a'), keyedRecord(1, 6, 'a')); // false
 * ```
 *
 * @category instances
 * @since 0.1.0
 */
export function getEq<A, K>(key: Eq<K>, value: Eq<A>): Eq<StreamElement<A, K>> {
  return {
    equals: (left, right) => {
      if (left === right) return true;
      if (left.timestamp !== right.timestamp) return false;
      if (left._tag === 'Watermark') return right._tag === 'Watermark' && left.idle === right.idle;
      return right._tag === 'Record' && key.equals(left.key, right.key) && value.equals(left.value, right.value);
    },
  };
}

/**
 * An element as the call that builds it.
 *
 * ```ts
 * streamElement.getShow(S.Show, N.Show).show(keyedRecord(1, 5, 'a')); // 'keyedRecord(1, 5, "a")'
 * ```
 *
 * @category instances
 * @since 0.1.0
 */
export function getShow<A, K>(key: Show<K>, value: Show<A>): Show<StreamElement<A, K>> {
  return {
    show: (element) => {
      const time = showTime(element.timestamp);
      if (element._tag === 'Watermark') return element.idle ? `idle(${time})` : `watermark(${time})`;
      return `keyedRecord(${value.show(element.value)}, ${time}, ${key.show(element.key)})`;
    },
  };
}

/**
 * `map` over the value.
 *
 * @category instances
 * @since 0.1.0
 */
export const Functor: Functor2<URI> = { URI, map: _map };

/**
 * `map` that sees the timestamp.
 *
 * @category instances
 * @since 0.1.0
 */
export const FunctorWithIndex: FunctorWithIndex2<URI, number> = {
  URI,
  map: _map,
  mapWithIndex: (element, f) => mapWithIndex(f)(element),
};

/**
 * The key on the left, the value on the right.
 *
 * @category instances
 * @since 0.1.0
 */
export const Bifunctor: Bifunctor2<URI> = {
  URI,
  bimap: (element, f, g) => bimap(f, g)(element),
  mapLeft: (element, f) => mapLeft(f)(element),
};

/**
 * A record holds one value, a watermark none.
 *
 * @category instances
 * @since 0.1.0
 */
export const Foldable: Foldable2<URI> = {
  URI,
  reduce: _reduce,
  foldMap: _foldMap,
  reduceRight: _reduceRight,
};

/**
 * Effects around one element.
 *
 * @category instances
 * @since 0.1.0
 */
export const Traversable: Traversable2<URI> = {
  URI,
  map: _map,
  reduce: _reduce,
  foldMap: _foldMap,
  reduceRight: _reduceRight,
  traverse:
    <F>(F: Applicative<F>) =>
    <K, A, B>(element: StreamElement<A, K>, f: (a: A) => HKT<F, B>): HKT<F, StreamElement<B, K>> =>
      (traverse as ErasedTraverse)(F)(f)(element),
  sequence,
};

// --- utils ---

/** `traverse` for an applicative of unknown kind, which its overloads leave out. */
type ErasedTraverse = <F>(
  F: Applicative<F>,
) => <A, B>(f: (a: A) => HKT<F, B>) => <K>(element: StreamElement<A, K>) => HKT<F, StreamElement<B, K>>;

function withValue<A, B, K>({ timestamp, key }: StreamRecord<A, K>, value: B): StreamRecord<B, K> {
  return { _tag: 'Record', value, timestamp, key };
}

function showTime(timestamp: number): string {
  if (timestamp === MAX_TIMESTAMP) return 'MAX_TIMESTAMP';
  return timestamp === MIN_TIMESTAMP ? 'MIN_TIMESTAMP' : String(timestamp);
}

import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as O from 'fp-ts/lib/Option.js';
import { type EventStream, fromElements, record, type StreamElement, watermark } from 'tidemark';
import { eventStream, streamElement } from 'tidemark/fp';
import { describe, expect, it } from 'vitest';
import { stream as inputs, recordsOf } from '../helpers/arbitraries.js';

const { Functor, Compactable, Filterable } = eventStream;

/** Streams are equal if the same elements come out of them, watermarks included. */
function elementsOf<A, K>(stream: EventStream<A, K>): StreamElement<A, K>[] {
  const seen: StreamElement<A, K>[] = [];
  stream.subscribe((element) => seen.push(element));
  return seen;
}
function same<A, K>(left: EventStream<A, K>, right: EventStream<A, K>): void {
  expect(elementsOf(left)).toStrictEqual(elementsOf(right));
}

const stream: fc.Arbitrary<EventStream<number, string>> = inputs.map((elements) => fromElements(...elements));
const number = fc.func(fc.integer());
const predicate = fc.func(fc.boolean());
const option = fc.func(fc.option(fc.integer()).map((n) => O.fromNullable(n)));
const either: fc.Arbitrary<(a: number) => E.Either<string, number>> = fc.func(
  fc.oneof(fc.integer().map(E.right), fc.string().map(E.left)) as fc.Arbitrary<E.Either<string, number>>,
);

describe('EventStream is a Functor', () => {
  it('identity', () =>
    fc.assert(
      fc.property(stream, (fa) =>
        same(
          Functor.map(fa, (a) => a),
          fa,
        ),
      ),
    ));

  it('composition', () =>
    fc.assert(
      fc.property(stream, number, number, (fa, f, g) => {
        same(
          Functor.map(Functor.map(fa, f), g),
          Functor.map(fa, (a) => g(f(a))),
        );
      }),
    ));

  it('is the Functor of its elements, element by element', () =>
    fc.assert(
      fc.property(stream, number, (fa, f) => {
        expect(elementsOf(Functor.map(fa, f))).toStrictEqual(elementsOf(fa).map(streamElement.map(f)));
      }),
    ));

  it('shows the function nothing but the value', () => {
    const args: unknown[][] = [];
    const seen = pipe(
      fromElements(record('7', 5)),
      eventStream.map((...all: [string]) => args.push(all)),
    );
    elementsOf(seen);
    expect(args).toStrictEqual([['7']]);
  });
});

describe('EventStream is Compactable and Filterable', () => {
  it('compact keeps what is there, separate puts it on its side', () =>
    fc.assert(
      fc.property(stream, option, either, (fa, f, g) => {
        same(Compactable.compact(Functor.map(fa, O.some)), fa);
        same(Compactable.compact(Functor.map(fa, f)), Filterable.filterMap(fa, f));
        const sides = Compactable.separate(Functor.map(fa, g));
        same(
          sides.left,
          Filterable.filterMap(fa, (a) => O.getLeft(g(a))),
        );
        same(
          sides.right,
          Filterable.filterMap(fa, (a) => O.getRight(g(a))),
        );
      }),
    ));

  it('identity, and annihilation but for the watermarks', () =>
    fc.assert(
      fc.property(stream, (fa) => {
        same(Filterable.filterMap(fa, O.some), fa);
        same(
          Filterable.filter(fa, () => true),
          fa,
        );
        const marks = elementsOf(fa).filter(({ _tag }) => _tag === 'Watermark');
        expect(elementsOf(Filterable.filterMap(fa, () => O.none))).toStrictEqual(marks);
        expect(elementsOf(Filterable.filter(fa, () => false))).toStrictEqual(marks);
      }),
    ));

  it('composition and distributivity', () =>
    fc.assert(
      fc.property(stream, option, option, predicate, predicate, (fa, f, g, p, q) => {
        same(
          Filterable.filterMap(Filterable.filterMap(fa, f), g),
          Filterable.filterMap(fa, (a) => O.chain(g)(f(a))),
        );
        same(
          Filterable.filter(Filterable.filter(fa, p), q),
          Filterable.filter(fa, (a) => p(a) && q(a)),
        );
        same(Filterable.filter(fa, p), Filterable.filterMap(fa, O.fromPredicate(p)));
      }),
    ));

  it('partitions say the same as filters', () =>
    fc.assert(
      fc.property(stream, either, predicate, (fa, f, p) => {
        const mapped = Filterable.partitionMap(fa, f);
        same(mapped.left, Compactable.separate(Functor.map(fa, f)).left);
        same(mapped.right, Compactable.separate(Functor.map(fa, f)).right);
        const cut = Filterable.partition(fa, p);
        same(cut.right, Filterable.filter(fa, p));
        same(
          cut.left,
          Filterable.filter(fa, (a) => !p(a)),
        );
      }),
    ));

  it('narrows types and keeps time', () => {
    const mixed = fromElements<string | number>(record('a', 1), record(2, 2), watermark(2));
    const text: EventStream<string> = pipe(
      mixed,
      eventStream.filter((v): v is string => typeof v === 'string'),
    );
    const { left, right } = pipe(
      mixed,
      eventStream.partition((v): v is string => typeof v === 'string'),
    );
    expect(elementsOf(text)).toStrictEqual([record('a', 1), watermark(2), watermark(Infinity)]);
    same<string | number, undefined>(right, text);
    expect(elementsOf(left)).toStrictEqual([record(2, 2), watermark(2), watermark(Infinity)]);
  });
});

describe('EventStream is a Monoid under union, for the records', () => {
  const { concat, empty } = eventStream.getMonoid<number, string>();
  const records = <A, K>(from: EventStream<A, K>) => recordsOf(elementsOf(from));

  it('identity, on both sides', () =>
    fc.assert(
      fc.property(stream, (fa) => {
        expect(records(concat(fa, empty))).toStrictEqual(records(fa));
        expect(records(concat(empty, fa))).toStrictEqual(records(fa));
      }),
    ));

  it('associativity', () =>
    fc.assert(
      fc.property(stream, stream, stream, (fa, fb, fc_) => {
        expect(records(concat(concat(fa, fb), fc_))).toStrictEqual(records(concat(fa, concat(fb, fc_))));
      }),
    ));

  it('the last watermark is the end of time in any case', () =>
    fc.assert(
      fc.property(stream, stream, (fa, fb) => {
        expect(
          elementsOf(concat(fa, fb))
            .filter(({ _tag }) => _tag === 'Watermark')
            .at(-1),
        ).toStrictEqual(watermark(Infinity));
      }),
    ));
});

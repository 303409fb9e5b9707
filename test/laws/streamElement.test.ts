import fc from 'fast-check';
import { getApplicativeComposition } from 'fp-ts/lib/Applicative.js';
import * as E from 'fp-ts/lib/Either.js';
import { getFunctorComposition } from 'fp-ts/lib/Functor.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as I from 'fp-ts/lib/Identity.js';
import * as N from 'fp-ts/lib/number.js';
import * as O from 'fp-ts/lib/Option.js';
import * as RA from 'fp-ts/lib/ReadonlyArray.js';
import * as S from 'fp-ts/lib/string.js';
import { idle, keyedRecord, MAX_TIMESTAMP, MIN_TIMESTAMP, record, type StreamElement, watermark } from 'tidemark';
import { streamElement } from 'tidemark/fp';
import { describe, expect, it } from 'vitest';
import { anyElement, recordsOf } from '../helpers/arbitraries.js';

const { Functor, FunctorWithIndex, Bifunctor, Foldable, Traversable } = streamElement;

const number = fc.func(fc.integer());
const text = fc.func(fc.string());
type Element = StreamElement<number, string>;

function law(title: string, check: (element: Element) => void): void {
  it(title, () => fc.assert(fc.property(anyElement, (element) => void check(element))));
}
const identity = <A>(a: A): A => a;

describe('StreamElement is a Functor', () => {
  law('identity', (fa) => expect(Functor.map(fa, identity)).toStrictEqual(fa));

  it('composition', () =>
    fc.assert(
      fc.property(anyElement, number, text, (fa, f, g) => {
        expect(Functor.map(Functor.map(fa, f), g)).toStrictEqual(Functor.map(fa, (a) => g(f(a))));
      }),
    ));

  it('maps the value and nothing else', () => {
    expect(Functor.map(keyedRecord(2, 5, 'a'), (n) => n * 10)).toStrictEqual(keyedRecord(20, 5, 'a'));
    expect(Functor.map(idle(5), (n) => n)).toStrictEqual(idle(5));
  });

  it('composes with other functors', () => {
    const { map } = getFunctorComposition(RA.Functor, Functor);
    expect(map([record(1, 5), watermark(5)], (n: number) => n + 1)).toStrictEqual([record(2, 5), watermark(5)]);
  });
});

describe('StreamElement is a FunctorWithIndex', () => {
  law('identity', (fa) => expect(FunctorWithIndex.mapWithIndex(fa, (_, a) => a)).toStrictEqual(fa));

  it('composition', () =>
    fc.assert(
      fc.property(anyElement, number, text, (fa, f, g) => {
        const twice = FunctorWithIndex.mapWithIndex(FunctorWithIndex.mapWithIndex(fa, f), g);
        expect(twice).toStrictEqual(FunctorWithIndex.mapWithIndex(fa, (i, a) => g(i, f(i, a))));
      }),
    ));

  it('agrees with Functor where the index is not used', () =>
    fc.assert(
      fc.property(anyElement, number, (fa, f) => {
        expect(FunctorWithIndex.mapWithIndex(fa, (_, a) => f(a))).toStrictEqual(FunctorWithIndex.map(fa, f));
      }),
    ));

  law('the index is the timestamp', (fa) => {
    const seen = recordsOf([FunctorWithIndex.mapWithIndex(fa, (timestamp) => timestamp)]);
    for (const { value, timestamp } of seen) expect(value).toBe(timestamp);
    expect(seen).toHaveLength(fa._tag === 'Record' ? 1 : 0);
  });
});

describe('StreamElement is a Bifunctor', () => {
  law('identity', (fa) => expect(Bifunctor.bimap(fa, identity, identity)).toStrictEqual(fa));

  it('composition', () =>
    fc.assert(
      fc.property(anyElement, number, text, number, text, (fa, f, g, h, i) => {
        const twice = Bifunctor.bimap(Bifunctor.bimap(fa, f, h), g, i);
        expect(twice).toStrictEqual(
          Bifunctor.bimap(
            fa,
            (k) => g(f(k)),
            (a) => i(h(a)),
          ),
        );
      }),
    ));

  it('mapLeft is the key alone, Functor the value alone', () =>
    fc.assert(
      fc.property(anyElement, number, (fa, f) => {
        expect(Bifunctor.mapLeft(fa, f)).toStrictEqual(Bifunctor.bimap(fa, f, identity));
        expect(Functor.map(fa, f)).toStrictEqual(Bifunctor.bimap(fa, identity, f));
      }),
    ));

  it('the key is on the left', () => {
    const both = pipe(
      keyedRecord(2, 5, 'ann'),
      streamElement.bimap(
        (k: string) => k.length,
        (n: number) => n * 10,
      ),
    );
    expect(both).toStrictEqual(keyedRecord(20, 5, 3));
    expect(
      pipe(
        keyedRecord(2, 5, 'ann'),
        streamElement.mapLeft((k: string) => k.length),
      ),
    ).toStrictEqual(keyedRecord(2, 5, 3));
  });
});

describe('StreamElement is Foldable', () => {
  law('all folds see the same values: one of a record, none of a watermark', (fa) => {
    const values = recordsOf([fa]).map((r) => r.value);
    expect(Foldable.reduce<string, number, number[]>(fa, [], (b, a) => [...b, a])).toStrictEqual(values);
    expect(Foldable.reduceRight<string, number, number[]>(fa, [], (a, b) => [a, ...b])).toStrictEqual(values);
    expect(Foldable.foldMap(RA.getMonoid<number>())(fa, RA.of)).toStrictEqual(values);
  });

  it('folds start where they are told to, with the start on its own side', () => {
    expect(Foldable.reduce(record('b', 1), 'a', (b, a) => b + a)).toBe('ab');
    expect(Foldable.reduceRight(record('b', 1), 'c', (a, b) => a + b)).toBe('bc');
    expect(Foldable.reduce(watermark(1), 'a', (b, a: string) => b + a)).toBe('a');
    expect(Foldable.reduceRight(watermark(1), 'a', (a: string, b) => a + b)).toBe('a');
  });
});

describe('StreamElement is Traversable', () => {
  const option = fc.func(fc.option(fc.integer()).map((n) => O.fromNullable(n)));
  const either = fc.func(fc.oneof(fc.integer().map(E.right), fc.string().map(E.left)) as fc.Arbitrary<E.Either<string, number>>);

  it('identity: traversing in Identity is mapping', () =>
    fc.assert(
      fc.property(anyElement, number, (ta, f) => {
        expect(Traversable.traverse(I.Applicative)(ta, f)).toStrictEqual(Functor.map(ta, f));
      }),
    ));

  it('naturality: a change of effect may come before or after', () =>
    fc.assert(
      fc.property(anyElement, option, (ta, f) => {
        const before = Traversable.traverse(RA.Applicative)(ta, (a) => RA.fromOption(f(a)));
        expect(RA.fromOption(Traversable.traverse(O.Applicative)(ta, f))).toStrictEqual(before);
      }),
    ));

  it('composition: two traversals are one in the composed effect', () =>
    fc.assert(
      fc.property(anyElement, option, either, (ta, f, g) => {
        const both = Traversable.traverse(O.Applicative)(ta, f);
        const two = O.Functor.map(both, (tb) => Traversable.traverse(E.Applicative)(tb, g));
        // fp-ts types a composed applicative as no Applicative
        const one = Traversable.traverse(optionOfEither as never)(ta as never, ((a: number) => O.Functor.map(f(a), g)) as never);
        expect(one).toStrictEqual(two);
      }),
    ));

  it('sequence is traverse of the identity, and traverse is sequence after map', () =>
    fc.assert(
      fc.property(anyElement, option, (ta, f) => {
        const inside = Functor.map(ta, f);
        const sequenced = Traversable.sequence(O.Applicative)(inside);
        expect(sequenced).toStrictEqual(Traversable.traverse(O.Applicative)(inside, identity));
        expect(sequenced).toStrictEqual(Traversable.traverse(O.Applicative)(ta, f));
      }),
    ));

  it('keeps time and key, and lets watermarks through', () => {
    const parse = streamElement.traverse(O.Applicative)((s: string) => (s === '' ? O.none : O.some(Number(s))));
    expect(parse(keyedRecord('7', 5, 'k'))).toStrictEqual(O.some(keyedRecord(7, 5, 'k')));
    expect(parse(keyedRecord('', 5, 'k'))).toStrictEqual(O.none);
    expect(parse(idle(5))).toStrictEqual(O.some(idle(5)));
  });

  const optionOfEither = getApplicativeComposition(O.Applicative, E.Applicative);
});

describe('getEq', () => {
  const eq = streamElement.getEq(S.Eq, N.Eq);

  law('reflexivity, also for a copy', (a) => {
    expect(eq.equals(a, a)).toBe(true);
    expect(eq.equals(a, { ...a })).toBe(true);
  });

  it('symmetry, and equality of all fields', () =>
    fc.assert(
      fc.property(anyElement, anyElement, (a, b) => {
        expect(eq.equals(a, b)).toBe(eq.equals(b, a));
        expect(eq.equals(a, b)).toBe(fieldsOf(a) === fieldsOf(b));
      }),
    ));

  it('transitivity, over elements that are often equal', () => {
    const near = fc.constantFrom(record(1, 5), record(2, 5), watermark(5), idle(5), watermark(6));
    const same = streamElement.getEq({ equals: () => true }, N.Eq);
    fc.assert(
      fc.property(near, near, near, (a, b, c) => {
        if (same.equals(a, b) && same.equals(b, c)) expect(same.equals(a, c)).toBe(true);
      }),
    );
  });

  it('each field counts', () => {
    const one = keyedRecord(1, 5, 'a');
    const others = [keyedRecord(2, 5, 'a'), keyedRecord(1, 6, 'a'), keyedRecord(1, 5, 'b'), watermark(5), idle(5)];
    for (const other of others) expect(eq.equals(one, other)).toBe(false);
    expect(eq.equals(watermark(5), idle(5))).toBe(false);
    expect(eq.equals(watermark(5), watermark(6))).toBe(false);
    expect(eq.equals(watermark(5), one)).toBe(false);
  });
});

describe('getShow', () => {
  const { show } = streamElement.getShow(S.Show, N.Show);
  const scope = { keyedRecord, watermark, idle, MIN_TIMESTAMP, MAX_TIMESTAMP };
  const evaluate = (shown: string): unknown => new Function(...Object.keys(scope), `return ${shown}`)(...Object.values(scope));

  law('what is shown, evaluated, is the element', (a) => expect(evaluate(show(a))).toStrictEqual(a));

  it('reads as code', () => {
    expect(show(keyedRecord(1, 5, 'a'))).toBe('keyedRecord(1, 5, "a")');
    expect(show(watermark(MAX_TIMESTAMP))).toBe('watermark(MAX_TIMESTAMP)');
    expect(show(idle())).toBe('idle(MIN_TIMESTAMP)');
  });
});

function fieldsOf(element: Element): string {
  return element._tag === 'Record'
    ? `${element.key} ${element.value} ${element.timestamp}`
    : `${element._tag} ${element.timestamp} ${element.idle}`;
}

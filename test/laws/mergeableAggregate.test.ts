import fc from 'fast-check';
import { sequenceS, sequenceT } from 'fp-ts/lib/Apply.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as RA from 'fp-ts/lib/ReadonlyArray.js';
import { from } from 'rxjs';
import { aggregates, keyedRecord, type MergeableAggregate, tumblingWindow } from 'tidemark';
import { mergeableAggregate } from 'tidemark/fp';
import { describe, expect, it } from 'vitest';
import { type Item, items, mergedResultOf, parts, resultOf, stateOf, subjects } from '../helpers/aggregates.js';

const { Functor, Profunctor, Apply, Applicative } = mergeableAggregate;

type Fold<A = unknown> = MergeableAggregate<Item, A>;
const anyFold: fc.Arbitrary<Fold> = fc.constantFrom(...subjects.map(({ aggregate }) => aggregate));
/** A fold whose result is a function of one argument that looks at both. */
const functions: fc.Arbitrary<Fold<(a: unknown) => unknown>> = anyFold.map((fold) =>
  Functor.map(fold, (own) => (a: unknown): unknown => [own, a]),
);
const f = (a: unknown): unknown => ['f', a];
const g = (a: unknown): unknown => ['g', a];
const h = (a: Item): Item => ({ n: a.n * 2, name: `${a.name}h` });
const k = (a: Item): Item => ({ n: a.n + 1, name: `k${a.name}` });

/** Folds are equal if they can't be told apart by running them: in one go, in parts, and asked more than once. */
function same(left: Fold, right: Fold, some: ReadonlyArray<ReadonlyArray<Item>>): void {
  expect(resultOf(left, some.flat())).toStrictEqual(resultOf(right, some.flat()));
  expect(mergedResultOf(left, some)).toStrictEqual(mergedResultOf(right, some));
  const asked = [left, right].map((fold) => {
    let state: unknown = fold.create();
    return some.map((part) => {
      state = stateOf(fold, part, state);
      return fold.result(state);
    });
  });
  expect(asked[0]).toStrictEqual(asked[1]);
}

describe('MergeableAggregate is a Functor', () => {
  it('identity', () =>
    fc.assert(
      fc.property(anyFold, parts, (fa, some) =>
        same(
          Functor.map(fa, (a) => a),
          fa,
          some,
        ),
      ),
    ));

  it('composition', () =>
    fc.assert(
      fc.property(anyFold, parts, (fa, some) => {
        same(
          Functor.map(Functor.map(fa, f), g),
          Functor.map(fa, (a) => g(f(a))),
          some,
        );
      }),
    ));

  it('maps the result', () =>
    fc.assert(
      fc.property(anyFold, items, (fa, all) => {
        expect(resultOf(Functor.map(fa, f), all)).toStrictEqual(f(resultOf(fa, all)));
      }),
    ));
});

describe('MergeableAggregate is a Profunctor', () => {
  it('identity', () =>
    fc.assert(
      fc.property(anyFold, parts, (fa, some) => {
        same(
          Profunctor.promap(
            fa,
            (a: Item) => a,
            (a) => a,
          ),
          fa,
          some,
        );
      }),
    ));

  it('composition', () =>
    fc.assert(
      fc.property(anyFold, parts, (fa, some) => {
        const once = Profunctor.promap(
          fa,
          (a: Item) => h(k(a)),
          (a) => g(f(a)),
        );
        same(Profunctor.promap(Profunctor.promap(fa, h, f), k, g), once, some);
      }),
    ));

  it('agrees with Functor on the right, and with the inputs on the left', () =>
    fc.assert(
      fc.property(anyFold, parts, (fa, some) => {
        same(
          Profunctor.promap(fa, (a: Item) => a, f),
          Functor.map(fa, f),
          some,
        );
        expect(
          resultOf(
            Profunctor.promap(fa, h, (a) => a),
            some.flat(),
          ),
        ).toStrictEqual(resultOf(fa, some.flat().map(h)));
      }),
    ));
});

describe('MergeableAggregate is an Applicative', () => {
  const { of, ap, map } = Applicative;

  it('identity', () =>
    fc.assert(
      fc.property(anyFold, parts, (fa, some) =>
        same(
          ap(
            of((a: unknown) => a),
            fa,
          ),
          fa,
          some,
        ),
      ),
    ));

  it('homomorphism', () =>
    fc.assert(fc.property(fc.anything(), parts, (a, some) => same(ap(of<Item, typeof f>(f), of(a)), of(f(a)), some))));

  it('interchange', () =>
    fc.assert(
      fc.property(functions, fc.anything(), parts, (ff, a, some) => {
        same(
          ap(ff, of(a)),
          ap(
            of((fn: (a: unknown) => unknown) => fn(a)),
            ff,
          ),
          some,
        );
      }),
    ));

  it('composition', () =>
    fc.assert(
      fc.property(functions, functions, anyFold, parts, (fg, ff, fa, some) => {
        type Fn = (a: unknown) => unknown;
        const composed = map(
          fg,
          (outer) =>
            (inner: Fn): Fn =>
            (a) =>
              outer(inner(a)),
        );
        same(ap(ap(composed, ff), fa), ap(fg, ap(ff, fa)), some);
      }),
    ));

  it('map is ap of a pure function', () =>
    fc.assert(fc.property(anyFold, parts, (fa, some) => same(map(fa, f), ap(of<Item, typeof f>(f), fa), some))));

  it('associative composition, which Apply asks for', () =>
    fc.assert(
      fc.property(functions, functions, anyFold, parts, (fg, ff, fa, some) => {
        type Fn = (a: unknown) => unknown;
        const composed = Apply.map(
          fg,
          (outer) =>
            (inner: Fn): Fn =>
            (a) =>
              outer(inner(a)),
        );
        same(Apply.ap(Apply.ap(composed, ff), fa), Apply.ap(fg, Apply.ap(ff, fa)), some);
      }),
    ));

  it('runs both in one pass, and keeps what both have', () => {
    const perRecord = pipe(
      aggregates.sum((a: Item) => a.n),
      mergeableAggregate.map((total) => (n: number) => total / n),
      mergeableAggregate.ap(aggregates.count()),
    );
    expect(
      resultOf(perRecord, [
        { n: 1, name: '' },
        { n: 4, name: '' },
      ]),
    ).toBe(2.5);
    expect(perRecord.commutative).toBe(true);
    expect(ap(functionsOf(aggregates.last<Item>()), aggregates.count()).commutative).toBeUndefined();
  });

  it('of is neutral: it takes nothing away from what it is put beside', () => {
    const pure = of<Item, number>(1);
    expect(pure.commutative).toBe(true);
    expect(pure.result(pure.remove?.(pure.merge(pure.create(), pure.create()), pure.create()))).toBe(1);
  });

  it("works with fp-ts's own functions over any applicative", () =>
    fc.assert(
      fc.property(anyFold, anyFold, parts, (a, b, some) => {
        const whole = { a: resultOf(a, some.flat()), b: resultOf(b, some.flat()) };
        expect(mergedResultOf(sequenceS(Applicative)({ a, b }), some)).toStrictEqual(whole);
        expect(mergedResultOf(sequenceT(Applicative)(a, b), some)).toStrictEqual([whole.a, whole.b]);
        expect(mergedResultOf(RA.sequence(Applicative)([a, b]), some)).toStrictEqual([whole.a, whole.b]);
      }),
    ));

  it('works in a window', () => {
    const seen: unknown[] = [];
    const both = sequenceS(Applicative)({ n: aggregates.count(), last: aggregates.last<number>() });
    from([keyedRecord(3, 1, 'a'), keyedRecord(4, 2, 'a')])
      .pipe(tumblingWindow(10, both))
      .subscribe((element) => element._tag === 'Record' && seen.push(element.value.value));
    expect(seen).toStrictEqual([{ n: 2, last: 4 }]);
  });
});

function functionsOf<A>(fold: Fold<A>): Fold<(a: unknown) => unknown> {
  return Functor.map(fold, (own) => (a: unknown): unknown => [own, a]);
}

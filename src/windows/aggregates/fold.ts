import type { Monoid } from 'fp-ts/lib/Monoid.js';
import { assertFunction, refuse } from '../../time/assert.js';
import type { Aggregate, MergeableAggregate } from './aggregate.js';

/**
 * A fold of your own. It can't merge; windows that do need `foldMap`, `reduce` or an aggregate with `merge`.
 *
 * ```ts
 * const words = aggregates.fold(
 *   () => '',
 *   (text, word: string) => `${text} ${word}`,
 * );
 * from([record('so', 1), record('far', 2)]).pipe(
 *   tumblingWindow(10, words),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // ' so far'
 * ```
 *
 * The state is the result: if the window can fire more than once, return a new state instead of changing the old one.
 *
 * @param create a fresh state, for each window and key.
 * @category aggregates
 * @since 0.1.0
 */
export function fold<I, S>(create: () => S, add: (state: S, input: I, timestamp: number) => S): Aggregate<I, S> {
  assertFunction('fold', 'create', create);
  assertFunction('fold', 'add', add);
  return { kind: 'fold', create, add, result: (state) => state };
}

/**
 * Each record mapped into a monoid, and those put together: fp-ts's `foldMap` over a window.
 *
 * ```ts
 * const clicks = aggregates.foldMap(N.MonoidSum)((click: { n: number }) => click.n);
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
export function foldMap<M>(monoid: Monoid<M>): <I>(f: (input: I) => M) => MergeableAggregate<I, M> {
  if (typeof monoid?.concat !== 'function') throw refuse('foldMap', 'monoid', monoid, 'a Monoid of fp-ts');
  return (f) => {
    assertFunction('foldMap', 'f', f);
    return {
      kind: 'foldMap',
      create: () => monoid.empty,
      add: (state, input) => monoid.concat(state, f(input)),
      result: (state) => state,
      merge: monoid.concat,
    };
  };
}

import { assertFunction } from '../../time/assert.js';
import type { MergeableAggregate, MergeableAggregateSpec } from './aggregate.js';

/** How often each value has come: knowing only which came, nothing could be removed. */
type Seen = Map<unknown, number>;

/**
 * How many different values there are, or different ones of something of each record; exact.
 *
 * They are told apart as a `Map` tells its keys: objects by identity, so give something plain.
 *
 * ```ts
 * from([record({ user: 'ann' }, 1), record({ user: 'bob' }, 2), record({ user: 'ann' }, 3)]).pipe(
 *   tumblingWindow(10, aggregates.distinctCount((click: { user: string }) => click.user)),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // 2
 * ```
 *
 * **Cost**: memory grows with the different values of a window and key. `approxDistinct` of `tidemark/sketches` stays within
 * a few kilobytes.
 *
 * @throws TypeError or RangeError at once, if `by` is no function.
 * @category aggregates
 * @since 0.2.0
 */
export function distinctCount(): MergeableAggregate<unknown, number>;
export function distinctCount<I>(by: (input: I) => unknown): MergeableAggregate<I, number>;
export function distinctCount<I>(by?: (input: I) => unknown): MergeableAggregate<I, number> {
  if (by === undefined) return DISTINCT;
  assertFunction('distinctCount', 'by', by);
  return { ...DISTINCT, add: (seen: Seen, input: I) => plus(seen, by(input), 1) };
}

const DISTINCT: MergeableAggregateSpec<unknown, number, Seen> = {
  kind: 'distinctCount',
  create: () => new Map(),
  add: (seen, input) => plus(seen, input, 1),
  result: (seen) => seen.size,
  merge(left, right) {
    for (const [value, n] of right) plus(left, value, n);
    return left;
  },
  commutative: true,
  remove(seen, other) {
    for (const [value, n] of other) plus(seen, value, -n);
    return seen;
  },
};

function plus(seen: Seen, value: unknown, n: number): Seen {
  const all = (seen.get(value) ?? 0) + n;
  if (all === 0) seen.delete(value);
  else seen.set(value, all);
  return seen;
}

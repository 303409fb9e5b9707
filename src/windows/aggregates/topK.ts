import type { Ord } from 'fp-ts/lib/Ord.js';
import { assertCount, assertOrd } from '../../time/assert.js';
import type { MergeableAggregate, MergeableAggregateSpec } from './aggregate.js';

/**
 * The `k` greatest records by `ord`, the greatest first, the earliest of equals before the others; fewer if there are not as
 * many.
 *
 * ```ts
 * from([record(3, 1), record(9, 2), record(5, 3), record(1, 4)]).pipe(
 *   tumblingWindow(10, aggregates.topK(2, N.Ord)),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // [9, 5]
 * ```
 *
 * **Cost**: one comparison for a record that is not among the first `k`, a search in them for one that is.
 *
 * @param k a whole number ≥ 1.
 * @param ord of fp-ts; `Ord.reverse(ord)` for the least.
 * @throws RangeError or TypeError at once, for an argument out of range.
 * @category aggregates
 * @since 0.1.0
 */
export function topK<I>(k: number, ord: Ord<I>): MergeableAggregate<I, ReadonlyArray<I>> {
  assertCount('topK', 'k', k, 1);
  assertOrd('topK', ord);
  const put = (best: I[], input: I): I[] => {
    if (best.length === k && ord.compare(input, best[k - 1] as I) <= 0) return best;
    // behind its equals, which came before it
    let low = 0;
    for (let high = best.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (ord.compare(input, best[middle] as I) > 0) high = middle;
      else low = middle + 1;
    }
    best.splice(low, 0, input);
    if (best.length > k) best.pop();
    return best;
  };
  const aggregate: MergeableAggregateSpec<I, ReadonlyArray<I>, I[]> = {
    kind: 'topK',
    create: () => [],
    add: put,
    result: (best) => best.slice(),
    merge(left, right) {
      for (const input of right) put(left, input);
      return left;
    },
  };
  return aggregate;
}

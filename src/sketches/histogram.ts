import { assertFunction, refuse } from '../time/assert.js';
import type { MergeableAggregate, MergeableAggregateSpec } from '../windows/aggregates/aggregate.js';

/**
 * How many records fall between which bounds, by a number of each: below the first, from one to the next, from the last on.
 * The counts are exact; a number on a bound belongs above it. `NaN` is in none of them.
 *
 * ```ts
 * import { histogram } from 'tidemark/sketches';
 *
 * from([record(-3, 1), record(4, 2), record(15, 3), record(200, 4), record(16, 5)]).pipe(
 *   tumblingWindow(10, histogram((minutes: number) => minutes, [0, 15, 60])),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // [1, 1, 2, 1]
 * ```
 *
 * **Cost**: a binary search a record, a number a bound in each window and key. Sliding windows subtract what leaves them.
 *
 * @param bounds rising numbers, at least one.
 * @throws TypeError or RangeError at once, for an argument out of range.
 * @category aggregates
 * @since 0.2.0
 */
export function histogram<I>(
  by: (input: I) => number,
  bounds: ReadonlyArray<number>,
): MergeableAggregate<I, ReadonlyArray<number>> {
  assertFunction('histogram', 'by', by);
  const rising = Array.isArray(bounds) && bounds.every((bound, i) => Number.isFinite(bound) && !(bound <= bounds[i - 1]));
  if (!rising || bounds.length === 0) throw refuse('histogram', 'bounds', bounds, 'rising numbers, at least one');
  const edges = bounds.slice();
  const aggregate: MergeableAggregateSpec<I, ReadonlyArray<number>, number[]> = {
    kind: 'histogram',
    create: () => new Array<number>(edges.length + 1).fill(0),
    add(counts, input) {
      const x = by(input);
      if (Number.isNaN(x)) return counts;
      let low = 0;
      for (let high = edges.length; low < high; ) {
        const middle = (low + high) >> 1;
        if (x < (edges[middle] as number)) high = middle;
        else low = middle + 1;
      }
      (counts[low] as number)++;
      return counts;
    },
    result: (counts) => counts.slice(),
    merge: (left, right) => addEach(left, right, 1),
    commutative: true,
    remove: (counts, others) => addEach(counts, others, -1),
  };
  return aggregate;
}

function addEach(counts: number[], others: ReadonlyArray<number>, times: 1 | -1): number[] {
  for (let i = 0; i < counts.length; i++) counts[i] = (counts[i] as number) + times * (others[i] as number);
  return counts;
}

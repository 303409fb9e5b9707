import { DDSketch } from '@datadog/sketches-js';
import { assertFunction, refuse } from '../time/assert.js';
import type { MergeableAggregate, MergeableAggregateSpec } from '../windows/aggregates/aggregate.js';

/** How exact quantiles are. */
export interface QuantilesConfig {
  /** By how much in one a quantile may be off, above 0 and below 1; default 0.01, which is 1 %. */
  readonly relativeError?: number;
}

/** Two sketches, since one alone forgets its negative numbers when it merges. */
interface Sketched {
  /** Of 0 and above. */
  readonly above: DDSketch;
  /** Of the negative numbers, without their sign. */
  readonly below: DDSketch;
  /** How many were +∞, −∞ and none. */
  infinite: number;
  minusInfinite: number;
  none: number;
}

/**
 * Quantiles of a number of each record, in the order asked for: each is within `relativeError` of the number at rank
 * ⌊q · (n − 1)⌋ in the order of size. The least and the greatest (q = 0, q = 1) are exact. NaN over nothing, or if one of the
 * numbers is.
 *
 * ```ts
 * import { quantiles } from 'tidemark/sketches';
 *
 * from(Array.from({ length: 101 }, (_, i) => record(i * 100, i))).pipe(
 *   tumblingWindow(1_000, quantiles((ms: number) => ms, [0.5, 0.99, 1])),
 *   toValues(),
 *   map(({ value: [median = NaN, p99 = NaN, most] }) => [Math.abs(median - 5_000) <= 50, Math.abs(p99 - 9_900) <= 99, most]),
 * ); // [true, true, 10_000]
 * ```
 *
 * **Cost**: a logarithm a record. Memory depends on how far the numbers are apart, not on how many there are: at 1 %, 115
 * counters for each power of ten between the least and the greatest. Merging adds counters up and loses nothing, so a
 * quantile does not depend on how the records were split.
 *
 * @param qs each from 0 to 1, at least one.
 * @throws TypeError or RangeError at once, for an argument out of range.
 * @see DDSketch (Masson, Rim, Lee: VLDB 2019), by `@datadog/sketches-js`.
 * @category aggregates
 * @since 0.2.0
 */
export function quantiles<I>(
  by: (input: I) => number,
  qs: ReadonlyArray<number>,
  config: QuantilesConfig = {},
): MergeableAggregate<I, ReadonlyArray<number>> {
  const { relativeError: relativeAccuracy = 0.01 } = config;
  assertFunction('quantiles', 'by', by);
  if (!Array.isArray(qs) || qs.length === 0 || !qs.every((q) => q >= 0 && q <= 1)) {
    throw refuse('quantiles', 'qs', qs, 'numbers from 0 to 1, at least one');
  }
  if (!(relativeAccuracy > 0 && relativeAccuracy < 1)) {
    throw refuse('quantiles', 'relativeError', relativeAccuracy, 'above 0 and below 1');
  }
  const asked = qs.slice();
  const aggregate: MergeableAggregateSpec<I, ReadonlyArray<number>, Sketched> = {
    kind: 'quantiles',
    create: () => ({
      above: new DDSketch({ relativeAccuracy }),
      below: new DDSketch({ relativeAccuracy }),
      infinite: 0,
      minusInfinite: 0,
      none: 0,
    }),
    add(state, input) {
      const x = by(input);
      if (x === Infinity) state.infinite++;
      else if (x === -Infinity) state.minusInfinite++;
      else if (x >= 0) state.above.accept(x);
      else if (x < 0) state.below.accept(-x);
      else state.none++;
      return state;
    },
    result: (state) => asked.map((q) => quantile(state, q)),
    merge(left, right) {
      left.above.merge(right.above);
      left.below.merge(right.below);
      left.infinite += right.infinite;
      left.minusInfinite += right.minusInfinite;
      left.none += right.none;
      return left;
    },
    commutative: true,
  };
  return aggregate;
}

function quantile({ above, below, infinite, minusInfinite, none }: Sketched, q: number): number {
  const n = minusInfinite + below.count + above.count + infinite;
  if (none > 0 || n === 0) return NaN;
  const rank = Math.floor(q * (n - 1)) - minusInfinite;
  if (rank < 0) return -Infinity;
  if (rank < below.count) return -atRank(below, below.count - 1 - rank);
  if (rank < below.count + above.count) return atRank(above, rank - below.count);
  return Infinity;
}

/** The number at a rank from 0, among those of one sign. */
function atRank(sketch: DDSketch, rank: number): number {
  const last = sketch.count - 1;
  if (rank === 0) return sketch.min;
  if (rank === last) return sketch.max;
  // half a rank more, so that rounding does not lead to the one before
  return sketch.getValueAtQuantile((rank + 0.5) / last);
}

import { assertFunction } from '../../time/assert.js';
import type { MergeableAggregate, MergeableAggregateSpec } from './aggregate.js';

/** Which variance. */
export interface VarianceConfig {
  /** Divide by n, as the records are all there is, instead of by n − 1, as they are a sample; default `false`. */
  readonly population?: boolean;
}

interface Moments {
  n: number;
  mean: number;
  /** The sum of the squares of the distances from the mean. */
  squares: number;
}

/**
 * The variance of a number of each record, of a sample unless told otherwise; NaN over one record (of a population: over
 * none).
 *
 * Computed in one pass that does not lose digits where the numbers are large and close together (Welford; merged by Chan).
 *
 * ```ts
 * from([record(1_000_000_002, 1), record(1_000_000_004, 2), record(1_000_000_006, 3)]).pipe(
 *   tumblingWindow(10, aggregates.variance((n: number) => n)),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // 4
 * ```
 *
 * @see Flink SQL's VAR_SAMP and VAR_POP.
 * @category aggregates
 * @since 0.1.0
 */
export function variance<I>(by: (input: I) => number, config: VarianceConfig = {}): MergeableAggregate<I, number> {
  assertFunction('variance', 'by', by);
  const free = config.population === true ? 0 : 1;
  const aggregate: MergeableAggregateSpec<I, number, Moments> = {
    kind: 'variance',
    create: () => ({ n: 0, mean: 0, squares: 0 }),
    add(state, input) {
      const x = by(input);
      const before = x - state.mean;
      state.n++;
      state.mean += before / state.n;
      state.squares += before * (x - state.mean);
      return state;
    },
    result: ({ n, squares }) => (n > free ? squares / (n - free) : NaN),
    merge(left, right) {
      const n = left.n + right.n;
      if (n === 0) return left;
      const apart = right.mean - left.mean;
      // alike in left and right, so that the order of merging does not show in the last digit
      left.squares += right.squares + apart * apart * ((left.n * right.n) / n);
      left.mean = (left.n * left.mean + right.n * right.mean) / n;
      left.n = n;
      return left;
    },
    commutative: true,
  };
  return aggregate;
}

import { assertFunction } from '../../time/assert.js';
import type { MergeableAggregate, MergeableAggregateSpec } from './aggregate.js';

interface Share {
  part: number;
  whole: number;
}

/**
 * How many in a hundred of the records satisfy `predicate`; with `by`, how much in a hundred of the sum of that number
 * they make up. NaN over nothing, or over a sum of 0.
 *
 * ```ts
 * const delayed = (flight: { delay: number }) => flight.delay > 15;
 * const delays = aggregates.struct({
 *   flights: aggregates.percentOf(delayed),
 *   seats: aggregates.percentOf(delayed, (flight: { seats: number }) => flight.seats),
 * });
 * from([record({ delay: 20, seats: 50 }, 1), record({ delay: 0, seats: 150 }, 2)]).pipe(
 *   tumblingWindow(10, delays),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // { flights: 50, seats: 25 }
 * ```
 *
 * @throws TypeError or RangeError at once, for what is no function.
 * @category aggregates
 * @since 0.2.0
 */
export function percentOf<I>(predicate: (input: I) => boolean): MergeableAggregate<I, number>;
export function percentOf<I, J>(predicate: (input: I) => boolean, by: (input: J) => number): MergeableAggregate<I & J, number>;
export function percentOf<I>(predicate: (input: I) => boolean, by: (input: I) => number = one): MergeableAggregate<I, number> {
  assertFunction('percentOf', 'predicate', predicate);
  assertFunction('percentOf', 'by', by);
  const aggregate: MergeableAggregateSpec<I, number, Share> = {
    kind: 'percentOf',
    create: () => ({ part: 0, whole: 0 }),
    add(state, input) {
      const n = by(input);
      state.whole += n;
      if (predicate(input)) state.part += n;
      return state;
    },
    result: ({ part, whole }) => (whole === 0 ? NaN : (100 * part) / whole),
    merge(left, right) {
      left.part += right.part;
      left.whole += right.whole;
      return left;
    },
    commutative: true,
    remove(state, other) {
      state.part -= other.part;
      state.whole -= other.whole;
      return state;
    },
    removable: ({ part, whole }) => Number.isSafeInteger(part) && Number.isSafeInteger(whole),
  };
  return aggregate;
}

function one(): number {
  return 1;
}

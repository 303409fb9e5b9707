import { AlignmentGate } from '../../core/AlignmentGate.js';
import { GATE, type GateKeeper } from '../../core/gateSlot.js';
import type { WatermarkMerger } from '../../core/WatermarkMerger.js';
import { assertCount, assertMs } from '../../time/assert.js';

/** How far the inputs of a union may drift apart. */
export interface AlignmentConfig {
  /** ms by which the watermark of an input may be ahead of the slowest one's, a whole number ≥ 0. */
  readonly maxDrift: number;
  /** How many elements of inputs that are too far ahead may wait, all inputs together; default 10,000, `Infinity` for no limit. */
  readonly buffer?: number;
}

/**
 * How far the inputs of a union may drift apart, and how far they have: hand one to a union, read it at any time.
 *
 * @category combining
 * @since 0.1.0
 */
export interface Alignment {
  /**
   * For a source that is pulled, such as `fromLines`: what to give it as `ready`, so that it waits instead of the buffer.
   * `input` is its place among the inputs of the union, from 0 (in `unionAll`, in the order of joining).
   */
  readonly ready: (input: number) => () => Promise<void> | undefined;
  /** How many elements wait. */
  readonly buffered: number;
  /** The most that have waited at once. */
  readonly peak: number;
}

/**
 * Holds inputs of a union back that run ahead of the others.
 *
 * An input is ahead when its watermark is more than `maxDrift` ms above that of the slowest input which is waited for (one
 * that is idle, or has ended, is not). Then it is held: a source that is pulled and was given `ready` is not read on, and what
 * others push waits, up to `buffer` elements. One more is an {@link AlignmentOverflowError}: whoever pushes faster than time
 * goes on elsewhere has to be slowed, and nothing is dropped in silence. An input that has not given a watermark stands where
 * the first one began.
 *
 * **Cost**: a comparison a record; a walk over the inputs at each watermark. Serves one subscription at a time.
 *
 * ```ts
 * const together = alignment({ maxDrift: 10, buffer: 100 });
 * const slow$ = concat(of(watermark(1)), NEVER);
 * const fast$ = from([watermark(50), record('far ahead', 70)]);
 * union(slow$, fast$, { alignment: together }).subscribe();
 * together.buffered; // 2
 * ```
 *
 * @throws RangeError at once, if a number is not as it must be.
 * @see Flink's watermark alignment, which pauses sources; it has no buffer, as its sources can all be paused.
 * @category combining
 * @since 0.1.0
 */
export function alignment(config: AlignmentConfig): Alignment {
  const { maxDrift, buffer = 10_000 } = config;
  assertMs('alignment', 'maxDrift', maxDrift, 0);
  assertCount('alignment', 'buffer', buffer, 0, true);
  let gate: AlignmentGate<unknown> | null = null;
  const keeper: Required<AlignmentConfig> & Alignment & GateKeeper = {
    maxDrift,
    buffer,
    ready: (input) => () => gate?.ready(input),
    get buffered() {
      return gate?.buffered ?? 0;
    },
    get peak() {
      return gate?.peak ?? 0;
    },
    // of an object, not of a class: bundlers keep a class that has a member whose name is computed
    [GATE]<E>(merger: WatermarkMerger): AlignmentGate<E> {
      const own = new AlignmentGate<E>(merger, maxDrift, buffer);
      gate = own;
      return own;
    },
  };
  return keeper;
}

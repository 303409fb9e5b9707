import { assertFunction } from '../time/assert.js';
import type { StampedGenerator, StampedStrategy, WatermarkGenerator, WatermarkOutput, WatermarkStrategy } from './strategy.js';

/**
 * Makes a strategy for `B`s from one for `A`s; a stamped one stays stamped.
 *
 * @category watermarks
 * @since 0.1.0
 */
export interface StrategyContramap<out A, in B> {
  (strategy: StampedStrategy<A>): StampedStrategy<B>;
  (strategy: WatermarkStrategy<A>): WatermarkStrategy<B>;
}

/**
 * A strategy for `B`s from one for `A`s, by way of `f`. Its limits stay, and what is stamped stays so.
 *
 * ```ts
 * const untilDone = punctuated<number>((done) => done);
 * const ofJobs = contramapStrategy((job: { done: number }) => job.done)(untilDone);
 * from([{ done: 5 }, { done: 7 }]).pipe(
 *   assignWatermarks(ofJobs, { timestamp: (job) => job.done }),
 *   toWatermarks(),
 * ); // 5, 7, Infinity
 * ```
 *
 * **Cost**: one call of `f` a record, two if the strategy is stamped.
 *
 * @category watermarks
 * @since 0.1.0
 */
export function contramapStrategy<A, B>(f: (b: B) => A): StrategyContramap<A, B> {
  assertFunction('contramapStrategy', 'f', f);
  return (strategy: WatermarkStrategy<A>): StampedStrategy<B> =>
    // by type it is stamped only where `strategy` is
    ({
      ...strategy,
      kind: 'contramapStrategy',
      create: () => new Contramapped(strategy.create(), f),
    }) as WatermarkStrategy<B> as StampedStrategy<B>;
}

class Contramapped<A, B> implements StampedGenerator<B> {
  constructor(
    private readonly generator: WatermarkGenerator<A>,
    private readonly f: (b: B) => A,
  ) {}
  /** Asked of stamped strategies alone. */
  timestamp(value: B, previous: number): number {
    return (this.generator as StampedGenerator<A>).timestamp(this.f(value), previous);
  }
  onRecord(value: B, timestamp: number, output: WatermarkOutput): void {
    this.generator.onRecord(this.f(value), timestamp, output);
  }
  onTick(now: number, output: WatermarkOutput): void {
    this.generator.onTick(now, output);
  }
}

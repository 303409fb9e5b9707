import { refuse } from '../time/assert.js';
import type { StampedStrategy, WatermarkStrategy } from './strategy.js';

/**
 * Adds a limit to a strategy; a stamped one stays stamped.
 *
 * @category watermarks
 * @since 0.1.0
 */
export interface StrategyEnrichment {
  <A>(strategy: StampedStrategy<A>): StampedStrategy<A>;
  <A>(strategy: WatermarkStrategy<A>): WatermarkStrategy<A>;
}

/** The enrichment that sets `limits`, whatever else the strategy carries. */
export function enrich(where: string, limits: Omit<WatermarkStrategy<never>, 'create'>): StrategyEnrichment {
  return <S extends WatermarkStrategy<never>>(strategy: S): S => {
    assertStrategy(where, strategy);
    return { ...strategy, ...limits };
  };
}

/** Throws unless `strategy` is one. */
export function assertStrategy(where: string, strategy: Pick<WatermarkStrategy<never>, 'create'> | undefined): void {
  if (typeof strategy?.create === 'function') return;
  throw refuse(where, 'strategy', strategy, 'a strategy, such as boundedOutOfOrderness(5000)');
}

import type { LateSink } from './windowConfig.js';

/**
 * Where late records of each side go; default nowhere (they are counted).
 *
 * @category combining
 * @since 0.1.0
 */
export interface LateSides<L, R, K> {
  readonly left?: LateSink<L, K>;
  readonly right?: LateSink<R, K>;
}

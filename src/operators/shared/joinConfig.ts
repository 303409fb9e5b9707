import { refuse } from '../../time/assert.js';
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

/** Throws unless `value` is an observable, of whatever copy of RxJS. */
export function assertStream(where: string, name: string, value: unknown): void {
  if (typeof (value as { readonly subscribe?: unknown } | null | undefined)?.subscribe === 'function') return;
  throw refuse(where, name, value, 'an observable of elements');
}

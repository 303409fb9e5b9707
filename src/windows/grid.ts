import { assertMs, assertOffset, assertOneOf } from '../time/assert.js';

/** The grid of aligned windows, and the clock they go by. */
export interface GridConfig {
  /** Shifts the grid, ms; |offset| < size; default 0. Days of UTC+8 start at `-hours(8)`. */
  readonly offset?: number;
  /** Which time decides: that of the records (`'event'`, the default) or that of the scheduler when they arrive. */
  readonly clock?: 'event' | 'processing';
}

/** A grid, checked. */
export interface Grid {
  readonly kind: 'event' | 'processing';
  /** ms. */
  readonly size: number;
  /** ms. */
  readonly offset: number;
}

/** The clocks that windows can go by. */
export const CLOCKS: ReadonlyArray<string> = ['event', 'processing'];

/** Checks the grid of windows of `size` ms, for the function `where`. */
export function gridOf(where: string, size: number, config: GridConfig): Grid {
  const { offset = 0, clock = 'event' } = config;
  assertMs(where, 'size', size, 1);
  assertOffset(where, offset, size);
  assertOneOf(where, 'clock', clock, CLOCKS);
  return { kind: clock, size, offset };
}

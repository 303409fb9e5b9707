import { plainEngine } from '../../core/engine.js';
import { ENGINE } from '../../core/engineSlot.js';
import { MIN_TIMESTAMP } from '../../element/element.js';
import { assertCount, assertFunction, assertMs, refuse } from '../../time/assert.js';
import type { Evictor, EvictorRules, Kept } from '../evictor.js';

/** When an evictor works. */
export interface EvictorConfig {
  /** Evict after the fold instead of before it; default `false`. What is evicted is gone for later firings. */
  readonly after?: boolean;
}

/**
 * Leaves the last `n` records in the window.
 *
 * @param n a whole number ≥ 0.
 * @throws RangeError at once, if it is not.
 * @see Flink's CountEvictor.
 * @category evictors
 * @since 0.1.0
 */
export function count(n: number, config?: EvictorConfig): Evictor<unknown> {
  assertCount('evictors.count', 'n', n, 0);
  return define('count', { n }, config, keepLast);
}

/**
 * Leaves the records that are less than `size` ms older than the newest in the window. Records without a time stay.
 *
 * @param size ms, a whole number ≥ 1.
 * @throws RangeError at once, if it is not.
 * @see Flink's TimeEvictor.
 * @category evictors
 * @since 0.1.0
 */
export function time(size: number, config?: EvictorConfig): Evictor<unknown> {
  assertMs('evictors.time', 'size', size, 1);
  return define('time', { size }, config, keepRecent);
}

/**
 * Leaves the records whose distance to the last one is below `threshold`.
 *
 * @param distance signed; called with each record and the last one.
 * @throws RangeError or TypeError at once, for an argument that is none.
 * @see Flink's DeltaEvictor.
 * @category evictors
 * @since 0.1.0
 */
export function delta<A>(distance: (older: A, newer: A) => number, threshold: number, config?: EvictorConfig): Evictor<A> {
  assertFunction('evictors.delta', 'distance', distance);
  if (!Number.isFinite(threshold)) throw refuse('evictors.delta', 'threshold', threshold, 'a finite number');
  return define<A, Delta<A>>('delta', { distance, threshold }, config, keepNear);
}

type Records<A> = ReadonlyArray<Kept<A>>;

function define<A, P extends object>(
  kind: string,
  parameters: P,
  config: EvictorConfig = {},
  keep: (this: P, records: Records<A>) => Records<A>,
): Evictor<A> {
  const { after = false } = config;
  const rules: Omit<EvictorRules<A>, 'keep'> & P = { kind, ...parameters, after };
  return { ...rules, keep, [ENGINE]: plainEngine } as Evictor<A>;
}

// values that can be compared: what they are made with stands in them, not around a function

function keepLast<A>(this: { readonly n: number }, records: Records<A>): Records<A> {
  return records.length > this.n ? records.slice(records.length - this.n) : records;
}

function keepRecent<A>(this: { readonly size: number }, records: Records<A>): Records<A> {
  let newest = MIN_TIMESTAMP;
  for (const { timestamp } of records) if (timestamp > newest) newest = timestamp;
  return newest === MIN_TIMESTAMP ? records : records.filter(({ timestamp }) => timestamp > newest - this.size);
}

interface Delta<in A> {
  readonly distance: (older: A, newer: A) => number;
  readonly threshold: number;
}

function keepNear<A>(this: Delta<A>, records: Records<A>): Records<A> {
  const { distance, threshold } = this;
  const last = records[records.length - 1] as Kept<A>;
  return records.filter(({ value }) => distance(value, last.value) < threshold);
}

/** A record as a window keeps it for an evictor. */
export interface Kept<A> {
  readonly value: A;
  readonly timestamp: number;
}

/**
 * Which records a firing leaves out: a value, made by the functions of `evictors`.
 *
 * @typeParam A the records it can see.
 * @category evictors
 * @since 0.1.0
 */
export interface Evictor<in A> {
  readonly kind: string;
  /** Only for inference: nothing is here at run time. */
  readonly _A?: (value: A) => void;
  /** Evict after the fold instead of before it. */
  readonly after: boolean;
}

/** What a core runs: how many records go from the front, or which stay. */
export interface EvictorRules<A> extends Evictor<A> {
  /** The records that stay, in their order; may be the same array. */
  keep(records: ReadonlyArray<Kept<A>>): ReadonlyArray<Kept<A>>;
}

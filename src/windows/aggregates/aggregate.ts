/**
 * A fold whose state is seen: what an aggregate of your own is written as.
 *
 * `add` may change the state and return it. `result` may be called several times (late records re-fire a window), and
 * what it gave must not change afterwards.
 *
 * ```ts
 * const range: AggregateSpec<number, number, { least: number; most: number }> = {
 *   create: () => ({ least: Infinity, most: -Infinity }),
 *   add: ({ least, most }, n) => ({ least: Math.min(least, n), most: Math.max(most, n) }),
 *   result: ({ least, most }) => most - least,
 * };
 * fromElements(record(3, 1), record(8, 2)).pipe(
 *   tumblingWindow(10, range),
 *   toValues(),
 *   map((result) => result.value),
 * ); // 5
 * ```
 *
 * @typeParam I input. @typeParam O output. @typeParam S state.
 * @category aggregates
 * @since 0.1.0
 */
export interface AggregateSpec<in I, out O, in out S> {
  /** A fresh state, for each window and key. */
  readonly create: () => S;
  /** The state with `input` in it; `timestamp` is its event time in ms since the epoch. */
  readonly add: (state: S, input: I, timestamp: number) => S;
  readonly result: (state: S) => O;
  /** The state of both; may change and return `left`, and leaves `right` as it is, sharing nothing with it that changes. Associative. */
  readonly merge?: (left: S, right: S) => S;
  /** Together with `merge`: the order of merging does not matter, so that overlapping windows may share panes (rule V6). */
  readonly commutative?: true;
  /** The exact inverse of `merge`, so that overlapping windows may subtract panes (rule V6); may change and return `state`. */
  readonly remove?: (state: S, other: S) => S;
  /**
   * Is `remove` exact for this state, as a part and as a whole? Default: always. Once one is not, windows merge for good.
   * (Sums of safe integers can be subtracted, sums of fractions can't.)
   */
  readonly removable?: (state: S) => boolean;
  /** What it is, for whoever prints it. */
  readonly kind?: string;
}

/**
 * A fold whose state is seen and can be put together with another.
 *
 * @category aggregates
 * @since 0.1.0
 */
export interface MergeableAggregateSpec<in I, out O, in out S> extends AggregateSpec<I, O, S> {
  readonly merge: (left: S, right: S) => S;
}

/**
 * What a window computes: a fold from `I`s to an `O`, its state hidden.
 *
 * @category aggregates
 * @since 0.1.0
 */
// biome-ignore lint/suspicious/noExplicitAny: the hidden state is nobody's business but the aggregate's
export interface Aggregate<in I, out O> extends AggregateSpec<I, O, any> {}

/**
 * An aggregate whose states can be put together, as merging windows need.
 *
 * @category aggregates
 * @since 0.1.0
 */
// biome-ignore lint/suspicious/noExplicitAny: the hidden state is nobody's business but the aggregate's
export interface MergeableAggregate<in I, out O> extends MergeableAggregateSpec<I, O, any> {}

/**
 * A fold with hidden state: what a window computes.
 *
 * `add` may change the state and return it. `result` may be called several times (late records re-fire a window), and
 * what it gave must not change afterwards.
 *
 * @typeParam I input. @typeParam O output. @typeParam S state, hidden.
 * @category aggregates
 * @since 0.1.0
 */
// biome-ignore lint/suspicious/noExplicitAny: the hidden state is nobody's business but the aggregate's
export interface Aggregate<in I, out O, in out S = any> {
  /** A fresh state, for each window and key. */
  readonly create: () => S;
  /** The state with `input` in it; `timestamp` is its event time in ms since the epoch. */
  readonly add: (state: S, input: I, timestamp: number) => S;
  readonly result: (state: S) => O;
  /** The state of both; may change and return `left`. Associative. */
  readonly merge?: (left: S, right: S) => S;
  /** Together with `merge`: the order of merging does not matter, so that overlapping windows may share panes (rule V6). */
  readonly commutative?: true;
  /** The exact inverse of `merge`, so that overlapping windows may subtract panes (rule V6). */
  readonly remove?: (state: S, other: S) => S;
}

/**
 * An aggregate whose states can be put together, as merging windows need.
 *
 * @category aggregates
 * @since 0.1.0
 */
// biome-ignore lint/suspicious/noExplicitAny: the hidden state is nobody's business but the aggregate's
export interface MergeableAggregate<in I, out O, in out S = any> extends Aggregate<I, O, S> {
  readonly merge: (left: S, right: S) => S;
}

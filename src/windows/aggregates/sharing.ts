import type { MergeableAggregate, MergeableAggregateSpec } from './aggregate.js';

/** What an aggregate of several parts may say of its states. */
type Sharing<S> = Pick<MergeableAggregateSpec<never, unknown, S>, 'commutative' | 'remove' | 'removable'>;

/** What overlapping windows may do with the states of an aggregate of several parts: what they may with those of all of them. */
export function sharing<I, S>(parts: ReadonlyArray<MergeableAggregate<I, unknown>>, removing: Sharing<S>): Sharing<S> {
  if (!parts.every((part) => part.commutative === true)) return {};
  return parts.every((part) => part.remove !== undefined) ? { commutative: true, ...removing } : { commutative: true };
}

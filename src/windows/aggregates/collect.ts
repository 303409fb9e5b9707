import type { MergeableAggregate, MergeableAggregateSpec } from './aggregate.js';

interface Collected<I> {
  items: I[];
  /** A result holds `items`: copy them before the next change. */
  given: boolean;
}

/**
 * All records, in the order of their arrival (rule V8). Memory grows with the records of a window.
 *
 * @category aggregates
 * @since 0.1.0
 */
export function collect<I>(): MergeableAggregate<I, ReadonlyArray<I>> {
  const aggregate: MergeableAggregateSpec<I, ReadonlyArray<I>, Collected<I>> = {
    create: () => ({ items: [], given: false }),
    add(state, input) {
      own(state).push(input);
      return state;
    },
    result(state) {
      state.given = true;
      return state.items;
    },
    merge(left, right) {
      const items = own(left);
      for (const item of right.items) items.push(item);
      return left;
    },
  };
  return aggregate;
}

function own<I>(state: Collected<I>): I[] {
  if (state.given) {
    state.items = state.items.slice();
    state.given = false;
  }
  return state.items;
}

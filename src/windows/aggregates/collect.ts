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
  return COLLECT as MergeableAggregate<unknown, ReadonlyArray<never>>;
}

const COLLECT: MergeableAggregateSpec<unknown, ReadonlyArray<unknown>, Collected<unknown>> = {
  kind: 'collect',
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

function own<I>(state: Collected<I>): I[] {
  if (state.given) {
    state.items = state.items.slice();
    state.given = false;
  }
  return state.items;
}

import type { MergeableAggregate, MergeableAggregateSpec } from './aggregate.js';
import { sharing } from './sharing.js';

interface Two {
  first: unknown;
  second: unknown;
}

/** What `struct` is for two parts, the most usual: a state with two fields costs a quarter of a list of states and its loops. */
export function structOfTwo<I, O extends object>(
  names: ReadonlyArray<string>,
  first: MergeableAggregate<I, unknown>,
  second: MergeableAggregate<I, unknown>,
): MergeableAggregateSpec<I, O, Two> {
  const [one = '', two = ''] = names;
  const empty: Readonly<Record<string, unknown>> = { [one]: undefined, [two]: undefined }; // copied, as in `struct`
  return {
    kind: 'struct',
    create: () => ({ first: first.create(), second: second.create() }),
    add(state, input, timestamp) {
      state.first = first.add(state.first, input, timestamp);
      state.second = second.add(state.second, input, timestamp);
      return state;
    },
    result(state) {
      const result = { ...empty };
      result[one] = first.result(state.first);
      result[two] = second.result(state.second);
      return result as O;
    },
    merge(left, right) {
      left.first = first.merge(left.first, right.first);
      left.second = second.merge(left.second, right.second);
      return left;
    },
    ...sharing<I, Two>([first, second], {
      remove(state, other) {
        state.first = first.remove?.(state.first, other.first);
        state.second = second.remove?.(state.second, other.second);
        return state;
      },
      removable: (state) => first.removable?.(state.first) !== false && second.removable?.(state.second) !== false,
    }),
  };
}

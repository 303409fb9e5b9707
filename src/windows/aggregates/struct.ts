import { refuse } from '../../time/assert.js';
import type { MergeableAggregate, MergeableAggregateSpec } from './aggregate.js';
import { sharing } from './sharing.js';
import { structOfTwo } from './structOfTwo.js';

/**
 * Several aggregates side by side, in one pass.
 *
 * ```ts
 * const summary = aggregates.struct({ n: aggregates.count(), mean: aggregates.mean((celsius: number) => celsius) });
 * from([record(20, 1), record(23, 2)]).pipe(
 *   tumblingWindow(10, summary),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // { n: 2, mean: 21.5 }
 * ```
 *
 * **Cost**: that of the parts, and one object a window and key (two parts) or one array.
 *
 * @throws TypeError at once, if a part is no mergeable aggregate.
 * @category aggregates
 * @since 0.1.0
 */
export function struct<I, O extends object>(
  parts: { readonly [P in keyof O]: MergeableAggregate<I, O[P]> } & {
    // lets the inputs of the parts be inferred one by one
    readonly [name: string]: MergeableAggregate<I, unknown>;
  },
): MergeableAggregate<I, O> {
  const names = Object.keys(parts);
  const folds = names.map((name) => {
    const part = (parts as Record<string, MergeableAggregate<I, unknown>>)[name];
    if (typeof part?.merge !== 'function') throw refuse('struct', name, part, 'a mergeable aggregate');
    return part;
  });
  const size = folds.length;
  const [first, second] = folds;
  if (first !== undefined && second !== undefined && size === 2) return structOfTwo(names, first, second);
  const blank: unknown[] = folds.map(() => undefined);
  const empty = Object.fromEntries(names.map((name) => [name, undefined])); // copied, as that is cheaper than to begin with {}
  const aggregate: MergeableAggregateSpec<I, O, unknown[]> = {
    kind: 'struct',
    create() {
      const states = blank.slice(); // no longer than it has to be
      for (let i = 0; i < size; i++) states[i] = (folds[i] as MergeableAggregate<I, unknown>).create();
      return states;
    },
    add(states, input, timestamp) {
      for (let i = 0; i < size; i++) {
        states[i] = (folds[i] as MergeableAggregate<I, unknown>).add(states[i], input, timestamp);
      }
      return states;
    },
    result(states) {
      const result: Record<string, unknown> = { ...empty };
      for (let i = 0; i < size; i++) {
        result[names[i] as string] = (folds[i] as MergeableAggregate<I, unknown>).result(states[i]);
      }
      return result as O;
    },
    merge(left, right) {
      for (let i = 0; i < size; i++) left[i] = (folds[i] as MergeableAggregate<I, unknown>).merge(left[i], right[i]);
      return left;
    },
    ...sharing<I, unknown[]>(folds, {
      remove(states, others) {
        for (let i = 0; i < size; i++) states[i] = folds[i]?.remove?.(states[i], others[i]);
        return states;
      },
      removable: (states) => folds.every((part, i) => part.removable?.(states[i]) !== false),
    }),
  };
  return aggregate;
}

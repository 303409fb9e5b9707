import type { EventStream } from '../internal/eventStream.js';
import { type KeyOf, type UnionConfig, unionArguments, unionOf, type ValueOf } from './shared/UnionStage.js';

/**
 * `union` inside a pipe: the source's records and those of the others as they come, with the least of their watermarks.
 *
 * **Time**, **State**, **Completion and errors**: as `union`, of which the source is the first input.
 *
 * ```ts
 * const source$ = from([record('a', 1), watermark(5)]);
 * source$.pipe(unionWith(from([record('b', 8)]))); // record('a', 1), record('b', 8), watermark(MAX_TIMESTAMP)
 * ```
 *
 * @throws TypeError at once, if one of the others is no observable.
 * @see `union`; Flink's union.
 * @category combining
 * @since 0.1.0
 */
// biome-ignore lint/suspicious/noExplicitAny: streams of any values and keys, read off by the result
export function unionWith<S extends ReadonlyArray<EventStream<any, any>>>(
  ...others: S
): <A, K>(source: EventStream<A, K>) => EventStream<A | ValueOf<S[number]>, K | KeyOf<S[number]>>;
// biome-ignore lint/suspicious/noExplicitAny: as above
export function unionWith<S extends ReadonlyArray<EventStream<any, any>>>(
  ...othersAndConfig: readonly [...others: S, config: UnionConfig]
): <A, K>(source: EventStream<A, K>) => EventStream<A | ValueOf<S[number]>, K | KeyOf<S[number]>>;
export function unionWith(
  ...given: ReadonlyArray<EventStream<unknown, unknown> | UnionConfig>
): (source: EventStream<unknown, unknown>) => EventStream<unknown, unknown> {
  const { streams, keeper } = unionArguments('unionWith', given);
  return (source) => unionOf([source, ...streams], keeper);
}

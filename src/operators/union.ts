import type { EventStream } from '../internal/eventStream.js';
import { type KeyOf, type UnionConfig, unionArguments, unionOf, type ValueOf } from './shared/UnionStage.js';

/**
 * The records of all streams as they come, with one sense of time: the watermark is the least of theirs.
 *
 * **Time**: a watermark comes when the last of the inputs that are waited for has reached it, so a stream that says nothing
 * holds all others: give it `withIdleness`. An idle input is not waited for; when it comes back behind the output it is not
 * until it has caught up, and its records are late meanwhile. When all are idle the output goes to the greatest watermark of
 * all, and is idle. One that has ended, or given `MAX_TIMESTAMP`, drops out.
 * **State**: a number or two for each input. With an {@link alignment}, what waits.
 * **Completion and errors**: `MAX_TIMESTAMP` when all inputs have finished, completion when all have completed. The error of
 * one is the error of all, at once. Of no streams: `MAX_TIMESTAMP`, and the end.
 *
 * ```ts
 * const slow$ = from([record('a', 1), watermark(5)]);
 * const fast$ = from([record('b', 8), watermark(9)]);
 * union(slow$, fast$); // record('a', 1), record('b', 8), watermark(9), watermark(MAX_TIMESTAMP)
 * ```
 *
 * Here the first stream has ended before the second begins, and nothing waits for it.
 *
 * **Cost**: a record costs what it costs in `merge`; a watermark, a walk over the inputs when the output rises.
 *
 * @throws TypeError at once, if one of the streams is no observable.
 * @see `unionWith` inside a pipe, `unionAll` for inputs that come and go; Flink's union.
 * @category combining
 * @since 0.1.0
 */
// biome-ignore lint/suspicious/noExplicitAny: streams of any values and keys, read off by the result
export function union<S extends ReadonlyArray<EventStream<any, any>>>(
  ...streams: S
): EventStream<ValueOf<S[number]>, KeyOf<S[number]>>;
// biome-ignore lint/suspicious/noExplicitAny: as above
export function union<S extends ReadonlyArray<EventStream<any, any>>>(
  ...streamsAndConfig: readonly [...streams: S, config: UnionConfig]
): EventStream<ValueOf<S[number]>, KeyOf<S[number]>>;
export function union(...given: ReadonlyArray<EventStream<unknown, unknown> | UnionConfig>): EventStream<unknown, unknown> {
  const { streams, keeper } = unionArguments('union', given);
  return unionOf(streams, keeper);
}

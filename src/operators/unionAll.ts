import type { OperatorFunction } from 'rxjs';
import type { StreamElement } from '../element/element.js';
import type { EventStream } from '../internal/eventStream.js';
import { keeperOf, type UnionConfig, unionOfAll } from './shared/UnionStage.js';

/**
 * `union` of streams that come and go: each stream that the source brings joins, and leaves when it completes.
 *
 * **Time**: as `union`. A stream that joins stands before all time and holds the watermark where it is until it has given one
 * of its own that is greater; what went out is never taken back. While there is no stream at all, nothing is said.
 * **State**: a number or two for each stream that is there.
 * **Completion and errors**: `MAX_TIMESTAMP` and completion when the source and all that joined have completed. An error of
 * any of them passes at once, and lets go of all.
 *
 * ```ts
 * const rooms$ = of(from([record('hello', 1), watermark(5)]), from([record('hi', 3), watermark(4)]));
 * rooms$.pipe(unionAll()); // record('hello', 1), watermark(5), record('hi', 3), watermark(MAX_TIMESTAMP)
 * ```
 *
 * @see `union` for streams that are known from the start.
 * @category combining
 * @since 0.1.0
 */
export function unionAll<A, K>(config: UnionConfig = {}): OperatorFunction<EventStream<A, K>, StreamElement<A, K>> {
  const keeper = keeperOf('unionAll', config);
  return (source) => unionOfAll(source, keeper);
}

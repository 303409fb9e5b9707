import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js';
import type { These } from 'fp-ts/lib/These.js';
import type { OperatorFunction } from 'rxjs';
import type { StreamElement } from '../element/element.js';
import type { Same } from '../element/same.js';
import type { EventStream } from '../internal/eventStream.js';
import type { WindowResult } from '../windows/result.js';
import { type Sides, type SidesAssigner, type WindowJoinConfig, windowJoin } from './shared/windowJoin.js';

/**
 * The records of both streams that have the same key and lie in the same window, each side as an array: one result a key and
 * window, also where only one side has records.
 *
 * **Time**, **State**, **Late records**, **Completion and errors**: as `windowJoinWith`. Each side is in the order of arrival.
 *
 * ```ts
 * const left$ = fromElements(record('a', 1), record('b', 5));
 * const right$ = fromElements(record('x', 3), record('y', 12));
 * left$.pipe(
 *   coGroupWith(right$, assigners.tumbling(10)),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // { _tag: 'Both', left: ['a', 'b'], right: ['x'] }, { _tag: 'Right', right: ['y'] }
 * ```
 *
 * @param right the other stream, with keys of the same type.
 * @param assigner any; sessions grow from the records of both sides.
 * @throws RangeError or TypeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError` for
 * a record without a time, in event time.
 * @see Flink's coGroup, Beam's CoGroupByKey.
 * @category combining
 * @since 0.1.0
 */
export function coGroupWith<L, R, K, W>(
  right: EventStream<R, K>,
  assigner: SidesAssigner<Same<L>, Same<R>, W>,
  config: WindowJoinConfig<Same<L>, Same<R>, Same<K>, Same<W>> = {},
): OperatorFunction<StreamElement<L, K>, StreamElement<WindowResult<These<NonEmptyArray<L>, NonEmptyArray<R>>, K, W>>> {
  return windowJoin<L, R, K, W, These<NonEmptyArray<L>, NonEmptyArray<R>>>('coGroupWith', right, assigner, config, grouped);
}

function grouped<L, R>({ left, right }: Sides<L, R>): ReadonlyArray<These<NonEmptyArray<L>, NonEmptyArray<R>>> {
  const lefts = left.length > 0 ? (left as NonEmptyArray<L>) : undefined;
  const rights = right.length > 0 ? (right as NonEmptyArray<R>) : undefined;
  if (lefts === undefined) return rights === undefined ? [] : [{ _tag: 'Right', right: rights }];
  return [rights === undefined ? { _tag: 'Left', left: lefts } : { _tag: 'Both', left: lefts, right: rights }];
}

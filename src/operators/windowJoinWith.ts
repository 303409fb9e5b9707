import type { OperatorFunction } from 'rxjs';
import type { StreamElement } from '../element/element.js';
import type { Same } from '../element/same.js';
import type { EventStream } from '../internal/eventStream.js';
import { assertOneOf } from '../time/assert.js';
import type { WindowResult } from '../windows/result.js';
import { type Joined, type JoinKind, KINDS, shapeOf } from './shared/joinShapes.js';
import { type Sides, type SidesAssigner, type WindowJoinConfig, windowJoin } from './shared/windowJoin.js';

/**
 * All pairs of a record and a record of another stream that have the same key and lie in the same window. With a `kind`, also
 * the records of windows in which the other side has none.
 *
 * **Time**: as `windowBy` over both streams together: a window fires when the smaller watermark of both reaches its end − 1
 * (that of `union`: an idle side is not waited for), and again with *all* its pairs for each record that comes within the
 * allowed lateness. The pairs of a window come in the order of the left records, for each in the order of the right ones;
 * a pair that shares two windows comes in each.
 * **State**: the records of the open windows. **Late records**: late for all windows → `lateTo` of its side, counted as
 * `late`. **Completion and errors**: when both sides have ended all open windows fire, then come `MAX_TIMESTAMP` and completion.
 * The error of either side passes at once.
 *
 * ```ts
 * const left$ = fromElements(record('a', 1), record('b', 5));
 * const right$ = fromElements(record('x', 3), record('y', 12));
 * left$.pipe(
 *   windowJoinWith(right$, assigners.tumbling(10)),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // ['a', 'x'], ['b', 'x']
 * ```
 *
 * **Cost**: pairs are made anew at each firing; a window with many records on both sides gives their product.
 *
 * @param right the other stream, with keys of the same type.
 * @param assigner any; sessions grow from the records of both sides.
 * @throws RangeError or TypeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError` for
 * a record without a time, in event time.
 * @see `intervalJoinWith` for pairs that come at once, `coGroupWith` for both sides of a window as arrays. Flink's window join,
 * the window joins of SQL.
 * @category combining
 * @since 0.1.0
 */
export function windowJoinWith<L, R, K, W, J extends JoinKind = 'inner'>(
  right: EventStream<R, K>,
  assigner: SidesAssigner<Same<L>, Same<R>, W>,
  config: WindowJoinConfig<Same<L>, Same<R>, Same<K>, Same<W>> & { readonly kind?: J } = {},
): OperatorFunction<StreamElement<L, K>, StreamElement<WindowResult<Joined<L, R>[J], K, W>>> {
  const { kind = 'inner' as J, ...rest } = config;
  assertOneOf('windowJoinWith', 'kind', kind, KINDS);
  return windowJoin<L, R, K, W, Joined<L, R>[J]>('windowJoinWith', right, assigner, rest, pairsOf<L, R, J>(kind));
}

function pairsOf<L, R, J extends JoinKind>(kind: J): (sides: Sides<L, R>) => ReadonlyArray<Joined<L, R>[J]> {
  const shape = shapeOf<L, R, J>(kind);
  return ({ left, right }) => {
    if (right.length === 0) return shape.left === undefined ? [] : left.map(shape.left);
    if (left.length === 0) return shape.right === undefined ? [] : right.map(shape.right);
    return left.flatMap((l) => right.map((r) => shape.pair(l, r)));
  };
}

import type { OperatorFunction } from 'rxjs';
import { type AsOfDirection, AsOfJoinCore, type AsOfOptions } from '../core/AsOfJoinCore.js';
import type { StreamElement } from '../element/element.js';
import type { Same } from '../element/same.js';
import type { Counters } from '../internal/counters.js';
import type { EventStream } from '../internal/eventStream.js';
import { assertMs, assertOneOf, assertStream } from '../time/assert.js';
import { join } from './shared/JoinStage.js';
import type { LateSides } from './shared/joinConfig.js';
import { type Joined, shapeOf } from './shared/joinShapes.js';

/**
 * Which record of the other stream an as-of join takes.
 *
 * @category combining
 * @since 0.1.0
 */
export interface AsOfJoinConfig<L, R, K> {
  /** The last one before (`'backward'`, the default), the first one after (`'forward'`), or the nearer of these; of two as near, the one before. */
  readonly direction?: AsOfDirection;
  /** ms that it may be away, inclusive; ≥ 0, default `Infinity`. */
  readonly tolerance?: number;
  /** May it have the same time? Default true. */
  readonly allowExactMatches?: boolean;
  /** Where late records go; default nowhere (they are counted). */
  readonly lateTo?: LateSides<L, R, K>;
  /** Counts `records` and `late`. */
  readonly counters?: Counters;
}

/**
 * Each record with the one record of another stream that has the same key and is nearest in time, if there is one within
 * the tolerance: the last quote before a trade, the next measurement after an event.
 *
 * **Time**: every record of the left comes out once, with its own time, when the watermark proves that no nearer partner can
 * come; in the order of their times, so that a record waits for those of its key before it. Backward that is when the
 * watermark reaches the record. Looking ahead it is later, so the watermark stays behind the first record that waits: to the
 * end, if there is no tolerance and nothing follows. The watermark is the smaller one of both sides, an idle side left out. Of partners with equal times the last one to come counts
 * backward, the first one forward.
 * **State**: the records that wait; on the other side, of each key, the last record that the watermark has reached (for as long
 * as the tolerance allows) and all after it. Without a tolerance one record a key stays to the end.
 * **Late records**: behind the watermark, on either side → `lateTo`, counted as `late`.
 * **Completion and errors**: when both sides have ended all that waits comes, then `MAX_TIMESTAMP`, then completion. The error
 * of either side passes at once.
 *
 * ```ts
 * const trades$ = fromElements(keyedRecord('buy', 15, 'ACME'), keyedRecord('sell', 3, 'ACME'));
 * const quotes$ = fromElements(keyedRecord(101, 10, 'ACME'), keyedRecord(102, 20, 'ACME'));
 * trades$.pipe(
 *   asOfJoinWith(quotes$),
 *   toValues(),
 *   map(([trade, quote]) => `${trade} at ${O.isSome(quote) ? quote.value : 'no price'}`),
 * ); // 'sell at no price', 'buy at 101'
 * ```
 *
 * @param right the other stream, with keys of the same type.
 * @throws RangeError or TypeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError` for
 * a record without a time.
 * @see `temporalJoinWith` for tables that change; the as-of joins of Pathway, kdb+ and pandas.
 * @category combining
 * @since 0.1.0
 */
export function asOfJoinWith<L, R, K>(
  right: EventStream<R, K>,
  config: AsOfJoinConfig<Same<L>, Same<R>, Same<K>> = {},
): OperatorFunction<StreamElement<L, K>, StreamElement<Joined<L, R>['left'], K>> {
  const name = 'asOfJoinWith';
  const { direction = 'backward', tolerance = Infinity, allowExactMatches = true } = config;
  assertStream(name, 'right', right);
  assertOneOf(name, 'direction', direction, ['backward', 'forward', 'nearest']);
  assertMs(name, 'tolerance', tolerance, 0, true);
  const options: AsOfOptions<R> = { name, direction, tolerance, exact: allowExactMatches, unmatched: true, gone: undefined };
  return join(right, shapeOf<L, R, 'left'>('left'), config, (sink) => new AsOfJoinCore(options, sink));
}

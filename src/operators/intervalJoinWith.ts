import type { OperatorFunction } from 'rxjs';
import { IntervalJoinCore, type IntervalJoinOptions, type JoinTime } from '../core/IntervalJoinCore.js';
import type { StreamElement } from '../element/element.js';
import type { Same } from '../element/same.js';
import type { Counters } from '../internal/counters.js';
import type { EventStream } from '../internal/eventStream.js';
import { assertMs, assertObject, assertOneOf, assertStream, refuse } from '../time/assert.js';
import { join } from './shared/JoinStage.js';
import type { LateSides } from './shared/joinConfig.js';
import { type Joined, type JoinKind, KINDS, shapeOf } from './shared/joinShapes.js';

/**
 * What an interval join joins.
 *
 * @category combining
 * @since 0.1.0
 */
export interface IntervalJoinConfig<L, R, K> {
  /** The least that right − left may be, in ms; negative for rows on the right that come first. */
  readonly lower: number;
  /** The most that right − left may be, in ms; ≥ `lower`. */
  readonly upper: number;
  /** Leave `lower` itself out; default false. */
  readonly lowerExclusive?: boolean;
  /** Leave `upper` itself out; default false. */
  readonly upperExclusive?: boolean;
  /** ms behind the watermark that a record may be; ≥ 0, default 0. Rows are kept for so much longer. */
  readonly allowedLateness?: number;
  /** The timestamp of a pair: the greater of both (`'max'`, the default), or that of one side, which holds the watermark back. */
  readonly resultTime?: JoinTime;
  /** Where late records go; default nowhere (they are counted). */
  readonly lateTo?: LateSides<L, R, K>;
  /** Counts `records` and `late`. */
  readonly counters?: Counters;
}

/**
 * Pairs each record with the records of another stream that have the same key and a time within an interval around its
 * own: `left + lower ≤ right ≤ left + upper`. With a `kind`, also the records that remain without a partner.
 *
 * **Time**: a pair comes as soon as both are there, stamped with the greater time. A record without a partner comes, with its
 * own time, when the watermark proves that it remains so: `'left'` gives `[L, Option<R>]`, `'right'` `[Option<L>, R]`,
 * `'full'` `These<L, R>`. The watermark is the smaller one of both sides, an idle side left out. Where results may be earlier
 * than it (records without a partner, a `resultTime` of one side), it is held back by as much: `upper` ms for the left,
 * `−lower` for the right, and the lateness for those without a partner.
 * **State**: the records of both sides, a left one until the watermark reaches its time + `upper`, a right one until its time
 * − `lower` (each at least until it reaches the record itself), plus the lateness. The watermark alone takes them away, also
 * when one side is silent and idle.
 * **Late records**: behind the watermark by more than the lateness → `lateTo`, counted as `late`; in no pair, and not among
 * those without a partner. At the watermark is not late, unlike in windows.
 * **Completion and errors**: when both sides have ended the records without a partner come, then `MAX_TIMESTAMP`, then
 * completion. The error of either side passes at once.
 *
 * ```ts
 * const orders$ = fromElements(keyedRecord('order 1', 0, 1), keyedRecord('order 2', 10, 2));
 * const payments$ = fromElements(keyedRecord('paid 1', 30, 1));
 * orders$.pipe(
 *   intervalJoinWith(payments$, { kind: 'left', lower: 0, upper: minutes(15) }),
 *   toValues(),
 *   map(([order, payment]) => `${order}: ${O.isSome(payment) ? payment.value : 'not paid'}`),
 * ); // 'order 1: paid 1', 'order 2: not paid'
 * ```
 *
 * **Cost**: a record costs a search by halving among those of its key on the other side, and its partners.
 *
 * @param right the other stream, with keys of the same type.
 * @throws RangeError or TypeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError` for
 * a record without a time.
 * @see Flink's intervalJoin (`between`), the interval joins of SQL, Kafka Streams' `JoinWindows` (before and after).
 * @category combining
 * @since 0.1.0
 */
export function intervalJoinWith<L, R, K, J extends JoinKind = 'inner'>(
  right: EventStream<R, K>,
  config: IntervalJoinConfig<Same<L>, Same<R>, Same<K>> & { readonly kind?: J },
): OperatorFunction<StreamElement<L, K>, StreamElement<Joined<L, R>[J], K>> {
  const name = 'intervalJoinWith';
  assertObject(name, 'config', config);
  const { kind = 'inner' as J, allowedLateness = 0, resultTime = 'max' } = config;
  assertStream(name, 'right', right);
  assertBound(name, 'lower', config.lower);
  assertBound(name, 'upper', config.upper);
  assertMs(name, 'allowedLateness', allowedLateness, 0);
  assertOneOf(name, 'kind', kind, KINDS);
  assertOneOf(name, 'resultTime', resultTime, ['max', 'left', 'right']);
  // an exclusive bound is the inclusive one a millisecond nearer, for the match and for the cleanup
  const lower = config.lower + (config.lowerExclusive === true ? 1 : 0);
  const upper = config.upper - (config.upperExclusive === true ? 1 : 0);
  if (lower > upper) throw refuse(name, 'upper', config.upper, `above lower (${config.lower}) with room for a whole ms`);
  const shape = shapeOf<L, R, J>(kind);
  const unmatched = { left: shape.left !== undefined, right: shape.right !== undefined };
  const options: IntervalJoinOptions = { name, lower, upper, allowedLateness, resultTime, unmatched };
  return join(right, shape, config, (sink) => new IntervalJoinCore(options, sink));
}

/** Bounds are finite: what is kept for ever would be all. */
function assertBound(where: string, name: string, value: number): void {
  if (!Number.isSafeInteger(value)) throw refuse(where, name, value, 'a whole number of ms');
}

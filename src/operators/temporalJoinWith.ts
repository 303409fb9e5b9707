import type { OperatorFunction } from 'rxjs';
import { AsOfJoinCore, type AsOfOptions } from '../core/AsOfJoinCore.js';
import type { StreamElement } from '../element/element.js';
import type { Same } from '../element/same.js';
import type { Counters } from '../internal/counters.js';
import type { EventStream } from '../internal/eventStream.js';
import { assertFunction, assertOneOf, assertStream } from '../time/assert.js';
import { join } from './shared/JoinStage.js';
import type { LateSides } from './shared/joinConfig.js';
import { type Joined, shapeOf } from './shared/joinShapes.js';

/**
 * How a table is read.
 *
 * @category combining
 * @since 0.1.0
 */
export interface TemporalJoinConfig<L, R, K> {
  /** Does this record of the table delete its key, from its time on? Default: none does. */
  readonly isDelete?: (version: R) => boolean;
  /** Where late records go; default nowhere (they are counted). */
  readonly lateTo?: LateSides<L, R, K>;
  /** Counts `records` and `late`. */
  readonly counters?: Counters;
}

/**
 * Each record with the version of its key that a table had at the record's time: orders with the exchange rate of their
 * minute, clicks with the campaign that ran then. The table is a stream of versions; a version counts from its time until that
 * of the next version of its key, or of its deletion.
 *
 * **Time**: every record comes out when the watermark reaches it, with its own time and in the order of times: then all
 * versions up to there are known. So the watermark of the table has to go on although the table rarely changes: give it
 * `withIdleness`, or watermarks of its own. With `kind: 'inner'` (the default) records without a version are left out, with
 * `'left'` they come with `None`.
 * **State**: the records that wait; of each key of the table the version that counts at the watermark, and those after it.
 * A key that is deleted leaves nothing.
 * **Late records**: behind the watermark, on either side → `lateTo`, counted as `late`. (Flink takes late versions; then the
 * answer would depend on the order of arrival.)
 * **Completion and errors**: when both sides have ended all that waits comes, then `MAX_TIMESTAMP`, then completion. The error
 * of either side passes at once.
 *
 * ```ts
 * const orders$ = fromElements(keyedRecord(100, 5, 'EUR'), keyedRecord(100, 15, 'EUR'), keyedRecord(100, 25, 'EUR'));
 * const rates$ = fromElements(keyedRecord(1.1, 0, 'EUR'), keyedRecord(1.2, 10, 'EUR'), keyedRecord(0, 20, 'EUR'));
 * orders$.pipe(
 *   temporalJoinWith(rates$, { isDelete: (rate) => rate === 0 }),
 *   toValues(),
 *   map(([amount, rate]) => Math.round(amount * rate)),
 * ); // 110, 120
 * ```
 *
 * @param table the versions, keyed as the records are.
 * @throws TypeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError` for a record
 * without a time; what `isDelete` throws.
 * @see `asOfJoinWith` for tolerances and the other direction. Flink's event-time temporal join, `FOR SYSTEM_TIME AS OF`;
 * Kafka Streams' versioned tables.
 * @category combining
 * @since 0.1.0
 */
export function temporalJoinWith<L, R, K, J extends 'inner' | 'left' = 'inner'>(
  table: EventStream<R, K>,
  config: TemporalJoinConfig<Same<L>, Same<R>, Same<K>> & { readonly kind?: J } = {},
): OperatorFunction<StreamElement<L, K>, StreamElement<Joined<L, R>[J], K>> {
  const name = 'temporalJoinWith';
  const { kind = 'inner' as J, isDelete } = config;
  assertStream(name, 'table', table);
  assertOneOf(name, 'kind', kind, ['inner', 'left']);
  if (isDelete !== undefined) assertFunction(name, 'isDelete', isDelete);
  const options: AsOfOptions<R> = {
    name,
    direction: 'backward',
    tolerance: Infinity,
    exact: true,
    unmatched: kind === 'left',
    gone: isDelete as ((version: R) => boolean) | undefined,
  };
  return join(table, shapeOf<L, R, J>(kind), config, (sink) => new AsOfJoinCore(options, sink));
}

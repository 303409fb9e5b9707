import type { OperatorFunction, SchedulerLike, Subscriber } from 'rxjs';
import { MAX_TIMESTAMP, type StreamElement } from '../element/element.js';
import type { Same } from '../element/same.js';
import type { Counters } from '../internal/counters.js';
import { operate } from '../internal/operate.js';
import { assertFunction } from '../time/assert.js';
import { toTimestamp } from '../time/timestamp.js';
import { assertStrategy } from '../watermarks/enrich.js';
import type { StampedGenerator, StampedStrategy, WatermarkStrategy } from '../watermarks/strategy.js';
import { AssignStage, assertInterval } from './shared/AssignStage.js';

/** What `reassignWatermarks` does besides making new watermarks. */
export interface ReassignConfig<A> {
  /** The new event time in ms since the epoch; `previous` is the old one, `MIN_TIMESTAMP` if there was none. Default: keep it. */
  readonly timestamp?: (value: Same<A>, previous: number) => number;
  /** ms between ticks; default 200. `'record'`: asked after every record. `Infinity`: no ticks. */
  readonly interval?: number | 'record';
  /** Clock and ticks; default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike;
  /** Counts `records` and `held`. */
  readonly counters?: Counters;
}

/**
 * Gives a stream that has event time another one: new timestamps if asked, and new watermarks.
 *
 * **Time**: upstream's watermarks and idleness are swallowed, but for the final one; the rest is as in
 * `assignWatermarks`. **State**: the generator's. **Completion and errors**: at completion the strategy is asked once
 * more, then come `MAX_TIMESTAMP` and completion; an error passes at once.
 *
 * ```ts
 * from([record('a', 1_000), watermark(999), record('b', 2_000)]).pipe(
 *   reassignWatermarks(ascendingTimestamps(), { timestamp: (_value, previous) => previous + 500, interval: 'record' }),
 * ); // record('a', 1_500), watermark(1_499), record('b', 2_500), watermark(2_499), watermark(MAX_TIMESTAMP)
 * ```
 *
 * @throws RangeError or TypeError at once, if `interval` or `timestamp` is none.
 * Errors in the stream: `InvalidTimestampError`.
 * @see Flink's assignTimestampsAndWatermarks on a stream that has timestamps (rule W11).
 * @category watermarks
 * @since 0.1.0
 */
export function reassignWatermarks<A, K>(
  strategy: WatermarkStrategy<Same<A>>,
  config?: ReassignConfig<A>,
): OperatorFunction<StreamElement<A, K>, StreamElement<A, K>>;
export function reassignWatermarks<A, K>(
  strategy: StampedStrategy<Same<A>>,
  config?: Omit<ReassignConfig<A>, 'timestamp'>,
): OperatorFunction<StreamElement<A, K>, StreamElement<A, K>>;
export function reassignWatermarks<A, K>(
  strategy: WatermarkStrategy<A>,
  config: ReassignConfig<A> = {},
): OperatorFunction<StreamElement<A, K>, StreamElement<A, K>> {
  const { timestamp, interval } = config;
  assertStrategy(NAME, strategy);
  if (timestamp !== undefined) assertFunction(NAME, 'timestamp', timestamp);
  assertInterval(NAME, interval);
  return operate((out) => new ReassignStage(out, strategy, config));
}

const NAME = 'reassignWatermarks';

class ReassignStage<A, K> extends AssignStage<StreamElement<A, K>, A, K> {
  private readonly stamp: ((value: A, previous: number) => number) | undefined;

  constructor(out: Subscriber<StreamElement<A, K>>, strategy: WatermarkStrategy<A>, config: ReassignConfig<A>) {
    super(out, NAME, strategy, config);
    const own = (value: A, previous: number) => (this.generator as StampedGenerator<A>).timestamp(value, previous);
    this.stamp = config.timestamp ?? ((strategy as Partial<StampedStrategy<A>>).stamped === true ? own : undefined);
  }

  protected onNext(element: StreamElement<A, K>): void {
    if (element._tag === 'Watermark') {
      if (element.timestamp === MAX_TIMESTAMP) this.pass(MAX_TIMESTAMP, false);
      return;
    }
    this.counters.records++;
    this.index++;
    const { value, key } = element;
    let timestamp = element.timestamp;
    if (this.stamp !== undefined) {
      const raw = this.stamp(value, timestamp);
      timestamp = toTimestamp(raw);
      if (Number.isNaN(timestamp)) throw this.invalid('timestamp', raw, value);
    }
    this.forward(value, timestamp, key);
  }
}

import type { OperatorFunction, SchedulerLike, Subscriber } from 'rxjs';
import { MIN_TIMESTAMP, type StreamElement } from '../element/element.js';
import type { Same } from '../element/same.js';
import type { Counters } from '../internal/counters.js';
import { BUSY, operate, READY } from '../internal/operate.js';
import { openSink, type Producer, type Sink } from '../internal/sink.js';
import { assertFunction, assertSink, refuse } from '../time/assert.js';
import { toTimestamp } from '../time/timestamp.js';
import { assertStrategy } from '../watermarks/enrich.js';
import type { StampedGenerator, StampedStrategy, WatermarkStrategy } from '../watermarks/strategy.js';
import { AssignStage, assertInterval } from './shared/AssignStage.js';

/** Where values without a usable timestamp go. */
export type InvalidSink<A> = Sink<A>;

/** Everything but the timestamp. */
export interface AssignOptions<A, K = undefined> {
  /** The key of each record; default none. The same as `keyBy` behind it, for nothing. */
  readonly key?: (value: A) => K;
  /** ms between ticks, at which a periodic strategy is asked; default 200. `'record'`: asked after every record (files, replays, tests). `Infinity`: no ticks. */
  readonly interval?: number | 'record';
  /** Clock and ticks; default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike;
  /** Counts `records`, `invalid` and `held`. */
  readonly counters?: Counters;
}

/** How `assignWatermarks` stamps, and what it does besides. */
export interface AssignConfig<A, K = undefined> extends AssignOptions<A, K> {
  /** The event time of a value, in ms since the epoch. A fraction is floored. */
  readonly timestamp: (value: A, index: number) => number;
  /** What to do with a value whose timestamp is no time; default `'error'`. `'forward'`: on without a time (`MIN_TIMESTAMP`), the watermark untouched. */
  readonly onInvalidTimestamp?: 'error' | 'drop' | 'forward' | { readonly dropTo: InvalidSink<A> };
}

/** With a policy for values without a time, `timestamp` may give none. */
export interface LenientAssignConfig<A, K = undefined> extends AssignOptions<A, K> {
  /** The event time of a value, in ms since the epoch, if it has one. A fraction is floored. */
  readonly timestamp: (value: A, index: number) => number | null | undefined;
  /** What to do with a value whose timestamp is no time. */
  readonly onInvalidTimestamp: 'drop' | 'forward' | { readonly dropTo: InvalidSink<A> };
}

/**
 * Stamps plain values with the time at which they happened, and makes the watermarks that say how far time has come.
 *
 * **Time**: each record, then the watermarks it causes. A periodic strategy is asked at every tick of `interval` on
 * `scheduler`; the source is subscribed before the ticks begin, and nothing is scheduled after completion, error or
 * unsubscription. A synchronous source ends before its first tick: use `interval: 'record'` there. Watermarks rise
 * strictly.
 * **State**: the generator's, for one subscription.
 * **Completion and errors**: at completion the strategy is asked once more, then come `MAX_TIMESTAMP` and completion. An
 * error passes at once, without a watermark.
 *
 * ```ts
 * from([{ at: 1_000, user: 'ann' }, { at: 9_000, user: 'bob' }, { at: 7_000, user: 'ann' }]).pipe(
 *   assignWatermarks(boundedOutOfOrderness(3_000), { timestamp: (c) => c.at, key: (c) => c.user, interval: 'record' }),
 *   tumblingWindow(5_000, aggregates.count()),
 *   toValues(),
 *   map(({ key, window, value }) => `${key} ${window.start}: ${value}`),
 * ); // 'ann 0: 1', 'bob 5000: 1', 'ann 5000: 1'
 * ```
 *
 * **Cost**: one element and a few calls a record.
 *
 * @throws RangeError or TypeError at once, if `interval`, `timestamp` or the policy is none.
 * Errors in the stream: `InvalidTimestampError`, unless `onInvalidTimestamp` says otherwise.
 * @see Flink's assignTimestampsAndWatermarks (rules T1, W2–W9).
 * @category watermarks
 * @since 0.1.0
 */
export function assignWatermarks<A, K = undefined>(
  strategy: StampedStrategy<A>,
  config?: AssignOptions<A, K>,
): OperatorFunction<A, StreamElement<A, K>>;
export function assignWatermarks<A, K = undefined>(
  strategy: WatermarkStrategy<Same<A>>,
  config: AssignConfig<A, K> | LenientAssignConfig<A, K>,
): OperatorFunction<A, StreamElement<A, K>>;
export function assignWatermarks<A, K>(
  strategy: WatermarkStrategy<A>,
  config: AssignOptions<A, K> & { readonly timestamp?: Stamp<A>; readonly onInvalidTimestamp?: Policy<A> } = {},
): OperatorFunction<A, StreamElement<A, K>> {
  const { key, timestamp, onInvalidTimestamp: policy = 'error', interval } = config;
  assertStrategy(NAME, strategy);
  if (timestamp !== undefined || (strategy as Partial<StampedStrategy<A>>).stamped !== true)
    assertFunction(NAME, 'timestamp', timestamp);
  if (key !== undefined) assertFunction(NAME, 'key', key);
  assertInterval(NAME, interval);
  const { dropTo } = Object(policy) as { readonly dropTo?: InvalidSink<A> };
  if (dropTo === undefined && !WORDS.includes(policy)) {
    throw refuse(NAME, 'onInvalidTimestamp', policy, "'error', 'drop', 'forward' or { dropTo }");
  }
  assertSink(NAME, 'onInvalidTimestamp.dropTo', dropTo);
  return operate((out) => new AssignValuesStage(out, strategy, config, policy, dropTo));
}

const NAME = 'assignWatermarks';
const WORDS: ReadonlyArray<unknown> = ['error', 'drop', 'forward'];

type Stamp<A> = (value: A, index: number) => number | null | undefined;
type Policy<A> = 'error' | 'drop' | 'forward' | { readonly dropTo: InvalidSink<A> };

class AssignValuesStage<A, K> extends AssignStage<A, A, K> {
  private readonly stamp: Stamp<A>;
  private readonly key: ((value: A) => K) | undefined;
  private readonly invalidTo: Producer<A> | null;

  constructor(
    out: Subscriber<StreamElement<A, K>>,
    strategy: WatermarkStrategy<A>,
    config: AssignOptions<A, K> & { readonly timestamp?: Stamp<A> },
    private readonly policy: Policy<A>,
    dropTo: InvalidSink<A> | undefined,
  ) {
    super(out, NAME, strategy, config);
    this.stamp = config.timestamp ?? ((value) => (this.generator as StampedGenerator<A>).timestamp(value, MIN_TIMESTAMP));
    this.key = config.key;
    this.side = this.invalidTo = openSink(dropTo);
  }

  // the work stands within the guard of `Stage.next`: see there
  override next(value: A): void {
    if (this.phase !== READY) {
      this.deferNext(value);
      return;
    }
    this.phase = BUSY;
    try {
      const { stamp, key } = this;
      this.counters.records++;
      const raw = stamp(value, ++this.index);
      // Most records, in one piece: what `forward` does for a timestamp that is what `toTimestamp` would make of it. Passed on
      // as it is, an engine need not put it into a new box.
      if (this.plain && Number.isSafeInteger(raw) && raw !== 0) {
        this.outlet.record(value, raw as number, key === undefined ? (undefined as K) : key(value));
        if (!this.closed) this.generator.onRecord(value, raw as number, this);
      } else {
        this.take(value, raw);
      }
    } catch (cause) {
      this.fail(this.about(value, cause));
    }
    if (this.phase === BUSY) this.phase = READY;
    else this.drain();
  }

  protected onNext(value: A): void {
    this.phase = READY; // it had to wait, and has its turn
    this.next(value);
  }

  /** Any value, with whatever was said of its time. */
  private take(value: A, raw: unknown): void {
    const timestamp = toTimestamp(raw);
    if (Number.isNaN(timestamp)) this.reject(value, raw);
    else this.forward(value, timestamp, this.keyOf(value));
  }

  private keyOf(value: A): K {
    return this.key === undefined ? (undefined as K) : this.key(value);
  }

  private reject(value: A, raw: unknown): void {
    if (this.policy === 'error') throw this.invalid('timestamp', raw, value);
    this.counters.invalid++;
    if (this.policy === 'forward') this.outlet.record(value, MIN_TIMESTAMP, this.keyOf(value));
    else this.invalidTo?.next(value);
  }
}

import { asyncScheduler, type SchedulerLike, type Subscriber } from 'rxjs';
import { MIN_TIMESTAMP, type StreamElement } from '../../element/element.js';
import { InvalidTimestampError } from '../../element/errors.js';
import { type Counters, countersOf, type LiveCounters } from '../../internal/counters.js';
import { ElementStage } from '../../internal/ElementStage.js';
import { Clock } from '../../schedulers/clock.js';
import { LONGEST_DELAY } from '../../schedulers/delayed.js';
import { periodicTicker } from '../../schedulers/periodicTicker.js';
import { refuse } from '../../time/assert.js';
import { toTimestamp, whyInvalid } from '../../time/timestamp.js';
import type { IdlenessHost, IdleWatch } from '../../watermarks/idleness.js';
import type { WatermarkGenerator, WatermarkOutput, WatermarkStrategy } from '../../watermarks/strategy.js';

/** What both assigners are told. */
export interface AssignerConfig {
  readonly interval?: number | 'record';
  readonly scheduler?: SchedulerLike;
  readonly counters?: Counters;
}

/** Refuses what is no tick interval, when the operator is built. */
export function assertInterval(name: string, interval: number | 'record' = 200): void {
  if (interval === 'record' || interval === Infinity) return;
  if (Number.isSafeInteger(interval) && interval >= 1 && interval <= LONGEST_DELAY) return;
  throw refuse(name, 'interval', interval, `a whole number of ms from 1 to ${LONGEST_DELAY}, Infinity or 'record'`);
}

/**
 * The half of an assigner that makes watermarks: it runs the generator, its ticks, its idleness and its skew guard. What
 * comes in, and how it is stamped, is the subclass's.
 */
export abstract class AssignStage<I, A, K> extends ElementStage<I, A, K> implements WatermarkOutput, IdlenessHost {
  protected readonly counters: LiveCounters;
  protected readonly generator: WatermarkGenerator<A>;
  protected index = -1;
  /** Nothing but the generator wants to know of a record. */
  protected readonly plain: boolean;
  private readonly eachRecord: boolean;
  private readonly period: number; // ms between ticks, Infinity without
  private readonly scheduler: SchedulerLike;
  private readonly clock: Clock;
  private readonly skew: number;
  private readonly idleWatch: IdleWatch | undefined;

  constructor(
    out: Subscriber<StreamElement<A, K>>,
    private readonly name: string,
    strategy: WatermarkStrategy<A>,
    config: AssignerConfig,
  ) {
    super(out);
    const { interval = 200, scheduler = asyncScheduler } = config;
    this.counters = countersOf(config);
    this.generator = strategy.create();
    this.eachRecord = interval === 'record';
    this.period = this.eachRecord ? Infinity : (interval as number);
    this.scheduler = scheduler;
    this.clock = new Clock(scheduler);
    this.skew = strategy.maxFutureSkew ?? Infinity;
    const { idleness } = strategy;
    this.idleWatch = idleness?.watch(idleness.timeout, this.period, this, scheduler);
    this.plain = !this.eachRecord && this.skew === Infinity && this.idleWatch === undefined;
  }

  override onStart(): void {
    this.idleWatch?.start();
    if (this.period < Infinity) this.add(periodicTicker(this.scheduler, this.period, () => this.step(this.tick)));
  }

  private readonly tick = (): void => {
    if (this.idleWatch?.onTick(this.now())) this.markIdle();
    else this.ask();
  };

  /** How far has time come? */
  private ask(): void {
    this.generator.onTick(this.now(), this);
  }

  /** Sends a stamped record on, then what it says about time. */
  protected forward(value: A, timestamp: number, key: K): void {
    this.outlet.record(value, timestamp, key);
    if (this.closed) return; // nobody listens any more: no user code runs for nothing
    if (this.skew < Infinity && timestamp > this.now() + this.skew) {
      this.counters.held++;
      return;
    }
    this.idleWatch?.onRecord();
    try {
      this.generator.onRecord(value, timestamp, this);
      if (this.eachRecord && !this.closed) this.ask();
    } catch (cause) {
      throw this.about(value, cause);
    }
  }

  /** Adds to the error of an invalid watermark by which record it came. To keep each record, in case, would cost every one. */
  protected about(value: A, cause: unknown): unknown {
    const bare = cause instanceof InvalidTimestampError && cause.of === 'watermark' && cause.value === undefined;
    return bare ? this.invalid('watermark', cause.received, value) : cause;
  }

  /** Asks once more, then ends event time. */
  protected override onEnd(): void {
    this.ask();
    this.end();
  }

  emit(raw: number): void {
    if (raw === MIN_TIMESTAMP) return; // says nothing
    const timestamp = toTimestamp(raw);
    if (timestamp > this.time) this.pass(timestamp, false);
    // NaN is above nothing
    else if (Number.isNaN(timestamp)) throw this.invalid('watermark', raw, undefined);
  }

  markIdle(): void {
    this.pass(this.time, true);
  }

  now(): number {
    return this.clock.now();
  }

  protected invalid(of: 'timestamp' | 'watermark', received: unknown, value: unknown): InvalidTimestampError {
    return new InvalidTimestampError(this.name, of, received, value, this.index, whyInvalid(received));
  }
}

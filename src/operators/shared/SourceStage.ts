import { type SchedulerLike, type Subscriber, Subscription, type TeardownLogic } from 'rxjs';
import { MAX_TIMESTAMP, MIN_TIMESTAMP, record, type StreamElement, type StreamRecord, watermark } from '../../element/element.js';
import { InvalidTimestampError } from '../../element/errors.js';
import { ElementStage } from '../../internal/ElementStage.js';
import { Clock } from '../../schedulers/clock.js';
import { IdleCheck } from '../../schedulers/idleCheck.js';
import { periodicTicker } from '../../schedulers/periodicTicker.js';
import { toTimestamp, whyInvalid } from '../../time/timestamp.js';

/** What `run` gets; see `fromSource`. */
export interface SourceContext<A> {
  /** Puts out a value without a timestamp (in ingestion time: stamped with the clock). */
  collect(value: A): void;
  /** Puts out a value that happened at `timestamp`, in ms since the epoch. A fraction is floored. Ingestion and processing time ignore the timestamp. */
  collectWithTimestamp(value: A, timestamp: number): void;
  /** Promises that nothing at or before `timestamp` follows. Ingestion time ignores all but `MAX_TIMESTAMP`, processing time ignores all. */
  emitWatermark(timestamp: number): void;
  /** Says "do not wait for this source", until its next record or watermark. Processing time ignores it. */
  markIdle(): void;
  /** Ends the source: `MAX_TIMESTAMP`, then completion. */
  complete(): void;
  /** Fails the source. */
  error(cause: unknown): void;
  /** The scheduler's clock, in ms; never goes back. */
  now(): number;
  /** Has the source ended, failed, or been unsubscribed? Loops ask here whether to go on. */
  readonly closed: boolean;
}

/** What a source stage is told. */
export interface SourceOptions<A, K> {
  readonly key: ((value: A) => K) | undefined;
  readonly interval: number;
  readonly idleTimeout: number;
  readonly scheduler: SchedulerLike;
}

/**
 * A source at work for one subscriber, without time: Flink's processing-time context. Records carry no timestamp, and
 * whatever is said about time is ignored.
 *
 * `run` is called outside of any step, so that a synchronous source hears at once that downstream has closed; what it
 * gives comes in through `next`, like the elements of every stage.
 */
export class SourceStage<A, K> extends ElementStage<StreamElement<A>, A, K> {
  private over = false;
  protected readonly clock: Clock;

  constructor(
    out: Subscriber<StreamElement<A, K>>,
    private readonly run: (context: SourceContext<A>) => TeardownLogic,
    protected readonly options: SourceOptions<A, K>,
  ) {
    super(out);
    this.clock = new Clock(options.scheduler);
  }

  override onStart(): void {
    try {
      this.add(this.run(this.context()));
    } catch (cause) {
      this.abort(cause);
    }
    if (!this.closed) this.startTimers();
  }
  protected startTimers(): void {}

  protected onNext(element: StreamElement<A>): void {
    if (element._tag === 'Record') this.emit(element);
  }
  protected emit(element: StreamRecord<A>): void {
    const { key } = this.options;
    // without keys K is undefined, and the element is as it should be
    if (key === undefined) this.out.next(element as StreamRecord<A, unknown> as StreamRecord<A, K>);
    else this.outlet.record(element.value, element.timestamp, key(element.value));
  }
  protected override onEnd(): void {
    this.end();
  }
  protected override onFree(): void {
    this.over = true;
  }

  collect(value: A): void {
    this.next(record(value, MIN_TIMESTAMP));
  }
  collectWithTimestamp(value: A, _timestamp: number): void {
    this.collect(value);
  }
  emitWatermark(_timestamp: number): void {}
  markIdle(): void {}

  /** Not the stage itself: users would find a Subscription and an Observer in their hands. */
  private context(): SourceContext<A> {
    const stage = this;
    return {
      collect: (value) => stage.collect(value),
      collectWithTimestamp: (value, timestamp) => stage.collectWithTimestamp(value, timestamp),
      emitWatermark: (timestamp) => stage.emitWatermark(timestamp),
      markIdle: () => stage.markIdle(),
      complete: () => {
        stage.over = true; // known at once, even if the end itself waits for the current step
        stage.complete();
      },
      error: (cause) => {
        stage.over = true;
        stage.error(cause);
      },
      now: () => stage.clock.now(),
      get closed() {
        return stage.over;
      },
    };
  }
}

/** What the two contexts with watermarks share: the source's silence. */
abstract class TimedSourceStage<A, K> extends SourceStage<A, K> {
  protected readonly silence: IdleCheck;

  constructor(
    out: Subscriber<StreamElement<A, K>>,
    run: (context: SourceContext<A>) => TeardownLogic,
    options: SourceOptions<A, K>,
  ) {
    super(out, run, options);
    this.silence = new IdleCheck(options.scheduler, options.idleTimeout, () => this.step(() => this.onIdle()));
    this.add(this.silence);
  }

  protected override startTimers(): void {
    this.silence.start();
  }

  protected override onNext(element: StreamElement<A>): void {
    if (element._tag === 'Watermark' && element.idle) {
      this.onIdle();
      return;
    }
    this.silence.active();
    if (element._tag === 'Watermark') this.onWatermark(element.timestamp);
    else {
      if (this.idle) this.pass(this.time, false); // the first record after silence makes the source active before it
      if (!this.closed) this.onRecord(element);
    }
  }
  protected onRecord(element: StreamRecord<A>): void {
    this.emit(element);
  }
  protected onWatermark(timestamp: number): void {
    this.pass(timestamp, false);
    if (timestamp === MAX_TIMESTAMP) this.silence.unsubscribe();
  }
  /** A source that gave MAX has finished, which is neither active nor idle (rule W6; Flink would say idle). */
  protected onIdle(): void {
    this.pass(this.time, true);
  }

  override markIdle(): void {
    this.next({ _tag: 'Watermark', timestamp: MIN_TIMESTAMP, idle: true });
  }
}

/** Event time: timestamps and watermarks as the source gives them. */
export class EventSourceStage<A, K> extends TimedSourceStage<A, K> {
  private index = -1;
  private current: A | undefined = undefined; // for error messages

  override collect(value: A): void {
    this.index++;
    this.current = value;
    super.collect(value);
  }
  override collectWithTimestamp(value: A, raw: number): void {
    this.index++;
    this.current = value;
    const timestamp = toTimestamp(raw);
    if (Number.isNaN(timestamp)) this.refuse('timestamp', raw);
    else this.next(record(value, timestamp));
  }
  override emitWatermark(raw: number): void {
    const timestamp = raw === MAX_TIMESTAMP || raw === MIN_TIMESTAMP ? raw : toTimestamp(raw);
    if (Number.isNaN(timestamp)) this.refuse('watermark', raw);
    else this.next(watermark(timestamp));
  }
  private refuse(of: 'timestamp' | 'watermark', raw: unknown): void {
    this.abort(new InvalidTimestampError('fromSource', of, raw, this.current, this.index, whyInvalid(raw)));
  }
}

/**
 * Ingestion time: records are stamped with the clock, watermarks are multiples of the interval, given after the first
 * record past the next one due, or by a tick if no record did.
 */
export class IngestionSourceStage<A, K> extends TimedSourceStage<A, K> {
  private due: number; // the next watermark comes with a record or tick after this
  private lastRecord = NaN; // above nothing: ticks find no silence before the first record
  private ticks = new Subscription();

  constructor(
    out: Subscriber<StreamElement<A, K>>,
    run: (context: SourceContext<A>) => TeardownLogic,
    options: SourceOptions<A, K>,
  ) {
    super(out, run, options);
    this.due = options.interval === Infinity ? Infinity : 0; // from 0, as in Flink: the first record gives one
  }

  protected override startTimers(): void {
    super.startTimers();
    const { scheduler, interval } = this.options;
    if (interval === Infinity || this.ticks.closed) return; // closed: run has given MAX
    this.ticks = periodicTicker(scheduler, interval, () => this.step(this.tick));
    this.add(this.ticks);
  }
  private readonly tick = (): void => {
    if (this.idle) return;
    const now = this.clock.now();
    if (now - this.lastRecord > this.options.idleTimeout) {
      this.onIdle();
      this.silence.unsubscribe(); // Flink's checks don't come back either, ticks are enough from now on
    } else {
      this.advance(now);
    }
  };

  protected override onRecord(element: StreamRecord<A>): void {
    this.lastRecord = element.timestamp;
    this.emit(element);
    if (!this.closed) this.advance(element.timestamp);
  }
  private advance(now: number): void {
    if (!(now > this.due)) return;
    const { interval } = this.options;
    const mark = Math.floor(now / interval) * interval;
    this.due = mark + interval;
    this.pass(mark, false);
  }
  protected override onWatermark(timestamp: number): void {
    this.due = Infinity;
    this.ticks.unsubscribe();
    super.onWatermark(timestamp);
  }

  override collect(value: A): void {
    this.next(record(value, this.clock.now()));
  }
  override emitWatermark(timestamp: number): void {
    if (timestamp === MAX_TIMESTAMP) this.next(watermark(timestamp));
  }
}

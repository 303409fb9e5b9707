import {
  type Observable,
  type Observer,
  type SchedulerAction,
  type SchedulerLike,
  Subject,
  type Subscriber,
  Subscription,
} from 'rxjs';
import { MAX_TIMESTAMP, type StreamElement, type StreamRecord } from '../../element/element.js';
import { follow } from '../../internal/follow.js';
import { type ActionOwner, EventTimeScheduler } from '../../schedulers/eventTimeScheduler.js';
import { type SortedConfig, SortedStage } from './SortedStage.js';

/** What an event-time stage is told. */
export interface EventTimeOptions<A, B> {
  readonly use: (values$: Observable<A>, scheduler: SchedulerLike) => Observable<B>;
  readonly perKey: boolean;
  readonly horizon: number;
  readonly forgetAfter: number;
}

/**
 * Operators of RxJS at work on a clock that the records and watermarks of a stream drive.
 *
 * All keys share one clock and one queue of actions, so that what comes out is in the order of event time over all keys. While
 * the stage drives the clock, what comes out of an operator is sent on at once: a step of its own would be at another time.
 */
export class EventTimeStage<A, K, B, L> extends SortedStage<A, K, B, L> {
  readonly clock: EventTimeScheduler = new EventTimeScheduler();
  private readonly runs = new Map<K | undefined, Run<A, K, B, L>>();
  private readonly leaving = new Set<Run<A, K, B, L>>(); // let go, with actions that are pending still
  private open = 0; // runs that have not completed
  private last = -Infinity; // the time of the latest record
  private driving = false;
  private failure: { readonly cause: unknown } | null = null;
  private over = false; // the values have completed, or the only result has

  constructor(
    out: Subscriber<StreamElement<B, L>>,
    private readonly options: EventTimeOptions<A, B>,
    config: SortedConfig<A, K>,
  ) {
    super(out, 'withEventTime', config);
  }

  protected override advance(time: number): void {
    this.seen = time;
    this.sorted.watermark(time);
    this.driving = true;
    try {
      this.drive(time);
      if (time === MAX_TIMESTAMP && !this.closed && !this.over) this.endOfTime();
    } finally {
      this.driving = false;
    }
    if (this.over && time !== MAX_TIMESTAMP && !this.closed) this.onEnd();
  }

  /** Records and actions in the order of time; at equal times records first. */
  private drive(time: number): void {
    while (!this.over) {
      const at = this.clock.next;
      const record = this.sorted.take(Math.min(time, at));
      if (record !== undefined) this.onRecord(record);
      // at the end of time what comes after the last record is not done before the values have completed
      else if (at > time || (time === MAX_TIMESTAMP && this.sorted.size === 0) || !this.clock.runNext(time)) return;
      if (this.halted()) return;
    }
  }

  private halted(): boolean {
    if (this.failure !== null) throw this.failure.cause;
    return this.closed;
  }

  protected onRecord({ key, value, timestamp }: StreamRecord<A, K>): void {
    this.last = timestamp;
    this.clock.moveTo(timestamp);
    const of = this.options.perKey ? key : undefined;
    const run = this.runs.get(of) ?? this.begin(of);
    if (this.failure === null && !this.closed) run.give(value);
  }

  private begin(key: K | undefined): Run<A, K, B, L> {
    const run = new Run<A, K, B, L>(this, key, this.options.perKey ? this.options.forgetAfter : Infinity);
    this.runs.set(key, run);
    this.open++;
    follow(this.options.use(run.values, run), run);
    return run;
  }

  /** The values complete, then the actions that are pending are done until the results have completed, or up to the horizon. */
  private endOfTime(): void {
    this.over = true;
    for (const run of this.runs.values()) {
      run.values.complete();
      if (this.halted()) return;
    }
    const horizon = this.last + this.options.horizon;
    while (this.open > 0 && this.clock.runNext(horizon)) if (this.halted()) return;
    for (const run of this.all()) this.counters.discarded += run.pending;
    this.letAllGo();
  }

  /** A run says something: at once if the stage is driving it, in its turn if it comes from elsewhere. */
  result(key: K | undefined, value: B): void {
    if (this.driving) this.emit(key, value);
    else this.deferResult(key, value);
  }
  private emit(key: K | undefined, value: B): void {
    if (this.closed || this.failure !== null) return;
    this.outlet.record(value, this.clock.now(), key as L);
  }
  private deferResult(key: K | undefined, value: B): void {
    this.step(() => this.emit(key, value)); // a method of its own, for its closure
  }
  failed(cause: unknown): void {
    if (this.driving) this.failure ??= { cause };
    else this.abort(cause);
  }
  completed(): void {
    if (this.driving) this.close();
    else this.step(() => this.close());
  }
  private close(): void {
    this.open--;
    if (this.options.perKey || this.over) return;
    this.over = true;
    if (!this.driving) this.onEnd();
  }

  /** A key has been silent for long enough: its values complete, and what is pending then is done. */
  letGo(run: Run<A, K, B, L>): void {
    if (this.over || this.runs.get(run.key) !== run) return;
    this.runs.delete(run.key);
    this.leaving.add(run);
    run.values.complete();
    run.idle();
  }
  /** Nothing is pending any more of a run that has been let go. */
  gone(run: Run<A, K, B, L>): void {
    if (!this.leaving.delete(run)) return;
    if (!run.closed) this.open--;
    run.unsubscribe();
  }

  private all(): ReadonlyArray<Run<A, K, B, L>> {
    return [...this.runs.values(), ...this.leaving];
  }
  private letAllGo(): void {
    const all = this.all();
    this.runs.clear();
    this.leaving.clear();
    for (const run of all) run.unsubscribe();
  }
  protected override onFree(): void {
    this.letAllGo();
  }
}

/** The operators at work for one key, or for all: their input, their scheduler, and what listens to them. */
class Run<A, K, B, L> extends Subscription implements Observer<B>, SchedulerLike, ActionOwner {
  readonly values: Subject<A> = new Subject();
  pending = 0;
  private latest = -Infinity; // the time of the latest value
  private watched = false; // an action waits for the key to be silent
  private overdue = false; // it has been, but for what is pending

  constructor(
    private readonly stage: EventTimeStage<A, K, B, L>,
    readonly key: K | undefined,
    private readonly forgetAfter: number,
  ) {
    super();
  }

  give(value: A): void {
    const { clock } = this.stage;
    this.latest = clock.now();
    this.overdue = false;
    if (this.forgetAfter !== Infinity && !this.watched) this.watch();
    this.values.next(value);
  }
  private watch(): void {
    this.watched = true;
    const run = this;
    this.stage.clock.schedule(function (this: SchedulerAction<undefined>): void {
      const left = run.latest + run.forgetAfter - run.now();
      if (left > 0) {
        this.schedule(undefined, left);
        return;
      }
      run.watched = false;
      run.overdue = true;
      run.idle();
    }, this.forgetAfter);
  }

  now(): number {
    return this.stage.clock.now();
  }
  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay: number = 0, state?: T): Subscription {
    return this.stage.clock.scheduleFor(this, work, delay, state);
  }
  /** No action is pending. */
  idle(): void {
    if (this.pending > 0) return;
    if (this.overdue) {
      this.overdue = false;
      this.stage.letGo(this);
    } else {
      this.stage.gone(this);
    }
  }

  next(value: B): void {
    if (!this.closed) this.stage.result(this.key, value);
  }
  error(cause: unknown): void {
    if (this.closed) return;
    this.unsubscribe();
    this.stage.failed(cause);
  }
  complete(): void {
    if (this.closed) return;
    this.unsubscribe();
    this.stage.completed();
  }
}

import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';
import { TimeBuffer } from '../core/TimeBuffer.js';
import { TidemarkError } from '../element/errors.js';

/**
 * An action of an event-time scheduler comes again and again at the same time, which will therefore never go on.
 *
 * @category order
 * @since 0.1.0
 */
export class EventTimeStuckError extends TidemarkError {
  readonly _tag = 'EventTimeStuck';
  constructor(
    /** The time at which it stands. */
    readonly timestamp: number,
  ) {
    super(`EventTimeScheduler: an action comes again and again at ${timestamp}; give its period at least 1 ms`);
  }
}

/** How often an action may come again without time going on. */
const STUCK = 10_000;

/** From how many cancelled actions on the queue is cleared of them. */
const MANY = 64;

/** Whose actions are counted apart: a key. */
export interface ActionOwner {
  /** How many of its actions are pending. */
  pending: number;
  /** The last of them has been done or cancelled. */
  idle(): void;
}

/** An action in the queue; without one once it has been cancelled or put off. */
interface Due {
  action: EventTimeAction<unknown> | null;
}

/**
 * A scheduler of RxJS whose clock is event time: it stands still until it is told how far time has got.
 *
 * Hand it to any operator that takes a scheduler. `withEventTime` does that, and drives it by the records and watermarks of a
 * stream; by itself it is a clock for tests and replays.
 *
 * The clock starts at `MIN_TIMESTAMP`, or at the time given. Actions run in the order of their times, those of equal time in
 * the order in which they were scheduled, each at its own time. A delay is whole ms (a fraction is cut off), never below 0;
 * `Infinity` is never.
 *
 * ```ts
 * const scheduler = new EventTimeScheduler(0);
 * interval(10, scheduler).subscribe((n) => console.log(n, scheduler.now()));
 * scheduler.advanceTo(25); // 0 10, 1 20
 * ```
 *
 * **Cost**: a heap of the distinct times. What is cancelled is swept out when it is more than what is pending.
 *
 * @category order
 * @since 0.1.0
 */
export class EventTimeScheduler implements SchedulerLike {
  private time: number;
  private target = -Infinity; // of the run under way
  private running = false;
  private readonly queue = new TimeBuffer<Due>();
  private live = 0;
  private gone = 0; // how many in the queue have been cancelled, about

  constructor(start: number = -Infinity) {
    this.time = start;
  }

  /** Event time: ms since the epoch, as records have it. */
  now(): number {
    return this.time;
  }

  /** How many actions are pending, those that never come included. */
  get pending(): number {
    return this.live;
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay: number = 0, state?: T): Subscription {
    return this.scheduleFor(null, work, delay, state);
  }

  /** Time has got to `time`: does what is due, and stands there. It never goes back. Called from within an action, it takes effect when that is done. */
  advanceTo(time: number): void {
    this.run(time);
    if (!this.running && time > this.time) this.time = time;
  }

  /** The time of the earliest pending action, `Infinity` if there is none. @internal */
  get next(): number {
    for (let first = this.queue.first; first !== undefined; first = this.queue.first) {
      if (first.action !== null) return this.queue.next;
      this.queue.shift();
      this.gone--;
    }
    return Infinity;
  }

  /** Does what is due up to `time`; the clock then stands at the last of it. @internal */
  run(time: number): void {
    if (time > this.target) this.target = time;
    if (this.running) return;
    this.running = true;
    try {
      while (this.runNext(this.target));
    } finally {
      this.running = false;
      this.target = -Infinity;
    }
  }

  /** Does all that is due at the earliest time, if that is ≤ `limit`. @internal */
  runNext(limit: number): boolean {
    const at = this.next;
    if (at > limit || at === Infinity) return false;
    const all: Due[] = []; // what is scheduled meanwhile for the same time comes with the next call
    while (this.queue.next === at) all.push(this.queue.shift() as Due);
    if (at > this.time) this.time = at;
    for (const { action } of all) {
      if (action === null) this.gone--;
      else action.run(at);
    }
    return true;
  }

  /** Moves the clock to the time of a record. @internal */
  moveTo(time: number): void {
    if (time > this.time) this.time = time;
  }

  /** `schedule` for an owner whose actions are counted. @internal */
  scheduleFor<T>(
    owner: ActionOwner | null,
    work: (this: SchedulerAction<T>, state?: T) => void,
    delay: number,
    state?: T,
  ): Subscription {
    return new EventTimeAction<T>(this, owner, work).schedule(state, delay);
  }

  /** @internal */
  enqueue(action: EventTimeAction<unknown>, delay: number): Due {
    this.live++;
    const timestamp = this.time + (delay > 0 ? (delay === Infinity ? delay : Math.floor(delay)) : 0);
    const due: Due = { action };
    if (timestamp !== Infinity) this.queue.add(timestamp, due); // else it never comes
    return due;
  }

  /** @internal */
  done(due: Due, cancelled: boolean): void {
    due.action = null;
    this.live--;
    if (!cancelled || ++this.gone <= MANY || this.gone <= this.live) return;
    this.queue.keep((one) => one.action !== null);
    this.gone = 0;
  }
}

/** Something to do at a time of event time, which may schedule itself again. */
class EventTimeAction<T> extends Subscription implements SchedulerAction<T> {
  private due: Due | null = null;
  private state: T | undefined = undefined;
  private last = NaN; // the time at which it was done last
  private again = 0; // how often it has been done at that time

  constructor(
    private readonly scheduler: EventTimeScheduler,
    private readonly owner: ActionOwner | null,
    private readonly work: (this: SchedulerAction<T>, state?: T) => void,
  ) {
    super();
  }

  schedule(state?: T, delay: number = 0): Subscription {
    if (this.closed) return this;
    this.state = state;
    if (this.due !== null) this.scheduler.done(this.due, true);
    else if (this.owner !== null) this.owner.pending++;
    this.due = this.scheduler.enqueue(this as EventTimeAction<unknown>, delay);
    return this;
  }

  run(time: number): void {
    if (this.due === null) return;
    this.scheduler.done(this.due, false);
    this.due = null;
    this.again = time === this.last ? this.again + 1 : 0;
    this.last = time;
    if (this.again > STUCK) throw new EventTimeStuckError(time);
    try {
      this.work.call(this, this.state);
    } finally {
      this.settle();
    }
  }

  override unsubscribe(): void {
    if (this.closed) return;
    super.unsubscribe();
    if (this.due === null) return; // it is being done, or was: `run` settles that
    this.scheduler.done(this.due, true);
    this.due = null;
    this.settle();
  }

  /** One pending less; in `run` it may have been scheduled again meanwhile, and so have been counted again. */
  private settle(): void {
    if (this.owner !== null && --this.owner.pending === 0) this.owner.idle();
  }
}

import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';
import { TIMER_LAG } from '../schedulers/processingTimers.js';
import { refuse } from '../time/assert.js';

/** How a `ManualScheduler` starts. */
export interface ManualSchedulerConfig {
  /** Where the clock stands at first, ms; default 0. */
  readonly start?: number;
  /**
   * By how much the time told to processing-time timers lags behind `now()`, ms ≥ 0. Default 1, as on every other
   * scheduler: a timer for t runs at t + 1. With 0 it runs at t, as on Flink's test clock (rule T6).
   */
  readonly timerLag?: number;
}

/**
 * A clock that stands still until it is told to jump: the scheduler for tests in which time goes on by hand.
 *
 * `advanceTo(t)` sets the clock to t and then runs what is due by then, in the order of the due times, the older of equal
 * ones first. `now()` is already t in all of it, and an action that schedules itself again is due one delay after t: a clock
 * that jumps over several ticks gives one. RxJS's virtual schedulers stop at each action instead. Nothing runs at the time
 * at which it is scheduled, not even with a delay of 0: it waits for the next jump, which may be to the same time.
 *
 * ```ts
 * const scheduler = new ManualScheduler();
 * interval(100, scheduler).subscribe((n) => console.log(n, scheduler.now()));
 * scheduler.advanceTo(350); // 0 350
 * scheduler.advanceTo(450); // 1 450
 * ```
 *
 * **Errors**: what an action throws reaches the caller of `advanceTo`; what is due besides runs at the next jump.
 *
 * @category testing
 * @since 0.1.0
 */
export class ManualScheduler implements SchedulerLike {
  private time: number;
  private readonly waiting = new Waiting();

  constructor(config: ManualSchedulerConfig = {}) {
    const { start = 0, timerLag = 1 } = config;
    if (!Number.isSafeInteger(start)) throw refuse('ManualScheduler', 'start', start, 'a whole number of ms');
    if (!Number.isSafeInteger(timerLag) || timerLag < 0) {
      throw refuse('ManualScheduler', 'timerLag', timerLag, 'a whole number of ms, 0 or more');
    }
    this.time = start;
    // read by the driver of processing-time timers; a declared field of that name would need inference to be emitted
    Object.assign(this, { [TIMER_LAG]: timerLag });
  }

  now(): number {
    return this.time;
  }

  /** How many actions wait: 0 when nothing has leaked. */
  get pending(): number {
    return this.waiting.all.length;
  }

  schedule<T>(work: (this: SchedulerAction<T>, state: T) => void, delay: number, state: T): Subscription;
  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay?: number, state?: T): Subscription;
  schedule<T>(work: (this: SchedulerAction<T>, state: T) => void, delay?: number, state?: T): Subscription {
    return new ManualAction<T>(this, this.waiting, work).schedule(state, delay);
  }

  /** Jumps to `time` (ms, not before now) and runs what is due. */
  advanceTo(time: number): void {
    if (!(time >= this.time)) throw refuse('ManualScheduler.advanceTo', 'time', time, `${this.time} (now) or later`);
    this.time = time;
    for (let next = this.waiting.take(time); next !== undefined; next = this.waiting.take(time)) next.run();
  }

  /** Jumps `duration` ms ahead. */
  advanceBy(duration: number): void {
    this.advanceTo(this.time + duration);
  }
}

/** What waits, by due time, the older of equal ones first. */
class Waiting {
  readonly all: Due[] = [];

  add(action: Due): void {
    let at = this.all.length;
    while (at > 0 && (this.all[at - 1] as Due).due > action.due) at--;
    this.all.splice(at, 0, action);
  }

  remove(action: Due): void {
    const at = this.all.indexOf(action);
    if (at >= 0) this.all.splice(at, 1);
  }

  /** Takes the first, if it is due at `time`. */
  take(time: number): Due | undefined {
    const first = this.all[0];
    return first !== undefined && first.due <= time ? this.all.shift() : undefined;
  }
}

interface Due {
  readonly due: number;
  run(): void;
}

class ManualAction<T> extends Subscription implements SchedulerAction<T>, Due {
  due = 0;
  private state: T | undefined = undefined;
  private queued = false;

  constructor(
    private readonly clock: ManualScheduler,
    private readonly waiting: Waiting,
    private readonly work: (this: SchedulerAction<T>, state: T) => void,
  ) {
    super();
  }

  schedule(state?: T, delay = 0): Subscription {
    if (this.closed) return this;
    if (this.queued) this.waiting.remove(this);
    this.state = state;
    this.due = this.clock.now() + Math.max(0, delay);
    this.queued = true;
    this.waiting.add(this);
    return this;
  }

  run(): void {
    this.queued = false;
    try {
      this.work.call(this, this.state as T);
    } catch (cause) {
      this.unsubscribe();
      throw cause;
    }
    if (!this.queued) this.unsubscribe(); // not scheduled again: done, as with RxJS's own actions
  }

  override unsubscribe(): void {
    if (this.closed) return;
    if (this.queued) this.waiting.remove(this);
    this.queued = false;
    super.unsubscribe();
  }
}

import { type SchedulerLike, Subscription } from 'rxjs';
import { Clock } from './clock.js';
import { LONGEST_DELAY } from './delayed.js';

/**
 * By how much the time told to timers lags behind `now()`, in ms: 1, so that a timer for t runs in the frame after t and
 * no record of millisecond t can come after it (rule T6; Flink's real clock does the same). A test scheduler that sets
 * the property of this name to 0 tells timers `now()` itself, as Flink's test clock does.
 */
export const TIMER_LAG: unique symbol = Symbol.for('tidemark.timerLag');

/**
 * The one driver of processing-time timers: it asks the host for one wake-up at a time, the earliest that is wanted, and
 * tells what time it is then. Each time it is told, its owner asks for the next one.
 */
export class ProcessingTimers extends Subscription {
  private readonly clock: Clock;
  private readonly lag: number;
  private pending: Subscription = Subscription.EMPTY;
  private wanted = Infinity;

  /** `due` is called with the time up to which timers are to fire. */
  constructor(
    private readonly scheduler: SchedulerLike,
    private readonly due: (time: number) => void,
  ) {
    super(() => this.pending.unsubscribe());
    this.clock = new Clock(scheduler);
    this.lag = (scheduler as { [TIMER_LAG]?: number })[TIMER_LAG] ?? 1;
  }

  now(): number {
    return this.clock.now();
  }

  /** Wants a call no later than when a timer for `time` is due; `Infinity` wants none. */
  wakeAt(time: number): void {
    if (time === this.wanted || this.closed) return;
    this.wanted = time;
    this.pending.unsubscribe();
    // a delay that the host would cut ends early: nothing is due then, and the owner asks again (P123)
    const delay = Math.max(0, Math.min(time + this.lag - this.now(), LONGEST_DELAY));
    this.pending = time === Infinity ? Subscription.EMPTY : this.scheduler.schedule(this.wake, delay);
  }

  private readonly wake = (): void => {
    this.wanted = Infinity;
    this.due(this.now() - this.lag);
  };
}

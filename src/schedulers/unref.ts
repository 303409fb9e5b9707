import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';
import { LONGEST_DELAY } from './delayed.js';

/**
 * A scheduler whose timers don't keep a Node process alive: for the ticks of an endless stream, in a process that is to end
 * when everything else has. Where timers can't be told so, in browsers, they are ordinary ones.
 *
 * A stream that ends leaves no timer behind, on any scheduler.
 *
 * ```ts
 * of(5).pipe(
 *   assignWatermarks(ascendingTimestamps(), { timestamp: (at) => at, scheduler: unrefScheduler }),
 * ); // record(5, 5), watermark(4), watermark(MAX_TIMESTAMP)
 * ```
 *
 * **Cost**: a timer of the host for each action; delays above 2^31 − 1 ms are made of several.
 *
 * @category interop
 * @since 0.1.0
 */
export const unrefScheduler: SchedulerLike = {
  now: () => Date.now(),
  schedule: <T>(work: (this: SchedulerAction<T>, state?: T) => void, delay: number = 0, state?: T): Subscription =>
    new UnrefAction<T>(work).schedule(state, delay),
};

class UnrefAction<T> extends Subscription implements SchedulerAction<T> {
  private timer: ReturnType<typeof setTimeout> | undefined = undefined;

  constructor(private readonly work: (this: SchedulerAction<T>, state?: T) => void) {
    super(() => clearTimeout(this.timer));
  }

  schedule(state?: T, delay: number = 0): Subscription {
    if (this.closed) return this;
    clearTimeout(this.timer);
    if (delay !== Infinity) this.wait(delay, state);
    return this;
  }

  private wait(delay: number, state: T | undefined): void {
    const part = Math.min(delay, LONGEST_DELAY);
    this.timer = setTimeout(() => {
      if (delay > part) this.wait(delay - part, state);
      else this.work.call(this, state);
    }, part);
    (this.timer as { unref?: () => void }).unref?.();
  }
}

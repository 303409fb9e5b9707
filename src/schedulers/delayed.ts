import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';

/** The longest delay that hosts keep: above it `setTimeout` fires at once. */
export const LONGEST_DELAY: number = 2_147_483_647;

/**
 * Does `work` once, `delay` ms from now. A delay that the host would cut is made of several (P123); `Infinity` is never,
 * without a timer (P124).
 */
export function delayed(scheduler: SchedulerLike, delay: number, work: () => void): Subscription {
  if (delay === Infinity) return Subscription.EMPTY;
  return scheduler.schedule(
    function (this: SchedulerAction<number>, left = 0): void {
      if (left > 0) this.schedule(left - LONGEST_DELAY, Math.min(left, LONGEST_DELAY));
      else work();
    },
    Math.min(Math.max(0, delay), LONGEST_DELAY),
    delay - LONGEST_DELAY,
  );
}

import { type SchedulerLike, Subscription } from 'rxjs';

/** The longest delay that hosts keep: above it `setTimeout` fires at once. */
export const LONGEST_DELAY: number = 2 ** 31 - 1;

/**
 * Does `work` once, `delay` ms from now. A delay that the host would cut is made of several (P123); `Infinity` is never,
 * without a timer (P124).
 */
export function delayed(scheduler: SchedulerLike, delay: number, work: () => void): Subscription {
  const all = new Subscription();
  const wait = (left: number): void => {
    const part = Math.min(left, LONGEST_DELAY);
    all.add(scheduler.schedule(() => (left > part ? wait(left - part) : work()), part));
  };
  if (delay !== Infinity) wait(Math.max(0, delay));
  return all;
}

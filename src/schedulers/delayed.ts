import { type SchedulerLike, Subscription } from 'rxjs';

/** The longest delay that hosts keep: above it `setTimeout` fires at once. */
const LONGEST = 2 ** 31 - 1;

/**
 * Does `work` once, `delay` ms from now. A delay that the host would cut is made of several (P123); `Infinity` is never,
 * without a timer (P124).
 */
export function delayed(scheduler: SchedulerLike, delay: number, work: () => void): Subscription {
  if (delay <= LONGEST) return scheduler.schedule(work, Math.max(0, delay));
  const all = new Subscription();
  if (delay !== Infinity) {
    const rest = (left: number): void => {
      all.add(scheduler.schedule(() => (left > LONGEST ? rest(left - LONGEST) : work()), Math.min(left, LONGEST)));
    };
    rest(delay);
  }
  return all;
}

import type { SchedulerAction, SchedulerLike, Subscription } from 'rxjs';
import { delayed } from './delayed.js';

/**
 * Calls `tick` every `period` ms of `scheduler`; each tick is one period after the one before it *ran*, so that a host
 * that slept gives one tick and not a burst (P127). `Infinity` is no ticks.
 *
 * Unsubscribe to stop; nothing stays scheduled then.
 */
export function periodicTicker(scheduler: SchedulerLike, period: number, tick: () => void): Subscription {
  if (period > 2 ** 31 - 1) return slowTicker(scheduler, period, tick);
  return scheduler.schedule(function (this: SchedulerAction<undefined>): void {
    tick();
    // unsubscribed by the tick: the action is closed, and must not come back
    if (!this.closed) this.schedule(undefined, period);
  }, period);
}

function slowTicker(scheduler: SchedulerLike, period: number, tick: () => void): Subscription {
  const ticks = delayed(scheduler, period, function again(): void {
    tick();
    if (!ticks.closed) ticks.add(delayed(scheduler, period, again));
  });
  return ticks;
}

import type { SchedulerAction, SchedulerLike, Subscription } from 'rxjs';

/**
 * Calls `tick` every `period` ms of `scheduler`; each tick is one period after the one before it *ran*, so that a host
 * that slept gives one tick and not a burst (P127).
 *
 * Unsubscribe to stop; nothing stays scheduled then.
 *
 * @param period ms, at most 2^31 − 1: hosts fire longer ones at once (P123).
 */
export function periodicTicker(scheduler: SchedulerLike, period: number, tick: () => void): Subscription {
  return scheduler.schedule(function (this: SchedulerAction<undefined>): void {
    tick();
    // unsubscribed by the tick: the action is closed, and must not come back
    if (!this.closed) this.schedule(undefined, period);
  }, period);
}

import type { SchedulerLike } from 'rxjs';

/**
 * The clock of one stage (rule T5): the scheduler's own `now()`, asked anew at each call, but never going back, even if
 * the host's clock is set back.
 */
export class Clock {
  private last = -Infinity;
  constructor(private readonly scheduler: SchedulerLike) {}
  now(): number {
    const now = this.scheduler.now();
    if (now > this.last) this.last = now;
    return this.last;
  }
}

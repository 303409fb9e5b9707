import { type SchedulerLike, Subscription } from 'rxjs';
import { Clock } from './clock.js';
import { delayed } from './delayed.js';

/**
 * Notices without ticks that nothing has come for `timeout` ms: one pending timer, moved on when it fires rather than at
 * each record (rule W7). After silence it waits for the next record.
 */
export class IdleTimer extends Subscription {
  private readonly clock: Clock;
  private last: number;
  private pending: Subscription | null = null;

  constructor(
    private readonly scheduler: SchedulerLike,
    private readonly timeout: number,
    private readonly quiet: () => void,
  ) {
    super();
    this.clock = new Clock(scheduler);
    this.last = this.clock.now();
    this.add(() => this.pending?.unsubscribe());
    this.arm(timeout);
  }

  /** A record has come. */
  active(): void {
    this.last = this.clock.now();
    if (this.pending === null) this.arm(this.timeout);
  }

  private arm(delay: number): void {
    const due = this.clock.now() + delay;
    this.pending = delayed(this.scheduler, delay, () => this.wake(due));
  }

  private wake(due: number): void {
    const now = this.clock.now();
    const left = this.last + this.timeout - now;
    // overdue by a good part of the timeout: the thread was blocked, and what came meanwhile is still queued
    if (now - due > this.timeout / 4) this.arm(this.timeout);
    else if (left > 0) this.arm(left);
    else {
      this.pending = null;
      this.quiet();
    }
  }
}

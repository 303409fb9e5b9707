import type { SchedulerLike } from 'rxjs';
import { WrappedScheduler } from './wrapped.js';

/** A clock that shows the time of a recording, and goes `speed` times as fast as the host's. */
export class ReplayScheduler extends WrappedScheduler {
  private readonly origin: number;

  /** The clock shows `start` now. */
  constructor(
    host: SchedulerLike,
    private readonly speed: number,
    private readonly start: number,
  ) {
    super(host);
    this.origin = host.now();
  }

  override now(): number {
    return Math.floor(this.start + (this.host.now() - this.origin) * this.speed);
  }
  override toHost(delay: number): number {
    return Math.ceil(delay / this.speed); // never too early by the recording's clock
  }
}

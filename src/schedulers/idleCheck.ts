import { type SchedulerLike, Subscription } from 'rxjs';
import { delayed } from './delayed.js';

/**
 * Notices that a source is silent, exactly as Flink's source contexts do: a check every `timeout` ms, which fails if
 * nothing has come since the one before it. So silence is told between one and two timeouts after the last element; then
 * the checks rest until the next one.
 */
export class IdleCheck extends Subscription {
  private failing = true; // nothing has come since the last check
  private pending: Subscription | null = null;

  constructor(
    private readonly scheduler: SchedulerLike,
    private readonly timeout: number,
    private readonly quiet: () => void,
  ) {
    super();
    this.add(() => this.pending?.unsubscribe());
  }

  /** The first check. What has come before this call counts for it. */
  start(): void {
    this.pending = delayed(this.scheduler, this.timeout, this.check);
  }

  /** An element has come. */
  active(): void {
    this.failing = false;
    // silence has been told: this element is where the next check counts from, it doesn't speak for the time after it
    if (this.pending?.closed) this.rearm();
  }

  private rearm(): void {
    if (this.closed) return;
    this.failing = true;
    this.start();
  }

  private readonly check = (): void => {
    if (this.failing) {
      this.pending?.unsubscribe();
      this.quiet();
    } else {
      this.rearm();
    }
  };
}

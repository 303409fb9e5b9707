import { type SchedulerLike, Subscription } from 'rxjs';
import { delayed } from './delayed.js';

/**
 * Notices that a source is silent, exactly as Flink's source contexts do: a check every `timeout` ms, which fails if
 * nothing has come since the one before it. So silence is told between one and two timeouts after the last element; then
 * the checks rest until the next one.
 */
export class IdleCheck extends Subscription {
  private failing = true; // nothing has come since the last check
  private resting = false; // silence has been told
  private pending: Subscription | null = null;

  constructor(
    private readonly scheduler: SchedulerLike,
    private readonly timeout: number,
    private readonly quiet: () => void,
  ) {
    super();
    this.add(() => this.pending?.unsubscribe());
  }

  /** The first check. Elements that came before it count for it. */
  start(): void {
    if (!this.closed) this.pending = delayed(this.scheduler, this.timeout, this.check);
  }

  /** An element has come. */
  active(): void {
    if (this.resting) this.restart();
    else this.failing = false;
  }

  private restart(): void {
    this.resting = false;
    this.failing = true;
    this.start();
  }

  private readonly check = (): void => {
    if (!this.failing) {
      this.restart();
      return;
    }
    this.resting = true;
    this.quiet();
  };
}

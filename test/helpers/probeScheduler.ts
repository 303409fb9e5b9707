import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';

/**
 * A scheduler that stops at each action as a real one does, whose clock a test may also set (back, or ahead while nothing
 * runs), and which can be asked what is pending and what delays were asked of it.
 */
export class ProbeScheduler implements SchedulerLike {
  private readonly queue: ProbeAction<unknown>[] = [];
  /** The delays that were asked for, in order; ticks that come again included. */
  readonly delays: number[] = [];

  constructor(private time = 0) {}

  now(): number {
    return this.time;
  }

  /** How many actions wait to be run. */
  get pending(): number {
    return this.queue.length;
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
    return new ProbeAction<T>(this, work).schedule(state, delay);
  }

  /** Runs what is due up to `time`, each action at its own time, and stands at `time` afterwards. */
  advanceTo(time: number): void {
    for (let next = this.queue[0]; next !== undefined && next.due <= time; next = this.queue[0]) {
      this.queue.shift();
      this.time = Math.max(this.time, next.due);
      next.run();
    }
    this.time = time;
  }

  /** Sets the clock without running anything: a blocked thread, a sleeping tab, or (backwards) a clock that is set. */
  setTime(time: number): void {
    this.time = time;
  }

  /** Runs what is due by now, all at the present time, as a host does on waking up. */
  wake(): void {
    this.advanceTo(this.time);
  }

  enqueue(action: ProbeAction<unknown>, delay: number): void {
    this.delays.push(delay);
    action.due = this.time + delay;
    const later = this.queue.findIndex((other) => other.due > action.due);
    if (later < 0) this.queue.push(action);
    else this.queue.splice(later, 0, action);
  }

  remove(action: ProbeAction<unknown>): void {
    const at = this.queue.indexOf(action);
    if (at >= 0) this.queue.splice(at, 1);
  }
}

class ProbeAction<T> extends Subscription implements SchedulerAction<T> {
  due = NaN;
  private state: T | undefined;

  constructor(
    private readonly scheduler: ProbeScheduler,
    private readonly work: (this: SchedulerAction<T>, state?: T) => void,
  ) {
    super(() => scheduler.remove(this as ProbeAction<unknown>));
  }

  schedule(state?: T, delay = 0): Subscription {
    // RxJS's own actions let this pass; a scheduler of somebody else's need not
    if (this.closed) throw new Error('ProbeScheduler: a closed action was scheduled again');
    this.state = state;
    this.scheduler.remove(this as ProbeAction<unknown>); // put off, as RxJS's own actions are
    this.scheduler.enqueue(this as ProbeAction<unknown>, delay);
    return this;
  }

  run(): void {
    this.work.call(this, this.state);
  }
}

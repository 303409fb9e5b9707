import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';

/**
 * A scheduler that has its work done by another one. Whatever it changes holds for an action that schedules itself again as
 * well, which the other one's own action would do behind its back.
 */
export abstract class WrappedScheduler implements SchedulerLike {
  constructor(protected readonly host: SchedulerLike) {}

  now(): number {
    return this.host.now();
  }
  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay: number = 0, state?: T): Subscription {
    return new WrappedAction<T>(this, this.host, work).schedule(state, delay);
  }
  /** The host's delay. */
  toHost(delay: number): number {
    return delay;
  }
  /** Around asking the host for a timer. */
  plan(ask: () => void): void {
    ask();
  }
  /** Around the work itself. */
  run(work: () => void): void {
    work();
  }
}

class WrappedAction<T> extends Subscription implements SchedulerAction<T> {
  private inner: (Subscription & Partial<SchedulerAction<T>>) | null = null;

  constructor(
    private readonly wrapping: WrappedScheduler,
    private readonly host: SchedulerLike,
    private readonly work: (this: SchedulerAction<T>, state?: T) => void,
  ) {
    super();
  }

  schedule(state?: T, delay: number = 0): Subscription {
    if (this.closed) return this;
    this.wrapping.plan(() => this.ask(state, this.wrapping.toHost(delay)));
    return this;
  }

  private ask(state: T | undefined, delay: number): void {
    const { inner } = this;
    if (inner !== null && !inner.closed && inner.schedule !== undefined) {
      inner.schedule(state, delay);
      return;
    }
    inner?.unsubscribe();
    const action = this;
    const fresh = this.host.schedule<T>(
      function (this: SchedulerAction<T>, given?: T): void {
        action.inner = this;
        action.wrapping.run(() => action.work.call(action, given));
      },
      delay,
      state,
    );
    this.inner ??= fresh;
    this.add(fresh);
  }
}

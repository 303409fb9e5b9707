/** What the watch over a stream's silence needs of the operator it works for. */
export interface IdlenessHost {
  now(): number;
  markIdle(): void;
  /** Does `work` when nothing else is under way. */
  step(work: () => void): void;
  add(teardown: Timer): void;
}

interface Timer {
  unsubscribe(): void;
}

/** As much of a scheduler as the watch needs. */
export interface TimerHost {
  schedule(work: () => void, delay: number): Timer;
}

/** No host waits longer at once. */
const LONGEST_DELAY = 2_147_483_647;

/** Notices that a stream has gone quiet (rule W7). */
export interface IdleWatch {
  /** The source is subscribed. */
  start(): void;
  onRecord(): void;
  /** At a tick: has it been quiet for too long? */
  onTick(now: number): boolean;
}

/** When silence makes a stream idle, and how that is noticed. */
export interface Idleness {
  /** ms. */
  readonly timeout: number;
  readonly watch: typeof watchIdleness;
}

/** By the ticks there are, or with a timer of its own (an interval of `Infinity`); nothing for a timeout of `Infinity`. */
export function watchIdleness(timeout: number, interval: number, host: IdlenessHost, timers: TimerHost): IdleWatch | undefined {
  if (timeout === Infinity) return undefined;
  return interval === Infinity ? new TimerWatch(timeout, host, timers) : new TickWatch(timeout, interval);
}

/**
 * By ticks, exactly as Flink does: the clock starts at the first tick that saw nothing new since the tick before; silence
 * is told by the first tick *more* than `timeout` after that.
 */
class TickWatch implements IdleWatch {
  private active = false;
  private quietSince = NaN;
  private lastTick = NaN;

  constructor(
    private readonly timeout: number,
    private readonly interval: number,
  ) {}

  start(): void {}

  onRecord(): void {
    this.active = true;
  }

  onTick(now: number): boolean {
    // more than an interval overdue: the thread was blocked or the tab asleep, and what came meanwhile is still queued
    const overdue = now - this.lastTick > 2 * this.interval;
    this.lastTick = now;
    if (!this.active && !overdue && now - this.quietSince > this.timeout) return true;
    if (this.active) this.quietSince = NaN;
    else if (overdue || Number.isNaN(this.quietSince)) this.quietSince = now;
    this.active = false;
    return false;
  }
}

/** Exactly `timeout` after the last record: one pending timer, moved on when it fires rather than at each record. */
class TimerWatch implements IdleWatch {
  private last = -Infinity;
  private armed = false;

  constructor(
    private readonly timeout: number,
    private readonly host: IdlenessHost,
    private readonly timers: TimerHost,
  ) {}

  start(): void {
    this.onRecord();
  }

  onRecord(): void {
    this.last = this.host.now();
    if (!this.armed) this.arm(this.timeout);
  }

  onTick(): boolean {
    return false;
  }

  private arm(left: number): void {
    const delay = Math.min(left, LONGEST_DELAY); // what is left then is waited for then
    const due = this.host.now() + delay;
    this.armed = true;
    const timer = this.timers.schedule(() => {
      timer.unsubscribe(); // the stage need not keep it
      this.host.step(() => this.wake(due));
    }, delay);
    this.host.add(timer);
  }

  private wake(due: number): void {
    const now = this.host.now();
    const left = this.last + this.timeout - now;
    // overdue by a good part of the timeout: the thread was blocked, and what came meanwhile is still queued
    if (now - due > this.timeout / 4) this.arm(this.timeout);
    else if (left > 0) this.arm(left);
    else {
      this.armed = false;
      this.host.markIdle();
    }
  }
}

/**
 * Notices by ticks that nothing has come for a while, exactly as Flink does (rule W7): the clock starts at the first tick
 * that saw nothing new since the tick before; silence is told by the first tick *more* than `timeout` after that.
 */
export class IdleClock {
  /** Set by whoever sees a record. */
  active = false;
  private quietSince = NaN;
  private lastTick = NaN;

  constructor(
    private readonly timeout: number,
    private readonly interval: number,
  ) {}

  /** At a tick: has it been quiet for too long? */
  isQuiet(now: number): boolean {
    // more than an interval overdue: the thread was blocked or the tab asleep, and what came meanwhile is still queued
    const overdue = now - this.lastTick > 2 * this.interval;
    this.lastTick = now;
    if (this.active) {
      this.active = false;
      this.quietSince = NaN;
    } else if (overdue || Number.isNaN(this.quietSince)) {
      this.quietSince = now;
    } else {
      return now - this.quietSince > this.timeout;
    }
    return false;
  }
}

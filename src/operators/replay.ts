import { asyncScheduler, NEVER, type Observable, type SchedulerAction, type SchedulerLike, Subject, type Subscriber } from 'rxjs';
import { listen } from '../internal/listen.js';
import { operate, Stage } from '../internal/operate.js';
import { EventTimeScheduler } from '../schedulers/eventTimeScheduler.js';
import { ReplayScheduler } from '../schedulers/replay.js';
import { assertFunction, assertMs, refuse } from '../time/assert.js';
import type { Arrival } from './shared/arrival.js';

/** How a recording is played back. */
export interface ReplayConfig {
  /** How many times as fast as it was recorded; default 1, `Infinity` is all at once. */
  readonly speed?: number;
  /** Whose clock and timers drive it, unless it is all at once; default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike;
  /** ms, ≥ 0, all at once: how far past the last arrival pending timers still fire; default 24 h. */
  readonly horizon?: number;
}

const DAY = 86_400_000;

/**
 * Plays back what `recordArrivals` has logged, and hands the values, with a scheduler whose clock is the recording's, to
 * `use`; what that returns comes out. So whatever goes by processing time does again what it did.
 *
 * **Time**: each value arrives when the recording's clock shows its time; watermarks are elements like any other. All at once
 * (`speed: Infinity`) no host's timer is needed: arrivals and timers are run in the order of their times, arrivals before
 * timers of the same ms, while `subscribe` runs.
 * **State**: the log is read as it is played. **Completion and errors**: as they were recorded; a log without an end
 * completes behind its last arrival. All at once, what is pending then is done until the result completes or time is
 * `horizon` past the last arrival.
 *
 * ```ts
 * const log: Arrival<string>[] = [
 *   { at: 1_000, notification: { kind: 'N', value: 'a' } },
 *   { at: 1_900, notification: { kind: 'N', value: 'b' } },
 *   { at: 2_500, notification: { kind: 'N', value: 'c' } },
 * ];
 * replay(log, (values$, scheduler) => values$.pipe(bufferTime(1_000, scheduler)), { speed: Infinity }); // ['a', 'b'], ['c']
 * ```
 *
 * @throws RangeError or TypeError at once, for an argument out of range.
 * @category interop
 * @since 0.1.0
 */
export function replay<A, B>(
  log: Iterable<Arrival<A>>,
  use: (values$: Observable<A>, scheduler: SchedulerLike) => Observable<B>,
  config: ReplayConfig = {},
): Observable<B> {
  const { speed = 1, scheduler = asyncScheduler, horizon = DAY } = config;
  assertFunction('replay', 'use', use);
  if (!(speed > 0)) throw refuse('replay', 'speed', speed, 'a number > 0 or Infinity');
  assertMs('replay', 'horizon', horizon, 0, true);
  // an operator on a silent source: its start is outside of any step, so that each value is a step of its own
  return NEVER.pipe(operate((out) => new ReplayStage<A, B>(out, log, use, speed, scheduler, horizon)));
}

class ReplayStage<A, B> extends Stage<never, B> {
  private readonly values = new Subject<A>();
  private readonly arrivals: Iterator<Arrival<A>>;
  private upcoming: Arrival<A> | undefined = undefined;
  private last = -Infinity;
  private completed = false;

  constructor(
    out: Subscriber<B>,
    log: Iterable<Arrival<A>>,
    private readonly use: (values$: Observable<A>, scheduler: SchedulerLike) => Observable<B>,
    private readonly speed: number,
    private readonly host: SchedulerLike,
    private readonly horizon: number,
  ) {
    super(out);
    this.arrivals = log[Symbol.iterator]();
  }

  protected onNext(): void {}

  override onStart(): void {
    try {
      this.read();
      const start = this.upcoming?.at ?? 0;
      if (this.speed === Infinity) this.atOnce(new EventTimeScheduler(start));
      else this.play(new ReplayScheduler(this.host, this.speed, start));
    } catch (cause) {
      this.abort(cause);
    }
  }

  private begin(scheduler: SchedulerLike): void {
    listen(
      this,
      this.use(this.values, scheduler),
      (value: B) => this.out.next(value),
      () => {
        this.completed = true;
        this.finish();
      },
    );
  }

  private play(scheduler: SchedulerLike): void {
    this.begin(scheduler);
    if (this.closed) return;
    const stage = this;
    const first = this.upcoming?.at ?? scheduler.now();
    const player = scheduler.schedule(
      function (this: SchedulerAction<undefined>): void {
        try {
          const now = scheduler.now();
          while (stage.upcoming !== undefined && stage.upcoming.at <= now && !stage.closed) stage.deliver(stage.upcoming);
        } catch (cause) {
          stage.abort(cause); // of the log
        }
        if (stage.upcoming !== undefined) this.schedule(undefined, stage.upcoming.at - scheduler.now());
        else stage.values.complete();
      },
      Math.max(0, first - scheduler.now()),
    );
    this.add(player);
  }

  private atOnce(clock: EventTimeScheduler): void {
    this.begin(clock);
    while (this.upcoming !== undefined && !this.closed) {
      const { at } = this.upcoming;
      if (clock.next < at) clock.runNext(at);
      else {
        clock.moveTo(at);
        this.deliver(this.upcoming);
      }
    }
    this.values.complete();
    while (!this.closed && clock.runNext(this.last + this.horizon));
    if (!this.closed && !this.completed) this.step(() => this.finish());
  }

  private deliver({ at, notification }: Arrival<A>): void {
    this.last = at;
    this.read();
    if (notification.kind === 'N') {
      this.values.next(notification.value);
      return;
    }
    this.upcoming = undefined; // nothing follows
    if (notification.kind === 'E') this.values.error(notification.error);
    else this.values.complete();
  }

  private read(): void {
    const { done, value } = this.arrivals.next();
    this.upcoming = done === true ? undefined : value;
  }

  protected override onFree(): void {
    this.upcoming = undefined;
    this.arrivals.return?.();
  }
}

import {
  asyncScheduler,
  type MonoTypeOperatorFunction,
  type ObservableNotification,
  type SchedulerLike,
  type Subscriber,
} from 'rxjs';
import { operate, Stage } from '../internal/operate.js';
import { type Ending, openSink, type Producer, type Sink } from '../internal/sink.js';
import { Clock } from '../schedulers/clock.js';
import type { Arrival } from './shared/arrival.js';

/** By which clock arrivals are recorded. */
export interface RecordConfig {
  /** Default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike;
}

/**
 * Passes everything on, and keeps a log of what arrived when, for `replay`.
 *
 * It takes any stream: plain values, or elements with their watermarks. The log gets the end or the error too, before it is
 * passed on.
 *
 * ```ts
 * const log: Arrival<string>[] = [];
 * of('a', 'b').pipe(recordArrivals((arrival) => log.push(arrival))); // 'a', 'b'
 * ```
 *
 * **Time**: of its own none; watermarks are elements like any other. **State**: none. **Completion and errors**: passed on. If
 * the log is an observer, it completes with the stream.
 *
 * @param to where the log goes: a function or an observer.
 * @throws TypeError at once, if there is none.
 * @category interop
 * @since 0.1.0
 */
export function recordArrivals<A>(to: Sink<Arrival<A>>, config: RecordConfig = {}): MonoTypeOperatorFunction<A> {
  const { scheduler = asyncScheduler } = config;
  if (to === undefined || to === null) throw new TypeError(`recordArrivals: to is ${to}, it must be a function or an observer`);
  return operate((out) => new RecordStage<A>(out, to, scheduler));
}

class RecordStage<A> extends Stage<A, A> {
  private readonly log: Log<A>;

  constructor(out: Subscriber<A>, to: Sink<Arrival<A>>, scheduler: SchedulerLike) {
    super(out);
    this.side = this.log = new Log(openSink(to) as Producer<Arrival<A>>, scheduler);
  }
  protected onNext(value: A): void {
    this.log.note({ kind: 'N', value });
    this.out.next(value);
  }
  protected override onEnd(): void {
    this.log.complete();
    this.finish();
  }
}

/** What notes each arrival with its time, the last one before the log itself ends. */
class Log<A> implements Ending {
  private readonly clock: Clock;

  constructor(
    private readonly to: Producer<Arrival<A>>,
    scheduler: SchedulerLike,
  ) {
    this.clock = new Clock(scheduler);
  }
  note(notification: ObservableNotification<A>): void {
    this.to.next({ at: this.clock.now(), notification });
  }
  complete(): void {
    this.note({ kind: 'C' });
    this.to.complete();
  }
  error(error: unknown): void {
    this.note({ kind: 'E', error });
    this.to.error(error);
  }
  release(): void {
    this.to.release();
  }
}

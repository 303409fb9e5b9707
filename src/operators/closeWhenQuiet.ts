import { asyncScheduler, type OperatorFunction, type SchedulerLike, type Subscriber } from 'rxjs';
import { MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamElement } from '../element/element.js';
import { ElementStage } from '../internal/ElementStage.js';
import { operate } from '../internal/operate.js';
import { Clock } from '../schedulers/clock.js';
import { assertMs, assertObject } from '../time/assert.js';
import { type IdlenessHost, type IdleWatch, watchIdleness } from '../watermarks/idleness.js';

/** When a stream is quiet, and what is closed then. */
export interface QuietConfig {
  /** ms of the clock without a record or a rising watermark after which the stream is quiet; a whole number ≥ 1. */
  readonly quiet: number;
  /** ms by which the watermark moves ahead of the newest record then: the size of the windows to close (or the gap of the sessions), plus their allowed lateness if they shall go as well; a whole number ≥ 1. */
  readonly ahead: number;
  /** The clock; default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike;
}

/**
 * Closes the last windows of a stream that has gone quiet: after `quiet` ms of the clock the watermark moves `ahead` ms past
 * the newest record.
 *
 * This is a promise that nobody gave. **Whatever follows with a time up to there is late**, though it may be a second after the
 * newest record; it goes to the `lateTo` of the windows. Choose `quiet` longer than the source ever pauses when all is well, and
 * `ahead` no larger than the windows.
 *
 * **Time**: watermarks pass; those that are not above the one that was moved are swallowed. A watermark that rises counts as
 * a sign of life, idleness does not, and stays as it was. A thread that was blocked or a tab that slept is not silence.
 * **State**: the newest time, and one timer. **Late records**: pass, like all records.
 * **Completion and errors**: passed on.
 *
 * ```ts
 * concat([record('a', 1_000)], NEVER).pipe(
 *   closeWhenQuiet({ quiet: seconds(2), ahead: seconds(5) }),
 *   tumblingWindow(seconds(5), aggregates.count()),
 *   toValues(),
 *   map(({ window, value }) => `${window.start}: ${value}`),
 * ); // '0: 1'
 * ```
 *
 * **Cost**: the clock is read for each element.
 *
 * @throws RangeError at once, for an argument out of range.
 * @category watermarks
 * @since 0.1.0
 */
export function closeWhenQuiet<A, K>(config: QuietConfig): OperatorFunction<StreamElement<A, K>, StreamElement<A, K>> {
  assertObject('closeWhenQuiet', 'config', config);
  const { quiet, ahead, scheduler = asyncScheduler } = config;
  assertMs('closeWhenQuiet', 'quiet', quiet, 1);
  assertMs('closeWhenQuiet', 'ahead', ahead, 1);
  return operate((out) => new CloseWhenQuietStage(out, quiet, ahead, scheduler));
}

class CloseWhenQuietStage<A, K> extends ElementStage<StreamElement<A, K>, A, K> implements IdlenessHost {
  private readonly clock: Clock;
  private readonly watch: IdleWatch | undefined;
  private newest = MIN_TIMESTAMP;

  constructor(
    out: Subscriber<StreamElement<A, K>>,
    quiet: number,
    private readonly ahead: number,
    scheduler: SchedulerLike,
  ) {
    super(out);
    this.clock = new Clock(scheduler);
    this.watch = watchIdleness(quiet, Infinity, this, scheduler);
  }

  protected onNext(element: StreamElement<A, K>): void {
    if (element._tag === 'Record') {
      const { timestamp } = element;
      if (timestamp > this.newest && timestamp !== MAX_TIMESTAMP) this.newest = timestamp;
      this.watch?.onRecord();
      this.out.next(element);
    } else {
      if (element.timestamp > this.time) this.watch?.onRecord();
      this.pass(element.timestamp, element.idle);
    }
  }

  now(): number {
    return this.clock.now();
  }

  /** It is quiet. */
  markIdle(): void {
    const timestamp = this.newest + this.ahead;
    if (timestamp > this.time) this.pass(timestamp, this.idle);
  }
}

import { asyncScheduler, type SchedulerLike } from 'rxjs';
import { assertOneOf, refuse } from '../time/assert.js';
import { WrappedScheduler } from './wrapped.js';

/** What is needed of Angular's `NgZone`. */
export interface ZoneLike {
  /** Does `work` where the zone doesn't see it. */
  runOutsideAngular<T>(work: () => T): T;
  /** Does `work` in the zone. */
  run<T>(work: () => T): T;
}

/** What runs where. */
export interface OutsideZoneConfig {
  /** Whose timers they are; default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike;
  /** Where the work of a timer is done, and so where its results come out: `'outside'` (the default; enough for signals and the `async` pipe) or `'inside'`, which checks for changes at every timer. */
  readonly results?: 'outside' | 'inside';
}

/**
 * A scheduler whose timers a zone doesn't see: endless ticks then neither keep an Angular application from becoming stable nor
 * have it look for changes at each of them.
 *
 * Hand it to whatever takes a scheduler, an operator of tidemark or of RxJS. An action that schedules itself again stays
 * outside, wherever that is called.
 *
 * ```ts
 * const zone = { runOutsideAngular: <T>(work: () => T) => work(), run: <T>(work: () => T) => work() }; // inject(NgZone)
 * const scheduler = outsideZone(zone);
 * of(5).pipe(assignWatermarks(ascendingTimestamps(), { timestamp: (at) => at, scheduler })); // record(5, 5), watermark(4), watermark(MAX_TIMESTAMP)
 * ```
 *
 * @param zone Angular's `NgZone`, or anything with its two methods.
 * @throws TypeError at once, for an argument out of range.
 * @category interop
 * @since 0.1.0
 */
export function outsideZone(zone: ZoneLike, config: OutsideZoneConfig = {}): SchedulerLike {
  const { scheduler = asyncScheduler, results = 'outside' } = config;
  if (typeof zone?.runOutsideAngular !== 'function' || typeof zone.run !== 'function') {
    throw refuse('outsideZone', 'zone', zone, 'an NgZone, with runOutsideAngular and run');
  }
  assertOneOf('outsideZone', 'results', results, ['outside', 'inside']);
  return new OutsideZoneScheduler(scheduler, zone, results === 'inside');
}

class OutsideZoneScheduler extends WrappedScheduler {
  constructor(
    host: SchedulerLike,
    private readonly zone: ZoneLike,
    private readonly inside: boolean,
  ) {
    super(host);
  }
  override plan(ask: () => void): void {
    this.zone.runOutsideAngular(ask);
  }
  override run(work: () => void): void {
    if (this.inside) this.zone.run(work);
    else work();
  }
}

import type { Observable, OperatorFunction, SchedulerLike } from 'rxjs';
import type { StreamElement } from '../element/element.js';
import type { Same } from '../element/same.js';
import { operate } from '../internal/operate.js';
import { assertFunction, assertMs } from '../time/assert.js';
import { EventTimeStage } from './shared/EventTimeStage.js';
import type { SortedConfig } from './shared/SortedStage.js';

/** How RxJS's operators are run. */
export interface EventTimeConfig<A, K, P extends boolean = boolean> extends SortedConfig<A, K> {
  /** Run the operators for each key apart; default false, one run for all records, whose results have no key. */
  readonly perKey?: P;
  /** ms of event time, ≥ 0: how far past the last record pending actions are still done at the end of the stream; default 24 h. */
  readonly horizon?: number;
  /** ms of event time, ≥ 1, with `perKey`: a key without a record for so long, and without a pending action, is let go: its values complete, and its next record begins anew. Default `Infinity`. */
  readonly forgetAfter?: number;
}

/** What comes out: records keyed as before, or without key if the operators run for all keys together. */
export type InEventTime<B, K, P extends boolean> = StreamElement<B, P extends true ? K : undefined>;

const DAY = 86_400_000;

/**
 * Runs operators of RxJS in event time: `use` gets the values and a scheduler whose clock is event time, and returns what
 * is to come out. So `debounceTime(1_000, scheduler)` waits for a second between the times of two records, however fast
 * or slow, and in whatever order, they come in.
 *
 * **Time**: records are sorted up to the watermark; each moves the clock to its time. At equal times records come before what
 * was scheduled. A result has the time at which it happens, and comes before the watermark that caused it. `use` is called at
 * the first record, when `now()` is its time; with `perKey` at the first of each key. Only what goes by this `scheduler`
 * happens in event time: an operator without it waits for the host's clock, and its results are late.
 * **State**: the records above the watermark and what the operators hold, which with `perKey` is that of all keys there ever
 * were, unless `forgetAfter` is given.
 * **Late records**: those at or behind the watermark: `lateTo`, counted as `late`.
 * **Completion and errors**: at the end of time the values complete; then what is pending is done in order, until the results
 * have completed or time is `horizon` past the last record; pending actions that remain are counted as `discarded`. Then
 * `MAX_TIMESTAMP`. Without `perKey` the stream also ends when the result completes. Errors pass at once.
 *
 * ```ts
 * const typed$ = from([record('e', 2_500), record('ev', 1_000), record('eve', 1_200), record('event', 4_000), watermark(3_499)]);
 * typed$.pipe(
 *   withEventTime((values$, scheduler) => values$.pipe(debounceTime(1_000, scheduler))),
 * ); // record('eve', 2_200), watermark(3_499), record('e', 3_500), record('event', 4_000), watermark(MAX_TIMESTAMP)
 * ```
 *
 * **Cost**: a sort, and what the operators cost; a periodic one runs in each of its periods, however long nothing happens.
 *
 * @throws RangeError or TypeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError`;
 * `EventTimeStuckError` for a period of 0.
 * @see `sortByEventTime`; no other engine runs processing-time operators in event time.
 * @category order
 * @since 0.1.0
 */
export function withEventTime<A, B, K, P extends boolean = false>(
  use: (values$: Observable<A>, scheduler: SchedulerLike) => Observable<B>,
  config: EventTimeConfig<Same<A>, Same<K>, P> = {},
): OperatorFunction<StreamElement<A, K>, InEventTime<B, K, P>> {
  const { perKey = false, horizon = DAY, forgetAfter = Infinity } = config;
  assertFunction('withEventTime', 'use', use);
  assertMs('withEventTime', 'horizon', horizon, 0, true);
  assertMs('withEventTime', 'forgetAfter', forgetAfter, 1, true);
  const options = { use, perKey, horizon, forgetAfter };
  return operate(
    (out) => new EventTimeStage<A, K, B, P extends true ? K : undefined>(out, options, config as EventTimeConfig<A, K>),
  );
}

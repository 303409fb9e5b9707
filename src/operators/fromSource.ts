import { asyncScheduler, NEVER, type SchedulerLike, type TeardownLogic } from 'rxjs';
import type { StreamElement } from '../element/element.js';
import type { Same } from '../element/same.js';
import type { EventStream } from '../internal/eventStream.js';
import { operate } from '../internal/operate.js';
import { LONGEST_DELAY } from '../schedulers/delayed.js';
import { assertFunction, assertMs, refuse } from '../time/assert.js';
import {
  EventSourceStage,
  IngestionSourceStage,
  type SourceContext,
  type SourceOptions,
  SourceStage,
} from './shared/SourceStage.js';

/** Whose time a source works by: that of the events, that of their arrival, or none. */
export type TimeCharacteristic = 'event' | 'processing' | 'ingestion';

/** How a source stamps, and what it does besides. */
export interface SourceConfig<A, K = undefined> {
  /** `'event'` (default): timestamps and watermarks as given. `'ingestion'`: both made from the clock. `'processing'`: none. */
  readonly time?: TimeCharacteristic;
  /** The key of each record; default none. The same as `keyBy` behind it. */
  readonly key?: (value: A) => K;
  /** Ingestion time: ms between watermarks, which are multiples of it; default 200. `Infinity`: no watermarks before the end. */
  readonly interval?: number;
  /** ms of silence after which the source is marked idle (between one and two of them, as it is checked once per timeout); default `Infinity`, off. */
  readonly idleTimeout?: number;
  /** Clock and timers; default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike;
}

/**
 * A stream whose records, timestamps and watermarks are made by hand: `run` gets a context and may use it, at once or
 * later, until it says `complete()` or `error()`.
 *
 * **Time**: in event time everything goes on as given, but for watermarks that don't rise. In ingestion time records are
 * stamped with the clock, and watermarks are multiples of `interval`: each comes after the first record past the one that
 * is due, or at a tick if no record did. In processing time records have no timestamp. A source that was marked idle, by
 * hand or by `idleTimeout`, is active again right before its next record, or with its next watermark.
 * **State**: none. What the context is told while a record is being handled downstream waits until that is done; calls
 * after the end do nothing.
 * **Completion and errors**: `complete()` gives `MAX_TIMESTAMP`, if it was not given, and completes. `error()`, a throw of
 * `run` or of `key`, and a timestamp that is none fail the stream. What `run` returns (a function or a Subscription) is
 * called at the end, whichever it is, and on unsubscription. The timers stop then, and at `MAX_TIMESTAMP`.
 *
 * ```ts
 * fromSource<string>((context) => {
 *   context.collectWithTimestamp('a', 1_000);
 *   context.emitWatermark(999);
 *   context.complete();
 * }); // record('a', 1_000), watermark(999), watermark(MAX_TIMESTAMP)
 * ```
 *
 * @throws RangeError or TypeError at once, if a field of the config is not what it should be.
 * Errors in the stream: `InvalidTimestampError`.
 * @see Flink's SourceFunction and its three source contexts.
 * @category sources
 * @since 0.1.0
 */
export function fromSource<A, K = undefined>(
  run: (context: SourceContext<A>) => TeardownLogic,
  config: SourceConfig<Same<A>, K> = {},
): EventStream<A, K> {
  const { time = 'event', key, interval = 200, idleTimeout = Infinity, scheduler = asyncScheduler } = config;
  assertFunction('fromSource', 'run', run);
  if (key !== undefined) assertFunction('fromSource', 'key', key);
  assertMs('fromSource', 'interval', interval, 1, true);
  if (interval > LONGEST_DELAY && interval !== Infinity) {
    throw refuse('fromSource', 'interval', interval, `at most ${LONGEST_DELAY} ms, or Infinity`);
  }
  assertMs('fromSource', 'idleTimeout', idleTimeout, 1, true);
  if (!Object.hasOwn(STAGES, time)) throw refuse('fromSource', 'time', time, `'event', 'processing' or 'ingestion'`);
  const Stage = STAGES[time];
  const options: SourceOptions<A, K> = { key, interval, idleTimeout, scheduler };
  // an operator on a silent source: `run` is to be called outside of any step
  return NEVER.pipe(operate<never, StreamElement<A, K>>((out) => new Stage(out, run, options)));
}

const STAGES = { event: EventSourceStage, processing: SourceStage, ingestion: IngestionSourceStage };

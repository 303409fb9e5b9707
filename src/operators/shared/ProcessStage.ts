import type { Observer, SchedulerLike, Subscriber } from 'rxjs';
import { type Handler, ProcessCore, type ProcessSink } from '../../core/ProcessCore.js';
import { MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamElement } from '../../element/element.js';
import { ElementStage } from '../../internal/ElementStage.js';
import { ProcessingTimers } from '../../schedulers/processingTimers.js';
import { refuse } from '../../time/assert.js';
import { toTimestamp } from '../../time/timestamp.js';
import { assertItems, type Items } from './items.js';
import { SideOutputs } from './SideOutputs.js';

/**
 * The timers of the key at hand, one for each time in each domain: setting one twice fires it once.
 *
 * @category process
 * @since 0.1.0
 */
export interface Timers {
  /** Calls `onTimer` when the watermark reaches `time` (ms); `MAX_TIMESTAMP` is the end of the stream. */
  readonly eventTime: (time: number) => void;
  /** Calls `onTimer` when the clock of the scheduler has passed `time` (ms); not once the stream has ended. */
  readonly processingTime: (time: number) => void;
  readonly cancelEventTime: (time: number) => void;
  readonly cancelProcessingTime: (time: number) => void;
}

/**
 * What a process function sees besides its input. It is only good within a call, of a generator until it has ended.
 *
 * @category process
 * @since 0.1.0
 */
export interface ProcessContext<out K> {
  readonly key: K;
  /** The record's timestamp, or the event timer's; `MIN_TIMESTAMP` in a timer of the clock. Results carry it. */
  readonly timestamp: number;
  /** The watermark; in an event timer the one that fired it. */
  readonly watermark: number;
  /** The clock of the scheduler, in ms. */
  readonly now: () => number;
  readonly timers: Timers;
  /** Puts a value to a side output, such as one of `sideOutput()`. */
  readonly output: <T>(to: Observer<T>, value: T) => void;
  /** Forgets the state of this key; the next call begins with a new one. Its timers stay. */
  readonly clear: () => void;
}

/** How a process function is run. */
export interface ProcessConfig {
  /** Whose clock timers of processing time follow; default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike;
}

/** What the functions of a spec give: values to put out, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement gives void
export type Processed<B> = Items<B> | void;

/** A process core at work in a stream, with any number of inputs. */
export abstract class ProcessStage<E, K, S, B> extends ElementStage<E, B, K> implements ProcessSink<B, K> {
  protected readonly core: ProcessCore<K, S, B, ProcessContext<K>>;
  private readonly timers: ProcessingTimers;
  private readonly sides = new SideOutputs([]);

  constructor(
    out: Subscriber<StreamElement<B, K>>,
    private readonly name: string,
    create: () => S,
    onTimer: ((timestamp: number, state: S, context: ProcessContext<K>) => Processed<B>) | undefined,
    scheduler: SchedulerLike,
  ) {
    super(out);
    this.side = this.sides;
    this.timers = new ProcessingTimers(scheduler, (time) => this.step(() => this.tick(time)));
    this.add(this.timers);
    this.core = new ProcessCore(name, create, onTimer as Handler<number, S, B, ProcessContext<K>>, this, this.context());
  }

  /** A record has been handled. */
  protected rest(): void {
    if (!this.closed) this.timers.wakeAt(this.core.nextTimer);
  }

  /** Event time is at `time` now: timers fire before the watermark goes on. */
  protected advance(time: number, idle: boolean): void {
    this.core.watermark(time);
    if (this.closed) return;
    this.pass(time, idle);
    this.rest();
  }

  private tick(time: number): void {
    this.core.clock(time);
    this.rest();
  }

  /** All inputs have ended: what waits for an event time comes now, what waits for the clock never will. */
  protected override end(): void {
    this.advance(MAX_TIMESTAMP, false);
    super.end();
  }
  protected override onFree(): void {
    this.core.free();
  }

  result(value: B, timestamp: number, key: K): void {
    this.outlet.record(value, timestamp, key);
  }

  /** Functions, not methods: users take them apart. */
  private context(): ProcessContext<K> {
    const stage = this;
    const checked = (timer: string, raw: number): number => {
      const time = raw === MAX_TIMESTAMP || raw === MIN_TIMESTAMP ? raw : toTimestamp(raw);
      if (Number.isNaN(time)) throw refuse(stage.name, `the time of timers.${timer}`, raw, 'ms since the epoch');
      return time;
    };
    return {
      get key() {
        return stage.core.key;
      },
      get timestamp() {
        return stage.core.timestamp;
      },
      get watermark() {
        return stage.core.time;
      },
      now: () => stage.timers.now(),
      timers: {
        eventTime: (time) => stage.core.setEvent(checked('eventTime', time)),
        processingTime: (time) => stage.core.setClock(checked('processingTime', time)),
        cancelEventTime: (time) => stage.core.cancelEvent(checked('cancelEventTime', time)),
        cancelProcessingTime: (time) => stage.core.cancelClock(checked('cancelProcessingTime', time)),
      },
      output: (to, value) => stage.sides.next(to, value),
      clear: () => stage.core.clearState(),
    };
  }
}

/** A function of the user's, whose result is looked at. */
export function handler<I, S, B, K>(
  name: string,
  of: string,
  f: (input: I, state: S, context: ProcessContext<K>) => Processed<B>,
): Handler<I, S, B, ProcessContext<K>> {
  return (input, state, context) => {
    const items: unknown = f(input, state, context);
    assertItems(name, of, items);
    return items as Iterable<B> | undefined;
  };
}

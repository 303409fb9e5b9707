import { asyncScheduler, type OperatorFunction, type SchedulerLike, type Subscriber } from 'rxjs';
import type { Handler } from '../core/ProcessCore.js';
import { MIN_TIMESTAMP, type StreamElement } from '../element/element.js';
import { operate } from '../internal/operate.js';
import { assertFunction, assertObject } from '../time/assert.js';
import { handler, type ProcessConfig, type ProcessContext, type Processed, ProcessStage } from './shared/ProcessStage.js';

/** Logic of your own: a state for each key, what to do at a record, and what to do at a timer. */
export interface ProcessSpec<A, K, S, B, C> {
  /** The state of a key that has none; mutate it in place. One of `undefined` is none. */
  readonly create: () => S;
  /** Called with each record. What it returns or yields is put out with the record's time and key. */
  readonly onRecord: (value: A, state: S, context: ProcessContext<K>) => Processed<B>;
  /** Called with each timer that is due. What it returns or yields is put out with the timer's time and key. */
  readonly onTimer?: (timestamp: number, state: S, context: ProcessContext<K>) => Processed<C>;
}

/**
 * What your own function makes of each record, with a state for each key and timers.
 *
 * **Time**: event timers fire when a watermark reaches them, in time order, before it goes on; inside them `context.watermark`
 * is already the new one. A timer for a time that has passed waits for the next watermark, one that is set in `onTimer` and due
 * fires in the same step. Results of an event timer carry its time, those of a timer of the clock none (`MIN_TIMESTAMP`).
 * The watermark is not held for results. Idleness passes, and fires nothing.
 * **State**: of each key until `context.clear()`; a key with neither state nor timers leaves nothing behind.
 * **Late records** come as all others: compare `context.timestamp` with `context.watermark`.
 * **Completion and errors**: at completion event timers fire up to `MAX_TIMESTAMP`, so a timer that always sets itself again
 * has to stop there; timers of the clock are dropped. A throw is the error, and lets go of everything. Side outputs complete
 * with the operator.
 *
 * ```ts
 * const silent = processWith({
 *   create: () => ({ last: 0 }),
 *   onRecord(n: number, state, { key, timestamp, timers }) {
 *     timers.cancelEventTime(state.last + 10);
 *     state.last = timestamp;
 *     timers.eventTime(timestamp + 10);
 *   },
 *   *onTimer(timestamp, state, context) {
 *     yield `${context.key} is silent since ${state.last}`;
 *     context.clear();
 *   },
 * });
 * const readings$ = from([keyedRecord(1, 0, 'a'), keyedRecord(2, 5, 'a'), watermark(20)]);
 * readings$.pipe(silent, toValues()); // 'a is silent since 5'
 * ```
 *
 * **Cost**: a lookup a record; a timer that is the latest costs nothing to speak of, another one a search by halving.
 *
 * @throws TypeError at once, if `create`, `onRecord` or `onTimer` is no function.
 * @see `coProcessWith` for two inputs; Flink's KeyedProcessFunction.
 * @category process
 * @since 0.1.0
 */
export function processWith<A, K, S, B = never, C = never>(
  spec: ProcessSpec<A, K, S, B, C>,
  config: ProcessConfig = {},
): OperatorFunction<StreamElement<A, K>, StreamElement<B | C, K>> {
  assertObject('processWith', 'spec', spec);
  assertFunction('processWith', 'create', spec.create);
  assertFunction('processWith', 'onRecord', spec.onRecord);
  if (spec.onTimer !== undefined) assertFunction('processWith', 'onTimer', spec.onTimer);
  const { scheduler = asyncScheduler } = config;
  return operate((out) => new SingleProcessStage<A, K, S, B | C>(out, spec, scheduler));
}

class SingleProcessStage<A, K, S, B> extends ProcessStage<StreamElement<A, K>, K, S, B> {
  private readonly onRecord: Handler<A, S, B, ProcessContext<K>>;
  private seen: number = MIN_TIMESTAMP; // what has come in last
  private wasIdle = false;

  constructor(out: Subscriber<StreamElement<B, K>>, spec: ProcessSpec<A, K, S, B, B>, scheduler: SchedulerLike) {
    super(
      out,
      'processWith',
      () => spec.create(),
      spec.onTimer && handler('processWith', 'onTimer', (t, s, c) => spec.onTimer?.(t, s, c)),
      scheduler,
    );
    this.onRecord = handler('processWith', 'onRecord', (value, state, context) => spec.onRecord(value, state, context));
  }

  protected onNext(element: StreamElement<A, K>): void {
    if (element._tag === 'Record') {
      this.core.record(element, this.onRecord);
      this.rest();
      return;
    }
    const { timestamp, idle } = element;
    const status = idle !== this.wasIdle;
    this.wasIdle = idle;
    if (timestamp > this.seen || (timestamp === this.seen && !status)) {
      this.seen = timestamp;
      this.advance(timestamp, idle);
    } else {
      this.pass(this.seen, idle);
    }
  }
  protected override onEnd(): void {
    this.end();
  }
}

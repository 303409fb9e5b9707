import { asyncScheduler, NEVER, type OperatorFunction, type Subscriber } from 'rxjs';
import type { Handler } from '../core/ProcessCore.js';
import { type InputIndex, TwoInputWatermark } from '../core/TwoInputWatermark.js';
import { MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamElement, type StreamRecord } from '../element/element.js';
import type { Same } from '../element/same.js';
import type { EventStream } from '../internal/eventStream.js';
import { listen } from '../internal/listen.js';
import { operate } from '../internal/operate.js';
import { assertFunction, assertObject, assertStream } from '../time/assert.js';
import { handler, type ProcessConfig, type ProcessContext, type Processed, ProcessStage } from './shared/ProcessStage.js';

/** Logic of your own over two streams: a state for each key that both see, and what to do at records and timers. */
export interface CoProcessSpec<L, R, K, S, B, C, D> {
  /** The state of a key that has none; mutate it in place. One of `undefined` is none. */
  readonly create: () => S;
  /** Called with each record of the source. What it returns or yields is put out with the record's time and key. */
  readonly onLeft: (value: L, state: S, context: ProcessContext<K>) => Processed<B>;
  /** Called with each record of the other stream. */
  readonly onRight: (value: R, state: S, context: ProcessContext<K>) => Processed<C>;
  /** Called with each timer that is due. What it returns or yields is put out with the timer's time and key. */
  readonly onTimer?: (timestamp: number, state: S, context: ProcessContext<K>) => Processed<D>;
}

/**
 * What your own functions make of the records of two streams with the same keys, which share state and timers.
 *
 * **Time**: the watermark is the least of the two; an idle stream is not waited for, but when it comes back it is, at once,
 * even behind. When both are idle it is the greater one. Timers and results are those of `processWith`.
 * **State**: of each key until `context.clear()`; a key with neither state nor timers leaves nothing behind.
 * **Late records** come as all others.
 * **Completion and errors**: a stream that has ended, or given `MAX_TIMESTAMP`, is not waited for. When both have ended,
 * event timers fire up to `MAX_TIMESTAMP`; timers of the clock are dropped. The error of one is the error of both, at once.
 *
 * ```ts
 * const orders$ = from([keyedRecord('tea', 1, 'o1'), keyedRecord('cups', 2, 'o2'), watermark(2)]);
 * const payments$ = from([keyedRecord(5, 3, 'o1'), watermark(50)]);
 * orders$.pipe(
 *   coProcessWith(payments$, {
 *     create: () => ({ order: '', paid: false }),
 *     onLeft(order: string, state, { timestamp, timers }) {
 *       state.order = order;
 *       timers.eventTime(timestamp + 30);
 *     },
 *     onRight(_cents: number, state) {
 *       state.paid = true;
 *     },
 *     onTimer(_timestamp, { order, paid }, context) {
 *       context.clear();
 *       return paid ? [] : [`${order}: not paid`];
 *     },
 *   }),
 *   toValues(),
 * ); // 'cups: not paid'
 * ```
 *
 * **Cost**: as `processWith`.
 *
 * @throws TypeError at once, if `right` is no observable, or one of the functions none.
 * @see `processWith`, `intervalJoinWith`; Flink's KeyedCoProcessFunction (`connect`).
 * @category process
 * @since 0.1.0
 */
export function coProcessWith<L, R, K, S, B = never, C = never, D = never>(
  right: EventStream<R, K>,
  spec: CoProcessSpec<Same<L>, Same<R>, Same<K>, S, B, C, D>,
  config: ProcessConfig = {},
): OperatorFunction<StreamElement<L, K>, StreamElement<B | C | D, K>> {
  const name = 'coProcessWith';
  assertStream(name, 'right', right);
  assertObject(name, 'spec', spec);
  assertFunction(name, 'create', spec.create);
  assertFunction(name, 'onLeft', spec.onLeft);
  assertFunction(name, 'onRight', spec.onRight);
  if (spec.onTimer !== undefined) assertFunction(name, 'onTimer', spec.onTimer);
  // an operator on a silent source: its start is outside of any step, and there both streams are subscribed
  return (left) =>
    NEVER.pipe(
      operate(
        (out) => new CoProcessStage<L, R, K, S, B | C | D>(out, left, right, spec as AnySpec<L, R, K, S, B | C | D>, config),
      ),
    );
}

type AnySpec<L, R, K, S, B> = CoProcessSpec<L, R, K, S, B, B, B>;

/** What an input has said last. */
class Seen {
  time: number = MIN_TIMESTAMP;
  idle = false;
}

class CoProcessStage<L, R, K, S, B> extends ProcessStage<never, K, S, B> {
  private readonly combined = new TwoInputWatermark();
  private readonly seen: readonly [Seen, Seen] = [new Seen(), new Seen()];
  private live = 2;
  private readonly onLeft: Handler<L, S, B, ProcessContext<K>>;
  private readonly onRight: Handler<R, S, B, ProcessContext<K>>;

  constructor(
    out: Subscriber<StreamElement<B, K>>,
    private readonly left: EventStream<L, K>,
    private readonly right: EventStream<R, K>,
    spec: AnySpec<L, R, K, S, B>,
    config: ProcessConfig,
  ) {
    const name = 'coProcessWith';
    super(
      out,
      name,
      () => spec.create(),
      spec.onTimer && handler(name, 'onTimer', (t, s, c) => spec.onTimer?.(t, s, c)),
      config.scheduler ?? asyncScheduler,
    );
    this.onLeft = handler(name, 'onLeft', (value, state, context) => spec.onLeft(value, state, context));
    this.onRight = handler(name, 'onRight', (value, state, context) => spec.onRight(value, state, context));
  }

  protected onNext(): void {} // the silent source

  override onStart(): void {
    listen(
      this,
      this.left,
      (element: StreamElement<L, K>) => this.take(0, element, this.onLeft),
      () => this.leave(0),
    );
    if (this.closed) return;
    listen(
      this,
      this.right,
      (element: StreamElement<R, K>) => this.take(1, element, this.onRight),
      () => this.leave(1),
    );
  }

  private take<A>(index: InputIndex, element: StreamElement<A, K>, onRecord: Handler<A, S, B, ProcessContext<K>>): void {
    if (element._tag === 'Record') {
      this.core.record(element as StreamRecord<A, K>, onRecord);
      this.rest();
      return;
    }
    const { timestamp, idle } = element;
    const seen = this.seen[index];
    const advances = timestamp > seen.time;
    // written out (rule W6): what an advance releases fires before what going idle releases
    if (advances && idle && !seen.idle) this.mark(index, timestamp, false);
    if (advances) seen.time = timestamp;
    seen.idle = idle;
    if (!this.closed) this.mark(index, seen.time, idle);
  }

  private mark(index: InputIndex, timestamp: number, idle: boolean): void {
    const { combined } = this;
    const before = combined.time;
    combined.update(index, timestamp, idle);
    if (combined.time > before) this.advance(combined.time, combined.idle);
    else this.pass(before, combined.idle);
  }

  private leave(index: InputIndex): void {
    if (--this.live === 0) this.end();
    else this.mark(index, MAX_TIMESTAMP, false);
  }
}

import { NEVER, type OperatorFunction, type Subscriber } from 'rxjs';
import type { JoinCore, JoinSink, Side } from '../../core/JoinCore.js';
import { type InputIndex, TwoInputWatermark } from '../../core/TwoInputWatermark.js';
import { MAX_TIMESTAMP, type StreamElement } from '../../element/element.js';
import { type Counters, countersOf, type LiveCounters } from '../../internal/counters.js';
import { ElementStage } from '../../internal/ElementStage.js';
import type { EventStream } from '../../internal/eventStream.js';
import { listen } from '../../internal/listen.js';
import { operate } from '../../internal/operate.js';
import type { Producer } from '../../internal/sink.js';
import { LateOutputs, type LateSides } from './joinConfig.js';
import type { Shape } from './joinShapes.js';

/** What every join is told besides what it joins. */
interface JoinConfig<L, R, K> {
  readonly lateTo?: LateSides<L, R, K>;
  readonly counters?: Counters;
}

/** The operator that joins its source with another stream by a core. */
export function join<L, R, K, B>(
  right: EventStream<R, K>,
  shape: Shape<L, R, B>,
  config: JoinConfig<L, R, K>,
  core: (sink: JoinSink<L, R, K>) => JoinCore<L, R, K>,
): OperatorFunction<StreamElement<L, K>, StreamElement<B, K>> {
  // an operator on a silent source: the sides are inputs alike, each is let go when it has ended
  return (left) => NEVER.pipe(operate((out) => new JoinStage(out, left, right, shape, config, core)));
}

/** A join at work: two inputs, one queue, and the watermark that both agree on. */
class JoinStage<L, R, K, B> extends ElementStage<never, B, K> implements JoinSink<L, R, K> {
  private readonly core: JoinCore<L, R, K>;
  private readonly counters: LiveCounters;
  private readonly inputs = new TwoInputWatermark();
  private readonly lateTo: LateOutputs<L, R, K>;
  private told: number = this.inputs.time; // the watermark that the core knows
  private completed = 0; // of the two inputs

  constructor(
    out: Subscriber<StreamElement<B, K>>,
    private readonly leftSource: EventStream<L, K>,
    private readonly rightSource: EventStream<R, K>,
    private readonly shape: Shape<L, R, B>,
    { lateTo, ...config }: JoinConfig<L, R, K>,
    core: (sink: JoinSink<L, R, K>) => JoinCore<L, R, K>,
  ) {
    super(out);
    this.counters = countersOf(config);
    this.core = core(this);
    this.side = this.lateTo = new LateOutputs(lateTo);
  }

  override onStart(): void {
    listen(this, this.leftSource, this.onLeft, () => this.onInputEnd(0));
    if (!this.closed) listen(this, this.rightSource, this.onRight, () => this.onInputEnd(1));
  }

  protected onNext(): void {} // the silent source

  private readonly onLeft = (element: StreamElement<L, K>): void => {
    if (element._tag === 'Record') {
      this.counters.records++;
      this.core.left(element.value, element.timestamp, element.key);
    } else if (this.inputs.update(0, element.timestamp, element.idle)) this.settle();
  };

  private readonly onRight = (element: StreamElement<R, K>): void => {
    if (element._tag === 'Record') {
      this.counters.records++;
      this.core.right(element.value, element.timestamp, element.key);
    } else if (this.inputs.update(1, element.timestamp, element.idle)) this.settle();
  };

  private onInputEnd(index: InputIndex): void {
    this.completed++;
    if (this.inputs.finish(index)) this.settle();
    if (this.completed === 2) this.end();
  }

  /** What has to come before the watermark comes, then as much of it as may go on. */
  private settle(): void {
    const { time, idle } = this.inputs;
    if (time > this.told) {
      this.told = time;
      this.core.watermark(time);
      if (this.closed) return;
    }
    this.pass(time === MAX_TIMESTAMP ? time : this.core.passable(time), idle);
  }

  pair(left: L, right: R, timestamp: number, key: K): void {
    this.outlet.record(this.shape.pair(left, right), timestamp, key);
  }
  alone(side: Side, value: L | R, timestamp: number, key: K): void {
    const shape = this.shape[side] as (value: L | R) => B; // which is there, or none would come
    this.outlet.record(shape(value), timestamp, key);
  }
  late(side: Side, value: L | R, timestamp: number, key: K): void {
    this.counters.late++;
    const to = this.lateTo[side] as Producer<StreamElement<L | R, K>> | null;
    to?.next({ _tag: 'Record', value, timestamp, key });
  }
}

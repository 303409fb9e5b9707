import type { Subscriber } from 'rxjs';
import type { JoinCore, JoinSink, Side } from '../../core/JoinCore.js';
import { TwoInputWatermark } from '../../core/TwoInputWatermark.js';
import { MAX_TIMESTAMP, type StreamElement, type StreamRecord } from '../../element/element.js';
import type { LiveCounters } from '../../internal/counters.js';
import type { EventStream } from '../../internal/eventStream.js';
import { listen } from '../../internal/listen.js';
import { ElementStage } from '../../internal/operate.js';
import { openSink, type Producer } from '../../internal/sink.js';
import type { LateSides } from './joinConfig.js';
import type { Shape } from './joinShapes.js';

/** A join at work: two inputs, one queue, and the watermark that both agree on. */
export class JoinStage<L, R, K, B> extends ElementStage<StreamElement<L, K>, B, K> implements JoinSink<L, R, K> {
  private readonly core: JoinCore<L, R, K>;
  private readonly inputs = new TwoInputWatermark();
  private readonly lateLeft: Producer<StreamRecord<L, K>> | null;
  private readonly lateRight: Producer<StreamRecord<R, K>> | null;
  private told: number = this.inputs.time; // the watermark that the core knows
  private completed = 0; // of the two inputs

  constructor(
    out: Subscriber<StreamElement<B, K>>,
    private readonly rightSource: EventStream<R, K>,
    private readonly shape: Shape<L, R, B>,
    private readonly counters: LiveCounters,
    lateTo: LateSides<L, R, K> | undefined,
    core: (sink: JoinSink<L, R, K>) => JoinCore<L, R, K>,
  ) {
    super(out);
    this.core = core(this);
    this.lateLeft = openSink(lateTo?.left);
    this.lateRight = openSink(lateTo?.right);
  }

  override onStart(): void {
    listen(this, this.rightSource, this.onRight, () => this.onInputEnd(1));
  }

  protected onNext(element: StreamElement<L, K>): void {
    if (element._tag === 'Record') {
      this.counters.records++;
      this.core.left(element);
    } else if (this.inputs.update(0, element.timestamp, element.idle)) this.settle();
  }

  private readonly onRight = (element: StreamElement<R, K>): void => {
    if (element._tag === 'Record') {
      this.counters.records++;
      this.core.right(element);
    } else if (this.inputs.update(1, element.timestamp, element.idle)) this.settle();
  };

  /** The left input is over. */
  protected override onEnd(): void {
    this.onInputEnd(0);
  }

  private onInputEnd(index: 0 | 1): void {
    this.completed++;
    if (this.inputs.finish(index)) this.settle();
    if (this.closed || this.completed < 2) return;
    this.lateLeft?.complete();
    this.lateRight?.complete();
    this.finish();
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

  protected override onFail(cause: unknown): void {
    this.lateLeft?.error(cause);
    this.lateRight?.error(cause);
  }
  protected override onFree(): void {
    this.lateLeft?.release();
    this.lateRight?.release();
  }

  joined(left: StreamRecord<L, K> | null, right: StreamRecord<R, K> | null, timestamp: number): void {
    const key = (left ?? (right as StreamRecord<R, K>)).key;
    this.out.next({ _tag: 'Record', value: this.shape(left, right), timestamp, key });
  }
  late(side: Side, record: StreamRecord<L, K> | StreamRecord<R, K>): void {
    this.counters.late++;
    if (side === 'left') this.lateLeft?.next(record as StreamRecord<L, K>);
    else this.lateRight?.next(record as StreamRecord<R, K>);
  }
}

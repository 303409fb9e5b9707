import type { SchedulerLike, Subscriber } from 'rxjs';
import type { WindowCore, WindowSink } from '../../core/WindowCore.js';
import { MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamElement, type StreamRecord } from '../../element/element.js';
import type { LiveCounters } from '../../internal/counters.js';
import { ElementStage } from '../../internal/operate.js';
import { openSink, type Producer, type Sink } from '../../internal/sink.js';
import { ProcessingTimers } from '../../schedulers/processingTimers.js';
import type { Pane, WindowResult } from '../../windows/result.js';

/** A window core at work in a stream: results before the watermark that causes them, late records to their side output. */
export class WindowStage<A, K, R, W>
  extends ElementStage<StreamElement<A, K>, WindowResult<R, K, W>, undefined>
  implements WindowSink<A, K, R, W>
{
  private readonly core: WindowCore<A, K>;
  private readonly timers: ProcessingTimers;
  private readonly lateTo: Producer<StreamRecord<A, K>> | null;
  private seen: number = MIN_TIMESTAMP;

  constructor(
    out: Subscriber<StreamElement<WindowResult<R, K, W>>>,
    scheduler: SchedulerLike,
    private readonly counters: LiveCounters,
    lateTo: Sink<StreamRecord<A, K>> | undefined,
    core: (sink: WindowSink<A, K, R, W>) => WindowCore<A, K>,
  ) {
    super(out);
    this.timers = new ProcessingTimers(scheduler, (time) => this.step(() => this.tick(time)));
    this.add(this.timers);
    this.core = core(this);
    this.lateTo = openSink(lateTo);
  }

  protected onNext(element: StreamElement<A, K>): void {
    if (element._tag === 'Record') {
      this.counters.records++;
      this.core.record(element);
    } else {
      if (element.timestamp > this.seen) {
        this.seen = element.timestamp;
        this.core.watermark(element.timestamp);
        if (this.closed) return;
      }
      this.pass(element.timestamp, element.idle, element);
    }
    this.timers.wakeAt(this.core.nextTimer);
  }

  private tick(time: number): void {
    this.core.clock(time);
    if (!this.closed) this.timers.wakeAt(this.core.nextTimer);
  }

  protected override onEnd(): void {
    if (this.seen < MAX_TIMESTAMP) {
      this.core.watermark(MAX_TIMESTAMP);
      if (this.closed) return;
    }
    this.core.end();
    if (this.closed) return;
    this.lateTo?.complete();
    this.pass(MAX_TIMESTAMP, false);
    this.finish();
  }
  protected override onFail(cause: unknown): void {
    this.lateTo?.error(cause);
  }
  protected override onFree(): void {
    this.lateTo?.release();
  }

  now(): number {
    return this.timers.now();
  }
  result(key: K, window: W, value: R, pane: Pane, timestamp: number): void {
    this.out.next({ _tag: 'Record', value: { key, window, value, pane }, timestamp, key: undefined });
  }
  late(record: StreamRecord<A, K>): void {
    this.counters.late++;
    this.lateTo?.next(record);
  }
  unassigned(_record: StreamRecord<A, K>): void {
    this.counters.unassigned++;
  }
  discarded(records: number): void {
    this.counters.discarded += records;
  }
}

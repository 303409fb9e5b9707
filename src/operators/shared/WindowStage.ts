import { asyncScheduler, type Subscriber } from 'rxjs';
import type { WindowCore, WindowSink } from '../../core/WindowCore.js';
import { MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamElement, type StreamRecord, type Watermark } from '../../element/element.js';
import { countersOf, type LiveCounters } from '../../internal/counters.js';
import { RecordStage } from '../../internal/ElementStage.js';
import { BUSY, READY } from '../../internal/operate.js';
import { openSink, type Producer } from '../../internal/sink.js';
import { ProcessingTimers } from '../../schedulers/processingTimers.js';
import type { Pane, WindowResult } from '../../windows/result.js';
import type { WindowConfig } from './windowConfig.js';

/** What a window operator hands to its stage. */
export interface WindowWiring<A, K, R, W> {
  readonly config: WindowConfig<A, K, W>;
  /** A record may hold the watermark back, or ask for the clock. */
  readonly settling: boolean;
  readonly core: (sink: WindowSink<A, K, R, W>) => WindowCore<A, K>;
}

/**
 * A window core at work in a stream: results before the watermark that causes them, late records to their side output.
 * A result `R` of the core comes out as it is; subclasses make something else of it.
 */
export class WindowStage<A, K, R, W, B = R>
  extends RecordStage<A, K, WindowResult<B, K, W>, undefined>
  implements WindowSink<A, K, R, W>
{
  private readonly counters: LiveCounters;
  private readonly settling: boolean;
  private readonly core: WindowCore<A, K>;
  private readonly timers: ProcessingTimers;
  protected readonly lateTo: Producer<StreamRecord<A, K>> | null;
  /** The watermark that came in last, and the idleness. */
  protected seen: number = MIN_TIMESTAMP;
  private wasIdle = false;

  constructor(out: Subscriber<StreamElement<WindowResult<B, K, W>>>, wiring: WindowWiring<A, K, R, W>) {
    super(out);
    const { config } = wiring;
    this.counters = countersOf(config);
    this.settling = wiring.settling;
    this.timers = new ProcessingTimers(config.scheduler ?? asyncScheduler, (time) => this.step(() => this.tick(time)));
    this.add(this.timers);
    this.core = wiring.core(this);
    this.side = this.lateTo = openSink(config.lateTo);
  }

  // the work stands within the guard of `Stage.next`: see there
  override record(value: A, timestamp: number, key: K): void {
    if (this.phase !== READY) {
      this.defer(value, timestamp, key);
      return;
    }
    this.phase = BUSY;
    try {
      this.counters.records++;
      this.core.record(value, timestamp, key);
      if (this.settling) this.settle();
    } catch (cause) {
      this.fail(cause);
    }
    if (this.phase === BUSY) this.phase = READY;
    else this.drain();
  }

  protected override onNext({ timestamp, idle }: Watermark): void {
    this.advance(timestamp);
    this.wasIdle = idle;
    this.settle();
  }

  private advance(timestamp: number): void {
    if (timestamp <= this.seen) return;
    this.seen = timestamp;
    this.core.watermark(timestamp);
  }

  private tick(time: number): void {
    this.core.clock(time);
    this.settle();
  }

  /** Sends the watermark on, as far as no result that is to come holds it back (W10), and asks for the next call of the clock. */
  private settle(): void {
    if (this.closed) return;
    const { hold } = this.core;
    const held = hold <= this.seen && this.seen !== MAX_TIMESTAMP;
    this.pass(held ? hold - 1 : this.seen, this.wasIdle);
    this.timers.wakeAt(this.core.nextTimer);
  }

  protected override onEnd(): void {
    this.advance(MAX_TIMESTAMP);
    if (this.closed) return;
    this.core.end();
    this.end();
  }

  now(): number {
    return this.timers.now();
  }
  result(key: K, window: W, value: R, pane: Pane, timestamp: number, _local: unknown): void {
    this.outlet.record({ key, window, value: value as unknown as B, pane }, timestamp, undefined);
  }
  late(value: A, timestamp: number, key: K): void {
    this.counters.late++;
    this.lateTo?.next({ _tag: 'Record', value, timestamp, key });
  }
  unassigned(_value: A): void {
    this.counters.unassigned++;
  }
  discarded(records: number): void {
    this.counters.discarded += records;
  }
}

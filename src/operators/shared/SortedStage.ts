import type { Subscriber } from 'rxjs';
import { SortCore } from '../../core/SortCore.js';
import { MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamElement, type StreamRecord } from '../../element/element.js';
import { type Counters, countersOf, type LiveCounters } from '../../internal/counters.js';
import { ElementStage } from '../../internal/ElementStage.js';
import { openSink, type Producer } from '../../internal/sink.js';
import type { LateSink } from './windowConfig.js';

/** What operators that go by the order of event time have in common. */
export interface SortedConfig<A, K> {
  /** Where records go that come after the watermark has reached their time; default nowhere (they are counted). */
  readonly lateTo?: LateSink<A, K>;
  /** Counts `records` and `late`. */
  readonly counters?: Counters;
}

/** A stage that sees the records in the order of their times: each of them once the watermark has reached it. */
export abstract class SortedStage<A, K, B, L = K> extends ElementStage<StreamElement<A, K>, B, L> {
  protected readonly sorted: SortCore<A, K>;
  protected readonly counters: LiveCounters;
  protected readonly lateTo: Producer<StreamRecord<A, K>> | null;
  /** The watermark and the idleness that came in last. */
  protected seen: number = MIN_TIMESTAMP;
  private wasIdle = false;

  constructor(out: Subscriber<StreamElement<B, L>>, name: string, config: SortedConfig<A, K>) {
    super(out);
    this.sorted = new SortCore(name);
    this.counters = countersOf(config);
    this.side = this.lateTo = openSink(config.lateTo);
  }

  /** A record, in the order of time. */
  protected abstract onRecord(record: StreamRecord<A, K>): void;
  /** All records up to the watermark `time` have been seen: fire what is due, release what is over. */
  protected onTime(_time: number): void {}
  /** The watermark stays below this (W10). */
  protected get hold(): number {
    return Infinity;
  }

  protected onNext(element: StreamElement<A, K>): void {
    if (element._tag === 'Record') {
      this.counters.records++;
      if (this.sorted.add(element)) {
        this.onKept();
      } else {
        this.counters.late++;
        this.lateTo?.next(element);
      }
      return;
    }
    if (element.timestamp > this.seen) {
      this.advance(element.timestamp);
      if (this.closed) return;
    }
    this.wasIdle = element.idle;
    this.settle();
  }

  /** A record waits. */
  protected onKept(): void {}

  protected advance(time: number): void {
    this.seen = time;
    this.sorted.watermark(time);
    for (let record = this.sorted.take(time); record !== undefined; record = this.sorted.take(time)) {
      this.onRecord(record);
      if (this.closed) return;
    }
    this.onTime(time);
  }

  private settle(): void {
    const { hold, seen } = this;
    const held = hold <= seen && seen !== MAX_TIMESTAMP;
    this.pass(held ? hold - 1 : seen, this.wasIdle);
  }

  protected override onEnd(): void {
    if (this.seen < MAX_TIMESTAMP) {
      this.advance(MAX_TIMESTAMP);
    }
    this.end();
  }
}

import type { Subscriber } from 'rxjs';
import { MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamElement, type Watermark } from '../element/element.js';
import { Stage } from './operate.js';

/**
 * Where the records of a stage go: in pieces, so that an element is made only for who is no stage. Behind a stage there is
 * mostly another one, and the element between the two would be the dearest part of both.
 */
export interface Outlet<A, K> {
  record(value: A, timestamp: number, key: K): void;
}

/** The way out of the pipe: here elements are made. */
class Exit<A, K> implements Outlet<A, K> {
  constructor(private readonly out: Subscriber<StreamElement<A, K>>) {}
  record(value: A, timestamp: number, key: K): void {
    this.out.next({ _tag: 'Record', value, timestamp, key });
  }
}

/** A stage that puts out elements: it knows what watermark downstream has, and how the next one leaves. */
export abstract class ElementStage<A, B, K> extends Stage<A, StreamElement<B, K>> {
  protected readonly outlet: Outlet<B, K>;
  /** The watermark that downstream knows. */
  protected time: number = MIN_TIMESTAMP;
  protected idle = false;

  constructor(out: Subscriber<StreamElement<B, K>>) {
    super(out);
    // a stage is subscribed as it is, see `Stage`; one of another copy of this package is a subscriber as any other
    const next: unknown = out;
    this.outlet = next instanceof Stage ? next : new Exit(out);
  }

  /**
   * The one way by which a watermark leaves (W1): nothing that does not advance, unless idleness changes. Written
   * canonically (W6): an advance and a going idle are two elements. It is a new element even where one came in that says the
   * same.
   */
  protected pass(timestamp: number, idle: boolean): void {
    if (this.time === MAX_TIMESTAMP) return;
    const rests = idle && timestamp < MAX_TIMESTAMP; // a stream that has finished is neither active nor idle
    if (timestamp > this.time) {
      this.time = timestamp;
      if (rests && !this.idle) this.out.next({ _tag: 'Watermark', timestamp, idle: false });
    } else if (rests === this.idle) {
      return;
    }
    this.idle = rests;
    this.out.next({ _tag: 'Watermark', timestamp: this.time, idle: rests });
  }

  /** Everything has come out: side outputs end, then event time, then the stream. */
  protected end(): void {
    if (this.closed) return;
    this.side?.complete();
    this.pass(MAX_TIMESTAMP, false);
    this.finish();
  }
}

/** A stage through which records pass one by one: its work is in `record`, within the guard of `Stage.next`. */
export abstract class RecordStage<A, K, B, L> extends ElementStage<StreamElement<A, K>, B, L> {
  abstract override record(value: A, timestamp: number, key: K): void;

  /** From who is no stage, or has elements. */
  override next(element: StreamElement<A, K>): void {
    if (element._tag === 'Record') this.record(element.value, element.timestamp, element.key);
    else super.next(element);
  }

  protected onNext({ timestamp, idle }: Watermark): void {
    this.pass(timestamp, idle);
  }
}

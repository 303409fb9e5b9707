import { NEVER, type Observable, type ObservableInput, type OperatorFunction, type Subscriber } from 'rxjs';
import type { StreamElement, StreamRecord, Watermark } from '../../element/element.js';
import { listen } from '../../internal/listen.js';
import { operate } from '../../internal/operate.js';
import { SubscribingStage } from '../../internal/SubscribingStage.js';

/** What lies between two watermarks: work, and results that wait for the watermarks before them. */
class Segment<B, K> {
  /** Records whose work is not done yet, waiting ones included. */
  open = 0;
  /** Results of work that was faster than what came before the watermark in front. */
  held: Array<StreamRecord<B, K>> = [];
  /** The watermark or idle mark that ends it, once it has come. */
  mark: Watermark | null = null;
  next: Segment<B, K> | null = null;
}

/** A record that waits for its turn. */
interface Waiting<A, B, K> {
  readonly record: StreamRecord<A, K>;
  readonly segment: Segment<B, K>;
  next: Waiting<A, B, K> | null;
}

/** The operator that does `project` for each record, up to `concurrent` at once. */
export function work<A, B, K>(
  project: (value: A, timestamp: number) => ObservableInput<B>,
  concurrent: number,
): OperatorFunction<StreamElement<A, K>, StreamElement<B, K>> {
  // an operator on a silent source: its start is outside of any step, and there the real source is subscribed
  return (source) => NEVER.pipe(operate((out) => new WorkStage(out, source, project, concurrent)));
}

/**
 * Work that takes time, for up to `concurrent` records at once. A watermark, or an idle mark, leaves when all the work
 * before it is done (P080); results of work that came after it are held until then, so neither overtakes the other. With
 * one at a time this is the order of the input.
 *
 * The source is an input like the inner streams: it is let go when it has ended, not when the work has.
 */
class WorkStage<A, B, K> extends SubscribingStage<StreamElement<A, K>, B, K> {
  private running = 0;
  private sourceEnded = false;
  private first = new Segment<B, K>(); // its results go out at once
  private last = this.first;
  private head: Waiting<A, B, K> | null = null;
  private tail: Waiting<A, B, K> | null = null;

  constructor(
    out: Subscriber<StreamElement<B, K>>,
    private readonly source: Observable<StreamElement<A, K>>,
    private readonly project: (value: A, timestamp: number) => ObservableInput<B>,
    private readonly concurrent: number,
  ) {
    super(out);
  }

  override onStart(): void {
    listen(
      this,
      this.source,
      (element: StreamElement<A, K>) => this.onNext(element),
      () => this.onEnd(),
    );
  }

  protected onNext(element: StreamElement<A, K>): void {
    const segment = this.last;
    if (element._tag === 'Record') {
      segment.open++;
      const waiting = { record: element, segment, next: null };
      if (this.tail === null) this.head = waiting;
      else this.tail.next = waiting;
      this.tail = waiting;
      this.beginSoon();
    } else if (segment.open === 0 && segment === this.first) {
      this.pass(element.timestamp, element.idle);
    } else {
      segment.mark = element;
      this.last = segment.next = new Segment();
    }
  }

  protected override onEnd(): void {
    this.sourceEnded = true;
    this.finishIfDone();
  }
  protected override onFree(): void {
    this.head = this.tail = null;
    this.first = this.last = new Segment();
  }

  protected begin(): boolean {
    if (this.head === null || this.running === this.concurrent) return false;
    const { record, segment, next } = this.head;
    const { value, timestamp, key } = record;
    this.head = next;
    if (next === null) this.tail = null;
    this.running++;
    listen(
      this,
      this.project(value, timestamp),
      (result: B) => this.emit(segment, { _tag: 'Record', value: result, timestamp, key }),
      () => this.done(segment),
    );
    return true;
  }

  private emit(segment: Segment<B, K>, result: StreamRecord<B, K>): void {
    if (segment === this.first) this.out.next(result);
    else segment.held.push(result);
  }

  private done(segment: Segment<B, K>): void {
    this.running--;
    segment.open--;
    while (this.first.open === 0 && this.first.next !== null) {
      const { mark, next } = this.first;
      this.first = next;
      if (mark !== null) this.pass(mark.timestamp, mark.idle);
      for (const result of next.held) {
        if (this.closed) return;
        this.out.next(result);
      }
      if (this.closed) return;
      next.held = [];
    }
    this.finishIfDone();
  }

  private finishIfDone(): void {
    if (this.sourceEnded && this.first === this.last && this.first.open === 0) this.finish();
  }
}

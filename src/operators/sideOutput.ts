import { Observable, type Observer, Subject } from 'rxjs';
import { TidemarkError } from '../element/errors.js';
import { PRODUCER, type Producer } from '../internal/sink.js';

/**
 * A stream beside the main one: hand it to an operator (`lateTo: late`) and subscribe to it.
 *
 * @category windows
 * @since 0.1.0
 */
export interface SideOutput<A> extends Observable<A>, Observer<A> {}

/**
 * A second subscription has begun to feed a side output that is still being fed.
 *
 * @category windows
 * @since 0.1.0
 */
export class SideOutputInUseError extends TidemarkError {
  readonly _tag = 'SideOutputInUse';
  constructor() {
    super(
      'sideOutput: a second subscription feeds this side output while the first is still at work; share() the pipeline or make a side output for each',
    );
  }
}

/**
 * A typed stream for what an operator puts aside, such as late records.
 *
 * Hot: subscribe to it before the pipeline that feeds it. It completes when the operator that feeds it completes. After
 * an error or an unsubscription it stays open for the next producer, so that `retry` loses nothing.
 *
 * ```ts
 * const late = sideOutput<StreamRecord<number>>();
 * late.subscribe(({ value }) => console.log('late:', value));
 * from([record(1, 1), watermark(9), record(2, 2)]).pipe(tumblingWindow(10, aggregates.count(), { lateTo: late })).subscribe();
 * // late: 2
 * ```
 *
 * **Errors**: a second producer at the same time gets a {@link SideOutputInUseError}. **Cost**: one `Subject`.
 *
 * @see Flink's OutputTag.
 * @category windows
 * @since 0.1.0
 */
export function sideOutput<A>(): SideOutput<A> {
  return new SideOutputSubject<A>();
}

class SideOutputSubject<A> extends Observable<A> implements SideOutput<A> {
  private readonly subject = new Subject<A>();
  private inUse = false;
  declare readonly [PRODUCER]: () => Producer<A>; // set below: bundlers keep a class that has a member whose name is computed

  constructor() {
    super((subscriber) => this.subject.subscribe(subscriber));
    this[PRODUCER] = () => this.produce();
  }
  // Fed by hand it is a plain subject.
  next(value: A): void {
    this.subject.next(value);
  }
  error(cause: unknown): void {
    this.subject.error(cause);
  }
  complete(): void {
    this.subject.complete();
  }
  private produce(): Producer<A> {
    if (this.inUse) throw new SideOutputInUseError();
    this.inUse = true;
    const leave = (): void => {
      this.inUse = false;
    };
    return {
      next: (value) => this.subject.next(value),
      error: leave,
      complete: () => {
        leave();
        this.subject.complete();
      },
      release: leave,
    };
  }
}

import type { OperatorFunction, Timestamp } from 'rxjs';
import type { StreamElement } from '../element/element.js';
import { operate, Stage } from '../internal/operate.js';

/**
 * Leaves event time, but for the time of each value: `{ value, timestamp }` as RxJS's `timestamp()` has it.
 *
 * **Time**: watermarks are dropped. **State**: none. **Completion and errors**: passed on.
 *
 * ```ts
 * from([record('a', 1), watermark(1)]).pipe(toTimestamped()); // { value: 'a', timestamp: 1 }
 * ```
 *
 * @see `fromTimestamped`, the way back.
 * @category interop
 * @since 0.1.0
 */
export function toTimestamped<A>(): OperatorFunction<StreamElement<A, unknown>, Timestamp<A>> {
  return operate((out) => new ToTimestampedStage(out));
}

class ToTimestampedStage<A> extends Stage<StreamElement<A, unknown>, Timestamp<A>> {
  protected onNext(element: StreamElement<A, unknown>): void {
    if (element._tag === 'Record') this.out.next({ value: element.value, timestamp: element.timestamp });
  }
}

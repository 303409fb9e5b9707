import type { OperatorFunction } from 'rxjs';
import type { StreamElement } from '../element/element.js';
import { BUSY, operate, READY, Stage } from '../internal/operate.js';

/**
 * Leaves event time: the values of the records, plain.
 *
 * **Time**: watermarks are dropped. **State**: none. **Completion and errors**: passed on.
 *
 * ```ts
 * from([record('a', 1), watermark(1), record('b', 2)]).pipe(toValues()); // 'a', 'b'
 * ```
 *
 * @category interop
 * @since 0.1.0
 */
export function toValues<A>(): OperatorFunction<StreamElement<A, unknown>, A> {
  return operate((out) => new ToValuesStage(out));
}

class ToValuesStage<A> extends Stage<StreamElement<A, unknown>, A> {
  protected onNext(element: StreamElement<A, unknown>): void {
    if (element._tag === 'Record') this.out.next(element.value);
  }
  override record(value: A, timestamp: number, key: unknown): void {
    if (this.phase !== READY) {
      this.defer(value, timestamp, key);
      return;
    }
    this.phase = BUSY;
    try {
      this.out.next(value);
    } catch (cause) {
      this.fail(cause);
    }
    if (this.phase === BUSY) this.phase = READY;
    else this.drain();
  }
}

import type { OperatorFunction, Subscriber } from 'rxjs';
import type { StreamElement } from '../element/element.js';
import { ElementStage } from '../internal/ElementStage.js';
import { operate } from '../internal/operate.js';
import { assertFunction } from '../time/assert.js';

/**
 * Passes every element on, after it has shown the record's value to `observer`.
 *
 * **Time**: watermarks pass. **State**: none. **Completion and errors**: passed on; a throw of `observer` is the error.
 *
 * ```ts
 * from([record('a', 5), watermark(5)]).pipe(tapValue((value, at) => console.log(value, at))).subscribe(); // a 5
 * ```
 *
 * @category record-wise
 * @since 0.1.0
 */
export function tapValue<A, K>(
  observer: (value: A, timestamp: number) => void,
): OperatorFunction<StreamElement<A, K>, StreamElement<A, K>> {
  assertFunction('tapValue', 'observer', observer);
  return operate((out) => new TapValueStage(out, observer));
}

class TapValueStage<A, K> extends ElementStage<StreamElement<A, K>, A, K> {
  constructor(
    out: Subscriber<StreamElement<A, K>>,
    private readonly observer: (value: A, timestamp: number) => void,
  ) {
    super(out);
  }
  protected onNext(element: StreamElement<A, K>): void {
    if (element._tag === 'Record') {
      this.observer(element.value, element.timestamp);
      this.out.next(element);
    } else {
      this.pass(element.timestamp, element.idle);
    }
  }
}

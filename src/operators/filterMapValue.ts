import type { Option } from 'fp-ts/lib/Option.js';
import type { OperatorFunction, Subscriber } from 'rxjs';
import type { StreamElement } from '../element/element.js';
import { ElementStage } from '../internal/ElementStage.js';
import { operate } from '../internal/operate.js';
import { assertFunction } from '../time/assert.js';

/**
 * Maps the value of each record and keeps those for which there is a result, in one step.
 *
 * **Time**: watermarks pass, also those that follow a record left out. **State**: none. **Completion and errors**: passed
 * on; a throw of `f` is the error.
 *
 * ```ts
 * from([record('1', 5), record('x', 6), watermark(6)]).pipe(
 *   filterMapValue((text) => (Number.isNaN(Number(text)) ? O.none : O.some(Number(text)))),
 * ); // record(1, 5), watermark(6)
 * ```
 *
 * **Cost**: one element a record kept.
 *
 * @see fp-ts's filterMap.
 * @category record-wise
 * @since 0.1.0
 */
export function filterMapValue<A, B, K>(
  f: (value: A, timestamp: number) => Option<B>,
): OperatorFunction<StreamElement<A, K>, StreamElement<B, K>> {
  assertFunction('filterMapValue', 'f', f);
  return operate((out) => new FilterMapValueStage(out, f));
}

class FilterMapValueStage<A, B, K> extends ElementStage<StreamElement<A, K>, B, K> {
  constructor(
    out: Subscriber<StreamElement<B, K>>,
    private readonly f: (value: A, timestamp: number) => Option<B>,
  ) {
    super(out);
  }
  protected onNext(element: StreamElement<A, K>): void {
    if (element._tag === 'Watermark') {
      this.pass(element.timestamp, element.idle);
      return;
    }
    const { timestamp, key } = element;
    const result = this.f(element.value, timestamp);
    // read by its tag: fp-ts is needed for the type alone
    if (result._tag === 'Some') this.outlet.record(result.value, timestamp, key);
  }
}

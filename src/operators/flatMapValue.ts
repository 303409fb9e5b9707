import type { OperatorFunction, Subscriber } from 'rxjs';
import type { StreamElement } from '../element/element.js';
import { ElementStage } from '../internal/ElementStage.js';
import { operate } from '../internal/operate.js';
import { assertFunction } from '../time/assert.js';
import { assertItems, type Items } from './shared/items.js';

/**
 * Maps the value of each record to any number of values, which keep its time and key.
 *
 * **Time**: watermarks pass, after what came before them. **State**: none. **Completion and errors**: passed on; a throw
 * of `f`, or of the iterable, is the error. A generator is left when downstream closes.
 *
 * ```ts
 * from([record('to be', 5), watermark(5)]).pipe(flatMapValue((line) => line.split(' '))); // record('to', 5), record('be', 5), watermark(5)
 * ```
 *
 * **Cost**: one element a result.
 *
 * Errors in the stream: `TypeError` for a result that is not iterable, or is a string.
 * @see `concatMapValue` and `mergeMapValue` for Promises and Observables.
 * @category record-wise
 * @since 0.1.0
 */
export function flatMapValue<A, B, K>(
  f: (value: A, timestamp: number) => Items<B>,
): OperatorFunction<StreamElement<A, K>, StreamElement<B, K>> {
  assertFunction('flatMapValue', 'f', f);
  return operate((out) => new FlatMapValueStage(out, f));
}

class FlatMapValueStage<A, B, K> extends ElementStage<StreamElement<A, K>, B, K> {
  constructor(
    out: Subscriber<StreamElement<B, K>>,
    private readonly f: (value: A, timestamp: number) => Items<B>,
  ) {
    super(out);
  }
  protected onNext(element: StreamElement<A, K>): void {
    if (element._tag === 'Watermark') {
      this.pass(element.timestamp, element.idle);
      return;
    }
    const { timestamp, key } = element;
    const items = this.f(element.value, timestamp);
    assertItems('flatMapValue', 'f', items);
    for (const value of items) {
      this.outlet.record(value, timestamp, key);
      if (this.closed) return;
    }
  }
}

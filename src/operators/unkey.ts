import type { OperatorFunction } from 'rxjs';
import type { StreamElement } from '../element/element.js';
import { ElementStage } from '../internal/ElementStage.js';
import { operate } from '../internal/operate.js';

/**
 * Takes the key off each record: what follows works on all of them together.
 *
 * **Time**: watermarks pass. **State**: none. **Completion and errors**: passed on.
 *
 * ```ts
 * from([keyedRecord('a', 5, 'k'), watermark(5)]).pipe(unkey()); // record('a', 5), watermark(5)
 * ```
 *
 * **Cost**: one element a record.
 *
 * @see `keyBy`, which needs no `unkey` before it.
 * @category keys
 * @since 0.1.0
 */
export function unkey<A>(): OperatorFunction<StreamElement<A, unknown>, StreamElement<A>> {
  return operate((out) => new UnkeyStage(out));
}

class UnkeyStage<A> extends ElementStage<StreamElement<A, unknown>, A, undefined> {
  protected onNext(element: StreamElement<A, unknown>): void {
    if (element._tag === 'Record') {
      this.outlet.record(element.value, element.timestamp, undefined);
    } else {
      this.pass(element.timestamp, element.idle);
    }
  }
}

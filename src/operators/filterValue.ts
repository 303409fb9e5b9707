import type { OperatorFunction, Subscriber } from 'rxjs';
import type { StreamElement } from '../element/element.js';
import { RecordStage } from '../internal/ElementStage.js';
import { BUSY, operate, READY } from '../internal/operate.js';
import { assertFunction } from '../time/assert.js';

/** `A` without what is falsy. */
export type Truthy<A> = Exclude<A, null | undefined | false | 0 | 0n | ''>;

/**
 * Keeps the records whose value satisfies the predicate; a type guard or `Boolean` narrows the type.
 *
 * **Time**: watermarks pass, also those that follow a record left out. **State**: none. **Completion and errors**: passed
 * on; a throw of the predicate is the error.
 *
 * ```ts
 * from([record(1, 5), record(2, 6), watermark(6)]).pipe(filterValue((n) => n % 2 === 0)); // record(2, 6), watermark(6)
 * ```
 *
 * **Cost**: none a record, the elements are passed on as they are.
 *
 * @category record-wise
 * @since 0.1.0
 */
export function filterValue<A, K>(
  predicate: BooleanConstructor,
): OperatorFunction<StreamElement<A, K>, StreamElement<Truthy<A>, K>>;
export function filterValue<A, B extends A, K>(
  predicate: (value: A, timestamp: number) => value is B,
): OperatorFunction<StreamElement<A, K>, StreamElement<B, K>>;
export function filterValue<A, K>(
  predicate: (value: A, timestamp: number) => boolean,
): OperatorFunction<StreamElement<A, K>, StreamElement<A, K>>;
export function filterValue<A, K>(
  predicate: (value: A, timestamp: number) => boolean,
): OperatorFunction<StreamElement<A, K>, StreamElement<A, K>> {
  assertFunction('filterValue', 'predicate', predicate);
  return operate((out) => new FilterValueStage(out, predicate));
}

class FilterValueStage<A, K> extends RecordStage<A, K, A, K> {
  constructor(
    out: Subscriber<StreamElement<A, K>>,
    private readonly predicate: (value: A, timestamp: number) => boolean,
  ) {
    super(out);
  }
  // the work stands within the guard of `Stage.next`: see there
  override record(value: A, timestamp: number, key: K): void {
    if (this.phase !== READY) {
      this.defer(value, timestamp, key);
      return;
    }
    this.phase = BUSY;
    try {
      if (this.predicate(value, timestamp)) this.outlet.record(value, timestamp, key);
    } catch (cause) {
      this.fail(cause);
    }
    if (this.phase === BUSY) this.phase = READY;
    else this.drain();
  }
}

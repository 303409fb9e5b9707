import type { OperatorFunction, Subscriber } from 'rxjs';
import type { StreamElement } from '../element/element.js';
import { RecordStage } from '../internal/ElementStage.js';
import { BUSY, operate, READY } from '../internal/operate.js';
import { assertFunction } from '../time/assert.js';

/**
 * Gives each record the key under which windows, joins and process functions keep it apart.
 *
 * Keys are compared as `Map` compares them: `NaN` equals itself, 1 and '1' differ, objects by identity; so build a string
 * from several fields with `compositeKey`. The key can be given to `assignWatermarks` as well, which costs nothing.
 *
 * **Time**: watermarks pass. **State**: none. **Completion and errors**: passed on.
 *
 * ```ts
 * from([record('apple', 1), record('bean', 2)]).pipe(
 *   keyBy((word) => word.length),
 * ); // keyedRecord('apple', 1, 5), keyedRecord('bean', 2, 4)
 * ```
 *
 * **Cost**: one element a record.
 *
 * @see Flink's keyBy; nothing is partitioned, keyed and unkeyed streams are one type.
 * @category keys
 * @since 0.1.0
 */
export function keyBy<A, K>(
  key: (value: A, timestamp: number) => K,
): OperatorFunction<StreamElement<A, unknown>, StreamElement<A, K>> {
  assertFunction('keyBy', 'key', key);
  return operate((out) => new KeyByStage(out, key));
}

class KeyByStage<A, K> extends RecordStage<A, unknown, A, K> {
  constructor(
    out: Subscriber<StreamElement<A, K>>,
    private readonly key: (value: A, timestamp: number) => K,
  ) {
    super(out);
  }
  // the work stands within the guard of `Stage.next`: see there
  override record(value: A, timestamp: number, key: unknown): void {
    if (this.phase !== READY) {
      this.defer(value, timestamp, key);
      return;
    }
    this.phase = BUSY;
    try {
      this.outlet.record(value, timestamp, this.key(value, timestamp));
    } catch (cause) {
      this.fail(cause);
    }
    if (this.phase === BUSY) this.phase = READY;
    else this.drain();
  }
}

import type { OperatorFunction, Subscriber } from 'rxjs';
import type { StreamElement } from '../element/element.js';
import { RecordStage } from '../internal/ElementStage.js';
import { BUSY, operate, READY } from '../internal/operate.js';
import { assertFunction } from '../time/assert.js';

/**
 * Maps the value of each record; its time and key stay.
 *
 * **Time**: watermarks pass. **State**: none. **Completion and errors**: passed on.
 *
 * ```ts
 * from([record(1, 5), watermark(5)]).pipe(mapValue((n) => n * 10)); // record(10, 5), watermark(5)
 * ```
 *
 * **Cost**: one element a record.
 *
 * @category record-wise
 * @since 0.1.0
 */
export function mapValue<A, B, K>(
  project: (value: A, timestamp: number) => B,
): OperatorFunction<StreamElement<A, K>, StreamElement<B, K>> {
  assertFunction('mapValue', 'project', project);
  return operate((out) => new MapValueStage(out, project));
}

class MapValueStage<A, B, K> extends RecordStage<A, K, B, K> {
  constructor(
    out: Subscriber<StreamElement<B, K>>,
    private readonly project: (value: A, timestamp: number) => B,
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
      this.outlet.record(this.project(value, timestamp), timestamp, key);
    } catch (cause) {
      this.fail(cause);
    }
    if (this.phase === BUSY) this.phase = READY;
    else this.drain();
  }
}

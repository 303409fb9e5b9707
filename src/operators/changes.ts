import type { OperatorFunction, Subscriber } from 'rxjs';
import { type Expiring, grainOf, KeyExpiry } from '../core/KeyExpiry.js';
import type { StreamElement, StreamRecord } from '../element/element.js';
import type { Same } from '../element/same.js';
import { operate } from '../internal/operate.js';
import { assertFunction, assertMs } from '../time/assert.js';
import { type SortedConfig, SortedStage } from './shared/SortedStage.js';

/** How long a key's value is remembered. */
export interface ChangesConfig<A, K> extends SortedConfig<A, K> {
  /** ms of event time, ≥ 0: after so long without a record a key is forgotten, and its next one passes. Default `Infinity`. */
  readonly within?: number;
}

/**
 * The records whose value differs from the one before it of the same key, in the order of event time.
 *
 * **Time**: a record comes out once the watermark has reached it, before that watermark.
 * **State**: the records above the watermark, and a value for each key until the watermark has passed its latest record by
 * `within`.
 * **Late records**: those at or behind the watermark: `lateTo`, counted as `late`.
 * **Completion and errors**: at completion what waits, then `MAX_TIMESTAMP`. An error passes at once.
 *
 * ```ts
 * const states$ = from([record('off', 3), record('on', 1), record('on', 2), record('off', 4), watermark(9)]);
 * states$.pipe(changes(), toTimestamped()); // { value: 'on', timestamp: 1 }, { value: 'off', timestamp: 3 }
 * ```
 *
 * @param by what is compared, by `Object.is`; default the value itself. Build a string from several fields.
 * @throws RangeError or TypeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError`.
 * @see RxJS's distinctUntilChanged, which knows neither keys nor time.
 * @category order
 * @since 0.1.0
 */
export function changes<A, K>(
  by: (value: A) => unknown = itself,
  config: ChangesConfig<Same<A>, Same<K>> = {},
): OperatorFunction<StreamElement<A, K>, StreamElement<A, K>> {
  const { within = Infinity } = config;
  assertFunction('changes', 'by', by);
  assertMs('changes', 'within', within, 0, true);
  return operate((out) => new ChangesStage<A, K>(out, by, within, config as ChangesConfig<A, K>));
}

function itself(value: unknown): unknown {
  return value;
}

interface Known<K> extends Expiring {
  readonly key: K;
  value: unknown;
}

class ChangesStage<A, K> extends SortedStage<A, K, A> {
  private readonly known = new Map<K, Known<K>>();
  private readonly expiry: KeyExpiry<Known<K>>;

  constructor(
    out: Subscriber<StreamElement<A, K>>,
    private readonly by: (value: A) => unknown,
    private readonly within: number,
    config: ChangesConfig<A, K>,
  ) {
    super(out, 'changes', config);
    this.expiry = new KeyExpiry(grainOf(within));
  }

  protected onRecord(record: StreamRecord<A, K>): void {
    const { key, timestamp } = record;
    const value = this.by(record.value);
    const due = timestamp + this.within;
    const before = this.known.get(key);
    if (before === undefined) {
      const now = { key, value, due };
      this.known.set(key, now);
      this.expiry.add(now);
      this.out.next(record);
      return;
    }
    const changed = timestamp > before.due || !Object.is(value, before.value);
    before.due = due;
    before.value = value;
    if (changed) this.out.next(record);
  }

  protected override onTime(time: number): void {
    this.expiry.expire(time, (gone) => this.known.delete(gone.key));
  }
  protected override onFree(): void {
    this.known.clear();
  }
}

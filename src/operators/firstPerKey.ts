import type { OperatorFunction, Subscriber } from 'rxjs';
import { type Expiring, grainOf, KeyExpiry } from '../core/KeyExpiry.js';
import type { StreamElement, StreamRecord } from '../element/element.js';
import type { Same } from '../element/same.js';
import { operate } from '../internal/operate.js';
import { assertMs } from '../time/assert.js';
import { type SortedConfig, SortedStage } from './shared/SortedStage.js';

/** How long a key is remembered. */
export interface FirstPerKeyConfig<A, K> extends SortedConfig<A, K> {
  /** ms of event time, ≥ 0: a key's record more than this after its first one is a first again. Default `Infinity`, once and for all. */
  readonly within?: number;
}

/**
 * The earliest record of each key; of several of that time, the one that came first.
 *
 * **Time**: a record comes out once the watermark has reached it, before that watermark.
 * **State**: the records above the watermark, and each key until the watermark has passed its first record by `within`; with
 * the default, as many keys as there ever were.
 * **Late records**: those at or behind the watermark: `lateTo`, counted as `late`.
 * **Completion and errors**: at completion what waits, then `MAX_TIMESTAMP`. An error passes at once.
 *
 * ```ts
 * from([keyedRecord('b', 3, 'k'), keyedRecord('a', 1, 'k'), watermark(9), keyedRecord('c', 12, 'k')]).pipe(
 *   firstPerKey({ within: 10 }),
 *   toValues(),
 * ); // 'a', 'c'
 * ```
 *
 * @throws RangeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError`.
 * @see Flink SQL's deduplication that keeps the first row.
 * @category order
 * @since 0.1.0
 */
export function firstPerKey<A, K>(
  config: FirstPerKeyConfig<Same<A>, Same<K>> = {},
): OperatorFunction<StreamElement<A, K>, StreamElement<A, K>> {
  const { within = Infinity } = config;
  assertMs('firstPerKey', 'within', within, 0, true);
  return operate((out) => new FirstStage<A, K>(out, within, config as FirstPerKeyConfig<A, K>));
}

interface First<K> extends Expiring {
  readonly key: K;
}

class FirstStage<A, K> extends SortedStage<A, K, A> {
  private readonly firsts = new Map<K, First<K>>();
  private readonly expiry: KeyExpiry<First<K>>;

  constructor(
    out: Subscriber<StreamElement<A, K>>,
    private readonly within: number,
    config: FirstPerKeyConfig<A, K>,
  ) {
    super(out, 'firstPerKey', config);
    this.expiry = new KeyExpiry(grainOf(within));
  }

  protected onRecord(record: StreamRecord<A, K>): void {
    const { key, timestamp } = record;
    const known = this.firsts.get(key);
    if (known === undefined) {
      const first = { key, due: timestamp + this.within };
      this.firsts.set(key, first);
      this.expiry.add(first);
    } else if (timestamp > known.due) {
      known.due = timestamp + this.within;
    } else {
      return;
    }
    this.out.next(record);
  }

  protected override onTime(time: number): void {
    this.expiry.expire(time, (first) => this.firsts.delete(first.key));
  }
  protected override onFree(): void {
    this.firsts.clear();
  }
}

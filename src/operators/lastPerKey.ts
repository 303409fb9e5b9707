import type { OperatorFunction, Subscriber } from 'rxjs';
import { type Expiring, KeyExpiry } from '../core/KeyExpiry.js';
import { TimeBuffer } from '../core/TimeBuffer.js';
import type { StreamElement, StreamRecord } from '../element/element.js';
import type { Same } from '../element/same.js';
import { operate } from '../internal/operate.js';
import { assertMs } from '../time/assert.js';
import { type SortedConfig, SortedStage } from './shared/SortedStage.js';

/** How long a key must be silent. */
export interface LastPerKeyConfig<A, K> extends SortedConfig<A, K> {
  /** ms of event time, ≥ 0: a record is a key's last if none of the key follows for so long. Default `Infinity`, only at the end. */
  readonly within?: number;
}

/**
 * The last record of each key: the one that no other of the key follows within `within` ms; of several of that time, the one
 * that came last.
 *
 * **Time**: a record comes out, with its own time, once the watermark has passed it by `within`; so the watermark is held back
 * behind the earliest record that may still be the last (by default: to the end).
 * **State**: the records above the watermark, and one for each key that is not silent yet.
 * **Late records**: those at or behind the watermark: `lateTo`, counted as `late`.
 * **Completion and errors**: at completion the last records of all keys in the order of their times, then `MAX_TIMESTAMP`. An
 * error passes at once, without them.
 *
 * ```ts
 * from([keyedRecord('b', 3, 'k'), keyedRecord('a', 1, 'k'), watermark(13), keyedRecord('c', 20, 'k')]).pipe(
 *   lastPerKey({ within: 10 }),
 * ); // keyedRecord('b', 3, 'k'), watermark(13), keyedRecord('c', 20, 'k'), watermark(MAX_TIMESTAMP)
 * ```
 *
 * @throws RangeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError`.
 * @see Flink SQL's deduplication that keeps the last row, which puts out every row and withdraws it at the next.
 * @category order
 * @since 0.1.0
 */
export function lastPerKey<A, K>(
  config: LastPerKeyConfig<Same<A>, Same<K>> = {},
): OperatorFunction<StreamElement<A, K>, StreamElement<A, K>> {
  const { within = Infinity } = config;
  assertMs('lastPerKey', 'within', within, 0, true);
  return operate((out) => new LastStage<A, K>(out, within, config as LastPerKeyConfig<A, K>));
}

interface Last<A, K> extends Expiring {
  record: StreamRecord<A, K>;
  released: boolean;
}

class LastStage<A, K> extends SortedStage<A, K, A> {
  private readonly lasts = new Map<K, Last<A, K>>();
  private readonly expiry = new KeyExpiry<Last<A, K>>();
  private readonly held = new TimeBuffer<Last<A, K>>(); // one a key, at a time its record had, or has: the watermark stays below it

  constructor(
    out: Subscriber<StreamElement<A, K>>,
    private readonly within: number,
    config: LastPerKeyConfig<A, K>,
  ) {
    super(out, 'lastPerKey', config);
  }

  protected onRecord(record: StreamRecord<A, K>): void {
    const { key, timestamp } = record;
    this.silent(timestamp - 1); // in the order of time, whatever else this watermark brings
    if (this.closed) return;
    const known = this.lasts.get(key);
    if (known === undefined) {
      const last: Last<A, K> = { record, due: timestamp + this.within, released: false };
      this.lasts.set(key, last);
      this.expiry.add(last);
      this.held.add(timestamp, last);
    } else {
      known.record = record;
      known.due = timestamp + this.within;
    }
  }

  protected override onTime(time: number): void {
    if (time !== Infinity) {
      this.silent(time);
      return;
    }
    // the end: those that would never be due too
    const rest = [...this.lasts.values()].sort((a, b) => a.record.timestamp - b.record.timestamp);
    for (const last of rest) {
      this.release(last);
      if (this.closed) return;
    }
  }

  private silent(time: number): void {
    this.expiry.expire(time, (last) => {
      if (!this.closed && !last.released) this.release(last);
    });
  }

  private release(last: Last<A, K>): void {
    last.released = true;
    this.lasts.delete(last.record.key);
    this.out.next(last.record);
  }

  protected override get hold(): number {
    for (let last = this.held.first; last !== undefined; last = this.held.first) {
      const { released, record } = last;
      if (!released && record.timestamp === this.held.next) return record.timestamp;
      this.held.shift();
      if (!released) this.held.add(record.timestamp, last);
    }
    return Infinity;
  }
  protected override onFree(): void {
    this.lasts.clear();
  }
}

import type { OperatorFunction, Subscriber } from 'rxjs';
import { type Expiring, grainOf, KeyExpiry } from '../core/KeyExpiry.js';
import { TimeBuffer } from '../core/TimeBuffer.js';
import { MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamElement, type StreamRecord } from '../element/element.js';
import { MissingTimestampError } from '../element/errors.js';
import type { Same } from '../element/same.js';
import { countersOf, type LiveCounters } from '../internal/counters.js';
import { ElementStage } from '../internal/ElementStage.js';
import { operate } from '../internal/operate.js';
import { openSink, type Producer } from '../internal/sink.js';
import { assertFunction, assertMs } from '../time/assert.js';
import type { SortedConfig } from './shared/SortedStage.js';

/** How far apart duplicates may be. */
export interface DedupeConfig<A, K> extends SortedConfig<A, K> {
  /** ms of event time, a whole number ≥ 0: two records whose times are at most this far apart are duplicates. `Infinity` remembers for ever. */
  readonly within: number;
}

/**
 * The records without those of which another one with the same key and the same `by` has passed, at most `within` ms of event
 * time away.
 *
 * Of several duplicates the one that comes first passes, at once: behind `sortByEventTime` that is the earliest. The others are
 * counted as `discarded`.
 *
 * **Time**: watermarks pass. **State**: a name and a time for each record that passed, until the watermark has passed its time by
 * `within` and a little more. **Late records**: at or behind the watermark nothing tells any more whether they are duplicates:
 * `lateTo`, counted as `late`. **Completion and errors**: at completion `MAX_TIMESTAMP`; an error passes at once.
 *
 * ```ts
 * from([record('a', 1), record('b', 2), record('a', 6), record('a', 12)]).pipe(
 *   dedupe((letter) => letter, { within: 5 }),
 * ); // record('a', 1), record('b', 2), record('a', 12), watermark(MAX_TIMESTAMP)
 * ```
 *
 * **Cost**: two lookups a record.
 *
 * @throws RangeError or TypeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError`.
 * @see Spark's dropDuplicatesWithinWatermark, whose time is that of the watermark.
 * @category order
 * @since 0.1.0
 */
export function dedupe<A, K>(
  by: (value: A) => string | number,
  config: DedupeConfig<Same<A>, Same<K>>,
): OperatorFunction<StreamElement<A, K>, StreamElement<A, K>> {
  assertFunction('dedupe', 'by', by);
  assertMs('dedupe', 'within', config?.within, 0, true);
  return operate((out) => new DedupeStage<A, K>(out, by, config as DedupeConfig<A, K>));
}

/** A record that has passed. */
interface Passed<K> extends Expiring {
  readonly timestamp: number;
  readonly key: K;
  readonly id: string | number;
}

/** Those of one key and id, more than `within` apart: one as a rule. */
type Known<K> = Passed<K> | TimeBuffer<Passed<K>>;

class DedupeStage<A, K> extends ElementStage<StreamElement<A, K>, A, K> {
  private readonly passed = new Map<K, Map<string | number, Known<K>>>();
  private readonly expiry: KeyExpiry<Passed<K>>;
  private readonly within: number;
  private readonly counters: LiveCounters;
  private readonly lateTo: Producer<StreamRecord<A, K>> | null;

  constructor(
    out: Subscriber<StreamElement<A, K>>,
    private readonly by: (value: A) => string | number,
    config: DedupeConfig<A, K>,
  ) {
    super(out);
    this.within = config.within;
    this.expiry = new KeyExpiry(grainOf(config.within));
    this.counters = countersOf(config);
    this.side = this.lateTo = openSink(config.lateTo);
  }

  protected onNext(element: StreamElement<A, K>): void {
    if (element._tag === 'Watermark') {
      if (element.timestamp > this.time) this.expiry.expire(element.timestamp, this.forget);
      this.pass(element.timestamp, element.idle);
      return;
    }
    const { timestamp, key, value } = element;
    if (timestamp === MIN_TIMESTAMP || timestamp === MAX_TIMESTAMP) throw new MissingTimestampError('dedupe', timestamp, value);
    this.counters.records++;
    if (timestamp <= this.time) {
      this.counters.late++;
      this.lateTo?.next(element);
      return;
    }
    if (this.isNew(key, this.by(value), timestamp)) this.out.next(element);
    else this.counters.discarded++;
  }

  private isNew(key: K, id: string | number, time: number): boolean {
    let ofKey = this.passed.get(key);
    if (ofKey === undefined) {
      ofKey = new Map();
      this.passed.set(key, ofKey);
    }
    const known = ofKey.get(id);
    if (known !== undefined && this.isNear(known, time)) return false;
    const passed: Passed<K> = { due: time + this.within, timestamp: time, key, id };
    if (known === undefined) {
      ofKey.set(id, passed);
    } else if (known instanceof TimeBuffer) {
      known.add(time, passed);
    } else {
      const several = new TimeBuffer<Passed<K>>();
      several.add(known.timestamp, known);
      several.add(time, passed);
      ofKey.set(id, several);
    }
    this.expiry.add(passed);
    return true;
  }

  private isNear(known: Known<K>, time: number): boolean {
    if (!(known instanceof TimeBuffer)) return Math.abs(time - known.timestamp) <= this.within;
    const at = known.from(time);
    const before = known.before(at);
    return (before !== undefined && time - before.timestamp <= this.within) || known.timeAt(at) - time <= this.within;
  }

  private readonly forget = ({ key, id, timestamp }: Passed<K>): void => {
    const ofKey = this.passed.get(key);
    const known = ofKey?.get(id);
    if (ofKey === undefined || known === undefined) return;
    if (known instanceof TimeBuffer) {
      // what is earlier is over as well, if it has not gone
      while (known.next <= timestamp) known.shift();
      if (known.size > 0) return;
    }
    ofKey.delete(id);
    if (ofKey.size === 0) this.passed.delete(key);
  };

  protected override onEnd(): void {
    this.end();
  }
  protected override onFree(): void {
    this.passed.clear();
  }
}

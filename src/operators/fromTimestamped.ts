import { from, type ObservableInput, type Timestamp } from 'rxjs';
import { InvalidTimestampError } from '../element/errors.js';
import { ElementStage } from '../internal/ElementStage.js';
import type { EventStream } from '../internal/eventStream.js';
import { operate } from '../internal/operate.js';
import { toTimestamp, whyInvalid } from '../time/timestamp.js';

/**
 * The values of RxJS's `timestamp()`, or of any `{ value, timestamp }` in ms since the epoch, as records.
 *
 * **Time**: no watermark before the final one; `reassignWatermarks` behind it makes some. A fraction is floored.
 * **State**: none. **Completion and errors**: at completion `MAX_TIMESTAMP`, then completion; an error passes at once.
 *
 * ```ts
 * fromTimestamped([{ value: 'a', timestamp: 5 }]); // record('a', 5), watermark(MAX_TIMESTAMP)
 * ```
 *
 * Errors in the stream: `InvalidTimestampError`.
 * @see `toTimestamped`, the way back.
 * @category sources
 * @since 0.1.0
 */
export function fromTimestamped<A>(input: ObservableInput<Timestamp<A>>): EventStream<A> {
  return from(input).pipe(operate((out) => new FromTimestampedStage<A>(out)));
}

class FromTimestampedStage<A> extends ElementStage<Timestamp<A>, A, undefined> {
  private index = -1;
  protected onNext({ value, timestamp: raw }: Timestamp<A>): void {
    this.index++;
    const timestamp = toTimestamp(raw);
    if (Number.isNaN(timestamp)) {
      throw new InvalidTimestampError('fromTimestamped', 'timestamp', raw, value, this.index, whyInvalid(raw));
    }
    this.outlet.record(value, timestamp, undefined);
  }
  protected override onEnd(): void {
    this.end();
  }
}

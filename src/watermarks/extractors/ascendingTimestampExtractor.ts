import { MIN_TIMESTAMP } from '../../element/element.js';
import { TidemarkError } from '../../element/errors.js';
import { assertFunction, refuse } from '../../time/assert.js';
import { earlier } from '../../time/timestamp.js';
import type { StampedStrategy } from '../strategy.js';

/**
 * What to do about a timestamp below the last one: nothing, a line through `console.warn`, an error, or a function of
 * your own. The record is kept in any case but `'fail'`, with its own timestamp.
 *
 * @category watermarks
 * @since 0.1.0
 */
export type MonotonyViolation = 'ignore' | 'log' | 'fail' | ((timestamp: number, last: number) => void);

/**
 * A timestamp was below the one before it, and `ascendingTimestampExtractor` was told to fail then.
 *
 * @category watermarks
 * @since 0.1.0
 */
export class MonotonyViolatedError extends TidemarkError {
  readonly _tag = 'MonotonyViolated';
  constructor(
    /** The timestamp that fell, ms since the epoch. */
    readonly timestamp: number,
    /** The largest before it, ms since the epoch. */
    readonly last: number,
  ) {
    super(violation(timestamp, last));
  }
}

/**
 * Flink 1.x's `AscendingTimestampExtractor`, exactly as it was: the watermark is the last ascending timestamp − 1.
 *
 * ```ts
 * from([{ at: 5 }, { at: 4 }]).pipe(
 *   assignWatermarks(ascendingTimestampExtractor((e) => e.at, 'ignore'), { interval: 'record' }),
 *   toWatermarks(),
 * ); // 4, Infinity
 * ```
 *
 * @param timestamp ms since the epoch; `previous` is `MIN_TIMESTAMP` if the value had none.
 * @param onViolation what to do about a falling timestamp; default `'log'`, as in Flink.
 * @see rule W2.
 * @category watermarks
 * @since 0.1.0
 */
export function ascendingTimestampExtractor<A>(
  timestamp: (value: A, previous: number) => number,
  onViolation: MonotonyViolation = 'log',
): StampedStrategy<A> {
  assertFunction('ascendingTimestampExtractor', 'timestamp', timestamp);
  const violated = handlerOf(onViolation);
  return {
    stamped: true,
    create: () => {
      let last = MIN_TIMESTAMP;
      return {
        timestamp(value, previous) {
          const next = timestamp(value, previous);
          if (next < last) violated(next, last);
          return next;
        },
        onRecord(_value, next) {
          if (next > last) last = next;
        },
        onTick: (_now, output) => output.emit(earlier(last, 1)),
      };
    },
  };
}

function handlerOf(onViolation: MonotonyViolation): (timestamp: number, last: number) => void {
  if (typeof onViolation === 'function') return onViolation;
  switch (onViolation) {
    case 'ignore':
      return () => {};
    case 'log':
      return (timestamp, last) => console.warn(violation(timestamp, last));
    case 'fail':
      return (timestamp, last) => {
        throw new MonotonyViolatedError(timestamp, last);
      };
    default:
      throw refuse('ascendingTimestampExtractor', 'onViolation', onViolation, "'ignore', 'log', 'fail' or a function");
  }
}

function violation(timestamp: number, last: number): string {
  return `ascendingTimestampExtractor: timestamp ${timestamp} came after ${last}, timestamps must not fall; use boundedOutOfOrderness if they may`;
}

/**
 * A fault that tidemark itself reports in a stream. What your own functions throw arrives unchanged, never wrapped.
 *
 * @category elements
 * @since 0.1.0
 */
export abstract class TidemarkError extends Error {
  abstract readonly _tag: string;
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/**
 * A timestamp or a watermark that is not integer milliseconds: what it was, which record gave it, and the likely cause.
 *
 * @category elements
 * @since 0.1.0
 */
export class InvalidTimestampError extends TidemarkError {
  readonly _tag = 'InvalidTimestamp';
  constructor(
    /** The operator that found it. */
    readonly operator: string,
    /** Is it the time of a record, or what a generator gave as a watermark? */
    readonly of: 'timestamp' | 'watermark',
    /** What was given instead of a number of ms. */
    readonly received: unknown,
    /** The value of the record it came from; undefined for a watermark that a generator gave when it was asked at a tick. */
    readonly value: unknown,
    /** The index of that record in this subscription, from 0. */
    readonly index: number,
    hint: string,
  ) {
    const record = value === undefined ? index : `${index}, ${show(value)},`;
    super(`${operator}: the ${of} of record ${record} is ${show(received)}, not integer ms since the epoch; ${hint}`);
  }
}

/**
 * A record without a usable time (`MIN_TIMESTAMP` or `MAX_TIMESTAMP`) has reached an operator that works by event time.
 *
 * @category elements
 * @since 0.1.0
 */
export class MissingTimestampError extends TidemarkError {
  readonly _tag = 'MissingTimestamp';
  constructor(
    /** The operator that needs the time. */
    readonly operator: string,
    /** MIN_TIMESTAMP or MAX_TIMESTAMP. */
    readonly timestamp: number,
    /** The value of the record. */
    readonly value: unknown,
  ) {
    const time = timestamp === Infinity ? 'MAX_TIMESTAMP, as a result without end has' : 'no timestamp';
    super(`${operator}: the record ${show(value)} has ${time}; give it one with reassignWatermarks`);
  }
}

/** A value in an error message: short, on one line, and never a throw of its own. */
export function show(value: unknown): string {
  let text: string | undefined;
  try {
    text = typeof value === 'object' || typeof value === 'string' ? JSON.stringify(value) : String(value);
  } catch {} // a cycle, a BigInt inside, a toJSON that throws
  text ??= Object.prototype.toString.call(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** What `toTimestamp` gives for something that is not a time. No valid timestamp is NaN. */
export const INVALID: number = NaN;

/**
 * Rule T1: integer milliseconds. A fraction is floored, −0 becomes 0; everything that is not a finite, safe number is
 * {@link INVALID}.
 */
export function toTimestamp(raw: unknown): number {
  if (typeof raw !== 'number') return INVALID;
  const floored = Math.floor(raw) + 0; // + 0: −0 becomes 0
  return floored >= Number.MIN_SAFE_INTEGER && floored <= Number.MAX_SAFE_INTEGER ? floored : INVALID;
}

/** The likely cause of a bad timestamp, as the end of an error message. */
export function whyInvalid(raw: unknown): string {
  if (raw === undefined || raw === null) return 'is the field missing or spelled differently?';
  if (typeof raw === 'bigint') return 'convert it with Number(), nanoseconds with Number(ns / 1_000_000n)';
  if (typeof raw === 'string') return 'parse it first, for example with Date.parse() or Number()';
  if (raw instanceof Date) return 'take its getTime()';
  if (typeof raw !== 'number') return 'return a number';
  if (Number.isNaN(raw)) return 'NaN comes from arithmetic on a missing field or from a date that did not parse';
  if (!Number.isFinite(raw)) return 'an infinite time can not be placed; the end of a stream is its completion';
  return 'a number beyond 2^53 is likely in micro- or nanoseconds, divide it first';
}

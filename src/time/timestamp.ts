import { MIN_TIMESTAMP } from '../element/element.js';

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

/** `by` ms before a timestamp; nothing (MIN) where that would be before all times (rule T2). */
export function earlier(timestamp: number, by: number): number {
  const time = timestamp - by;
  return time < Number.MIN_SAFE_INTEGER ? MIN_TIMESTAMP : time;
}

/** The likely cause of a bad timestamp, as the end of an error message. */
export function whyInvalid(raw: unknown): string {
  if (raw === undefined || raw === null || Number.isNaN(raw)) return 'is a field missing?';
  if (typeof raw === 'bigint') return 'convert the BigInt with Number()';
  if (raw instanceof Date) return 'take getTime() of the Date';
  if (typeof raw !== 'number') return 'parse it first';
  return Math.abs(raw) === Infinity ? 'a stream ends by completing' : 'is it in nanoseconds?';
}

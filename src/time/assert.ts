import { show } from '../element/errors.js';

/** Throws unless `value` is a whole number of ms ≥ 1 (or `Infinity`, where that is allowed). */
export function assertPositive(where: string, name: string, value: number, infinity = false): void {
  if ((infinity && value === Infinity) || (Number.isSafeInteger(value) && value >= 1)) return;
  throw refuse(where, name, value, `a whole number of ms, 1 or more${infinity ? ', or Infinity' : ''}`);
}

/** Throws unless `value` is a whole number of ms ≥ 0 (or `Infinity`, where that is allowed). */
export function assertNotNegative(where: string, name: string, value: number, infinity = false): void {
  if ((infinity && value === Infinity) || (Number.isSafeInteger(value) && value >= 0)) return;
  throw refuse(where, name, value, `a whole number of ms, 0 or more${infinity ? ', or Infinity' : ''}`);
}

/** Throws unless |offset| < size (rule T3). */
export function assertOffset(where: string, offset: number, size: number): void {
  if (Number.isSafeInteger(offset) && Math.abs(offset) < size) return;
  throw refuse(where, 'offset', offset, `a whole number of ms between -size and size (${size}), both exclusive`);
}

/** Throws unless `value` is a function. */
export function assertFunction(where: string, name: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`${where}: ${name} is ${show(value)}, it must be a function`);
}

/** The error of a bad argument: the parameter's name, what was given and what is allowed. */
export function refuse(where: string, name: string, value: unknown, allowed: string): RangeError | TypeError {
  const Kind = typeof value === 'number' ? RangeError : TypeError;
  return new Kind(`${where}: ${name} is ${show(value)}, it must be ${allowed}`);
}

import { show } from '../element/errors.js';

/** Throws unless `value` is a whole number of ms ≥ `least` (or `Infinity`, where that is allowed). */
export function assertMs(where: string, name: string, value: number, least: number, orInfinity = false): void {
  if ((Number.isSafeInteger(value) && value >= least) || (orInfinity && value === Infinity)) return;
  throw refuse(where, name, value, `a whole number of ms ≥ ${least}${orInfinity ? ' or Infinity' : ''}`);
}

/** Throws unless `value` is a whole number ≥ `least` (or `Infinity`, where that is allowed). */
export function assertCount(where: string, name: string, value: number, least: number, orInfinity = false): void {
  if ((Number.isSafeInteger(value) && value >= least) || (orInfinity && value === Infinity)) return;
  throw refuse(where, name, value, `a whole number ≥ ${least}${orInfinity ? ' or Infinity' : ''}`);
}

/** Throws unless |offset| < size (rule T3). */
export function assertOffset(where: string, offset: number, size: number): void {
  if (Number.isSafeInteger(offset) && Math.abs(offset) < size) return;
  throw refuse(where, 'offset', offset, `a whole number of ms with |offset| < ${size}`);
}

/** Throws unless `value` is a function. */
export function assertFunction(where: string, name: string, value: unknown): void {
  if (typeof value !== 'function') throw refuse(where, name, value, 'a function');
}

/** Throws unless `sink` is a function or an observer, or absent. */
export function assertSink(where: string, name: string, sink: unknown): void {
  if (sink === undefined || typeof sink === 'function' || (typeof sink === 'object' && sink !== null)) return;
  throw refuse(where, name, sink, 'a function or an observer');
}

/** Throws unless `value` is an observable, of whatever copy of RxJS. */
export function assertStream(where: string, name: string, value: unknown): void {
  if (!isStream(value)) throw refuse(where, name, value, 'an observable');
}

/** Not by `instanceof`: the observables of another copy of RxJS are as good. */
export function isStream(value: unknown): boolean {
  return typeof (value as { readonly subscribe?: unknown } | null | undefined)?.subscribe === 'function';
}

/** Throws unless `ord` is an Ord of fp-ts. */
export function assertOrd(where: string, ord: { readonly compare: unknown } | undefined): void {
  if (typeof ord?.compare !== 'function') throw refuse(where, 'ord', ord, 'an Ord of fp-ts');
}

/** Throws unless `value` is an object, where one is needed. */
export function assertObject(where: string, name: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) throw refuse(where, name, value, 'an object');
}

/** The error of a bad argument: the parameter's name, what was given and what is allowed. */
export function refuse(where: string, name: string, value: unknown, allowed: string): RangeError | TypeError {
  return new (typeof value === 'number' ? RangeError : TypeError)(`${where}: ${name} is ${show(value)}, it must be ${allowed}`);
}

/** Throws unless `value` is one of the words allowed. */
export function assertOneOf(where: string, name: string, value: string, allowed: ReadonlyArray<string>): void {
  if (!allowed.includes(value)) throw refuse(where, name, value, allowed.map(show).join(' or '));
}

import { show } from './errors.js';

/**
 * One key of several parts, that no other parts give: strings, numbers and booleans are told apart, and a separator within
 * a string is none.
 *
 * ```ts
 * from([record({ shop: 1, day: 'mon' }, 5)]).pipe(
 *   keyBy((sale) => compositeKey(sale.shop, sale.day)),
 * ); // keyedRecord({ shop: 1, day: 'mon' }, 5, '1,"mon"')
 * compositeKey('a', 'b,c') === compositeKey('a,b', 'c'); // false
 * ```
 *
 * @throws TypeError for a part that is no string, number or boolean.
 * @category keys
 * @since 0.1.0
 */
export function compositeKey(...parts: ReadonlyArray<string | number | boolean>): string {
  return parts.map(part).join();
}

function part(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value); // in quotes, with what could end them escaped
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError(`compositeKey: a part is ${show(value)}, it must be a string, a number or a boolean`);
}

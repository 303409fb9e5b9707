import { canonical, type Json } from './json.js';
import type { Difference } from './outcome.js';

/** In sequence, as a multiset, or in sequence within each key. */
export type Order = 'sequence' | 'set' | 'perKey';

/** What a case says in its field `ordered`. */
export function orderOf(ordered: unknown): Order {
  return ordered === false ? 'set' : ordered === 'per key' ? 'perKey' : 'sequence';
}

/** Compares rows field by field. */
export function compareRows(
  where: string,
  expected: ReadonlyArray<Json>,
  actual: ReadonlyArray<Json>,
  order: Order = 'sequence',
): Difference {
  const wanted = expected.map(canonical);
  const given = actual.map(canonical);
  const same =
    order === 'perKey'
      ? byKey(expected) === byKey(actual)
      : (order === 'set' ? [...wanted].sort() : wanted).join('\n') === (order === 'set' ? [...given].sort() : given).join('\n');
  if (same) return undefined;
  const missing = without(wanted, given).map((row) => `    missing    ${row}`);
  const unexpected = without(given, wanted).map((row) => `    unexpected ${row}`);
  const lines = [...missing, ...unexpected];
  if (lines.length === 0)
    lines.push(...wanted.map((row) => `    expected   ${row}`), ...given.map((row) => `    actual     ${row}`));
  return [`  ${where}`, ...lines].join('\n');
}

function byKey(rows: ReadonlyArray<Json>): string {
  const keys = new Map<string, string[]>();
  for (const row of rows) {
    const key = canonical(row['key']);
    const own = keys.get(key);
    if (own === undefined) keys.set(key, [canonical(row)]);
    else own.push(canonical(row));
  }
  return [...keys.values()]
    .map((own) => own.join('\n'))
    .sort()
    .join('\n\n');
}

function without(rows: ReadonlyArray<string>, others: ReadonlyArray<string>): string[] {
  const left = [...others];
  return rows.filter((row) => {
    const at = left.indexOf(row);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** A JSON object whose fields are looked at one by one. */
export type Json = Readonly<Record<string, unknown>>;

/** Equal values have equal texts: fields in alphabetical order, absent and undefined alike, no −0. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    fields.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
  }
  if (value === Infinity) return '"MAX"';
  if (value === -Infinity) return '"MIN"';
  return JSON.stringify(Object.is(value, -0) ? 0 : value) ?? 'undefined';
}

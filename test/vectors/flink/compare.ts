import { canonical, type Json } from '../json.js';
import type { Difference } from '../outcome.js';
import type { FlinkCase } from './format.js';

/** What came out after one step. */
export interface StepOutput {
  readonly main: Json[];
  readonly side: Json[];
}

const MAIN = ['record', 'watermark', 'idle', 'active', 'error'];
/** Fields of an expected item that are about the comparison. */
const NOTES = ['after', 'unordered', 'valueUnordered'];

/** Compares step by step, index −1 being the opening. */
export function compareSteps(vector: FlinkCase, actual: ReadonlyMap<number, StepOutput>): Difference {
  const lines: string[] = [];
  for (let step = -1; step < vector.input.length; step++) {
    const expected = vector.output.filter((item) => item['after'] === step);
    const { main, side } = actual.get(step) ?? { main: [], side: [] };
    const wanted = expected.filter((item) => MAIN.some((kind) => kind in item));
    // the end of input is our completion: what MAX causes, and MAX, may follow
    const open = step >= 0 && vector.input[step]?.end === true;
    const sidesDiffer = !sameSides(expected, side, open);
    if (sameMain(wanted, open ? main.slice(0, wanted.length) : main, vector.operator.kind) && !sidesDiffer) continue;
    lines.push(`  after step ${step} ${step < 0 ? '(opening)' : JSON.stringify(vector.input[step])}`);
    lines.push(...expected.map((item) => `    expected ${canonical(item)}`));
    lines.push(...[...main, ...side].map((item) => `    actual   ${canonical(item)}`));
  }
  return lines.length === 0 ? undefined : lines.join('\n');
}

function sameMain(expected: ReadonlyArray<Json>, actual: ReadonlyArray<Json>, kind: string): boolean {
  if (expected.length !== actual.length) return false;
  for (let from = 0, to: number; from < expected.length; from = to) {
    to = endOfSet(expected, from, kind);
    const wanted = expected.slice(from, to);
    const given = actual.slice(from, to);
    if (given.some((item, i) => 'error' in item !== 'error' in (wanted[i] as Json))) return false;
    if ('error' in (wanted[0] as Json)) continue; // the message is the engine's
    // an actual item takes the note of the expected ones: a set has it alike
    const loose = wanted.some((item) => item['valueUnordered'] === true);
    const text = (item: Json) => canonical(loose ? sorted(plain(item)) : plain(item));
    if (wanted.length === 1) {
      if (text(wanted[0] as Json) !== text(given[0] as Json)) return false;
    } else if (byGroup(wanted, kind, text) !== byGroup(given, kind, text)) return false;
  }
  return true;
}

/** Where the set ends that begins at `from`: unordered items in a row with equal times, for interval joins all of them. */
function endOfSet(items: ReadonlyArray<Json>, from: number, kind: string): number {
  const first = items[from] as Json;
  if (first['unordered'] !== true) return from + 1;
  let to = from + 1;
  for (let next = items[to]; next?.['unordered'] === true; next = items[++to]) {
    if (kind !== 'intervalJoin' && setOf(next) !== setOf(first)) break;
  }
  return to;
}

function setOf(item: Json): string {
  const record = (item['record'] ?? {}) as Json;
  return 'timer' in record ? `${record['domain']} ${record['timer']}` : canonical(record['timestamp']);
}

/** Within a group (a key; for interval joins equal times of both sides) the order holds, across groups it does not. */
function byGroup(items: ReadonlyArray<Json>, kind: string, text: (item: Json) => string): string {
  const groups = new Map<string, string[]>();
  for (const item of items) {
    const record = (item['record'] ?? {}) as Json;
    const group = canonical(kind === 'intervalJoin' ? [record['leftTimestamp'], record['rightTimestamp']] : record['key']);
    const own = groups.get(group);
    if (own === undefined) groups.set(group, [text(item)]);
    else own.push(text(item));
  }
  return [...groups.entries()]
    .map(([group, own]) => `${group}\n${own.join('\n')}`)
    .sort()
    .join('\n\n');
}

/** Side outputs, each in its own order; cleared items are a set. */
function sameSides(expected: ReadonlyArray<Json>, actual: ReadonlyArray<Json>, open: boolean): boolean {
  for (const kind of ['late', 'violation', 'side']) {
    for (const cleared of [false, true]) {
      const mine = (item: Json) => kind in item && ((item[kind] as Json)['tag'] === 'cleared') === cleared;
      const wanted = expected.filter(mine).map((item) => canonical(plain(item)));
      const given = actual.filter(mine).map((item) => canonical(plain(item)));
      const compared = open ? given.slice(0, wanted.length) : given;
      if (cleared) {
        wanted.sort();
        compared.sort();
      }
      if (wanted.join('\n') !== compared.join('\n')) return false;
    }
  }
  return true;
}

function plain(item: Json): Json {
  return Object.fromEntries(Object.entries(item).filter(([field]) => !NOTES.includes(field)));
}

/** The lists in a record as multisets. */
function sorted(item: Json): Json {
  const record = { ...(item['record'] as Json) };
  for (const field of ['value', 'left', 'right']) {
    const list = record[field];
    if (Array.isArray(list)) record[field] = list.map(canonical).sort();
  }
  return { ...item, record };
}

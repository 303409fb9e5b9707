import { readFileSync, writeFileSync } from 'node:fs';
import type { Event } from '../records.js';

/** Writes records for all processes to read: a line of key, value and time each. */
export function writeRecords(file: string, events: ReadonlyArray<Event>): void {
  writeFileSync(file, events.map(({ key, value, ts }) => `${key},${value},${ts}\n`).join(''));
}

/** Reads them again; records of a key share its name, as those of the generator do. */
export function readRecords(file: string): Event[] {
  const names = new Map<string, string>();
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [name = '', value, ts] = line.split(',');
    const key = names.get(name) ?? name;
    names.set(key, key);
    return { key, value: Number(value), ts: Number(ts) };
  });
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, ROOT } from './project.js';
import { listedTitles, type Title } from './titles.js';

/** By id, a short title, or the reason why there is no test yet. */
export type ById = Readonly<Record<string, string>>;

/** The ids that are neither tested nor excused, or both, or unknown, one line each. */
export function pitfalls(ids: ById, notYet: ById, titles: ReadonlyArray<Title>): ReadonlyArray<string> {
  const tested = new Set(titles.flatMap(({ title }) => title.match(/\bP\d{3}\b/g) ?? []));
  const known = (id: string): boolean => Object.hasOwn(ids, id);
  return [
    ...Object.entries(ids).flatMap(([id, title]) => {
      const reason = notYet[id];
      if (reason === undefined) return tested.has(id) ? [] : [`${id} (${title}): no test, and no reason in not-yet.json`];
      if (reason.trim() === '') return [`${id} (${title}): an empty reason in not-yet.json`];
      return tested.has(id) ? [`${id} (${title}): tested, but still in not-yet.json (${reason})`] : [];
    }),
    ...[...tested].filter((id) => !known(id)).map((id) => `${id}: tested, but no such requirement`),
    ...Object.keys(notYet)
      .filter((id) => !known(id))
      .map((id) => `${id}: in not-yet.json, but no such requirement`),
  ];
}

export function readById(name: string): ById {
  const path = join(ROOT, 'test/pitfalls', name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as ById) : {};
}

if (isMain(import.meta.url)) {
  const wrong = pitfalls(readById('ids.json'), readById('not-yet.json'), listedTitles());
  for (const line of wrong) console.log(line);
  console.log(`${wrong.length} wrong`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}

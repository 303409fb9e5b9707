import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/project.js';

/** What stands before and behind the work in a method of a source text, if it has one; how an element is put off, and an error told, is left out. */
function guardOf(text: string, declaration: RegExp): readonly [before: string, behind: string] | undefined {
  const found = text.match(declaration);
  if (found?.index === undefined) return undefined;
  const body = text.slice(text.indexOf('\n', found.index), text.indexOf('\n  }\n', found.index));
  const [start, end] = [body.indexOf('    try {\n'), body.lastIndexOf('    } catch (cause) {\n')];
  return [
    body.slice(0, start).replace(/this\.defer.*;/, 'this.defer;'),
    body.slice(end).replace(/this\.fail\(.*\);/, 'this.fail;'),
  ];
}

it('C2 the guard of Stage.next stands around the work of each stage that has it elsewhere', () => {
  const src = join(ROOT, 'src');
  const original = guardOf(readFileSync(join(src, 'internal/operate.ts'), 'utf8'), /^ {2}next\(value: A\): void \{$/m);
  expect(original?.[0]).toContain('this.defer;');
  expect(original?.[1]).toContain('this.fail;');
  const guards = readdirSync(join(src, 'operators'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const text = readFileSync(join(src, 'operators', name), 'utf8');
      const guard = guardOf(text, /^ {2}override (next|record)\(/m);
      return guard === undefined ? [] : [[name, guard] as const];
    });
  expect(guards.length).toBeGreaterThan(5);
  for (const [name, guard] of guards) expect([name, guard]).toEqual([name, original]);
  // a further input has it around the phase of its stage
  const input = guardOf(
    readFileSync(join(src, 'internal/listen.ts'), 'utf8').replaceAll('stage.', 'this.'),
    /^ {2}next\(value: C\)/m,
  );
  expect(input?.[0].endsWith(original?.[0].trimStart() ?? 'none')).toBe(true);
  expect(input?.[1]).toBe(original?.[1]);
});

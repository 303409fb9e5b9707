import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/project.js';

/** What stands before and behind the work in the `next` of a source text, if it has one; without the name of the element. */
function guardOf(text: string, declaration: RegExp): readonly [before: string, behind: string] | undefined {
  const found = text.match(declaration);
  if (found?.index === undefined) return undefined;
  const body = text.slice(text.indexOf('\n', found.index), text.indexOf('\n  }\n', found.index));
  const [start, end] = [body.indexOf('    try {\n'), body.lastIndexOf('    } catch (cause) {\n')];
  return [body.slice(0, start).replace(`deferNext(${found[1]})`, 'deferNext(value)'), body.slice(end)];
}

it('C2 the guard of Stage.next stands around the work of each stage that overrides it', () => {
  const src = join(ROOT, 'src');
  const original = guardOf(readFileSync(join(src, 'internal/operate.ts'), 'utf8'), /^ {2}next\((\w+): A\): void \{$/m);
  expect(original?.[0]).toContain('this.deferNext(value)');
  expect(original?.[1]).toContain('this.fail(cause)');
  const guards = readdirSync(join(src, 'operators'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const text = readFileSync(join(src, 'operators', name), 'utf8');
      const guard = guardOf(text, /^ {2}override next\((\w+):/m);
      return guard === undefined ? [] : [{ name, guard, again: text.includes('this.again(') }];
    });
  expect(guards.length).toBeGreaterThan(4);
  for (const { name, guard, again } of guards) expect([name, guard, again]).toEqual([name, original, true]);
});

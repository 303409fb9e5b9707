import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/project.js';

/** The body of `next` in a source text, if it has one. */
function bodyOfNext(text: string, declaration: RegExp): string | undefined {
  const start = text.search(declaration);
  if (start === -1) return undefined;
  return text.slice(text.indexOf('\n', start), text.indexOf('\n  }\n', start));
}

it('C2 the copies of Stage.next are what it is', () => {
  const src = join(ROOT, 'src');
  const original = bodyOfNext(readFileSync(join(src, 'internal/operate.ts'), 'utf8'), /^ {2}next\(value: A\): void \{$/m);
  expect(original).toContain('this.onNext(value)');
  const copies = readdirSync(join(src, 'operators'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const body = bodyOfNext(readFileSync(join(src, 'operators', name), 'utf8'), /^ {2}override next\(/m);
      return body === undefined ? [] : [[name, body]];
    });
  expect(copies.length).toBeGreaterThan(4);
  for (const [name, body] of copies) expect([name, body]).toEqual([name, original]);
});

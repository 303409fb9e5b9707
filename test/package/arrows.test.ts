import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrows } from '../../scripts/arrows.js';
import { ROOT } from '../../scripts/project.js';

// each file below, added to a copy of src, breaks one arrow
const FORBIDDEN: ReadonlyArray<readonly [rule: string, file: string, text: string]> = [
  ['element-arrows', 'element/wrong.ts', "export { assertFunction } from '../time/assert.js';"],
  ['time-arrows', 'time/wrong.ts', "export { Observable } from 'rxjs';"],
  ['core-arrows', 'core/wrong.ts', "import type { Observable } from 'rxjs';\nexport type Wrong = Observable<0>;"],
  ['core-takes-types-of-windows', 'core/wrong.ts', "export { tumbling } from '../windows/assigners/tumbling.js';"],
  ['watermarks-arrows', 'watermarks/wrong.ts', "export { asyncScheduler } from 'rxjs';"],
  ['windows-arrows', 'windows/wrong.ts', "export { noWatermarks } from '../watermarks/noWatermarks.js';"],
  ['schedulers-arrows', 'schedulers/wrong.ts', "export { mapValue } from '../operators/mapValue.js';"],
  ['internal-arrows', 'internal/wrong.ts', "export { assertFunction } from '../time/assert.js';"],
  ['operators-apart', 'operators/wrong.ts', "export { mapValue } from './mapValue.js';"],
  ['shared-below-operators', 'operators/shared/wrong.ts', "export { mapValue } from '../mapValue.js';"],
  ['only-src', 'operators/wrong.ts', "export { windowed } from '../../test/helpers/elements.js';"],
  ['fp-ts-as-types', 'operators/wrong.ts', "export { some } from 'fp-ts/lib/Option.js';"],
  ['peers-only', 'operators/wrong.ts', "export { marbles } from 'rxjs-marbles';"],
  ['node-in-node', 'operators/wrong.ts', "export { readFile } from 'node:fs';"],
  ['resolvable', 'operators/wrong.ts', "export { nothing } from './nowhere.js';"],
  ['nothing-imports-the-root', 'operators/wrong.ts', "export { record } from '../index.js';"],
  ['no-cycles', 'time/wrong.ts', "export { wrong } from './wrong2.js';\nexport const wrong2 = 2;"],
];

describe('the arrows of the architecture', () => {
  let project = '';

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'tidemark-arrows-'));
    for (const name of ['src', 'test/helpers', 'package.json', 'tsconfig.json']) {
      await cp(join(ROOT, name), join(project, name), { recursive: true });
    }
    await symlink(join(ROOT, 'node_modules'), join(project, 'node_modules'));
    await writeFile(join(project, 'src/time/wrong2.ts'), "export { wrong2 } from './wrong.js';\nexport const wrong = 1;\n");
    await writeFile(join(project, 'src/time/wrong.ts'), 'export const wrong2 = 1;\n');
  });
  afterAll(() => rm(project, { recursive: true, force: true }));

  it('are kept by src', async () => {
    const { violations, imports } = await arrows(ROOT);
    expect(violations).toEqual([]);
    expect(imports).toBeGreaterThan(200); // the linter has read the TypeScript files
  });

  it.each(FORBIDDEN)('%s is noticed in %s', async (rule, file, text) => {
    const path = join(project, 'src', file);
    await writeFile(path, text);
    const { violations } = await arrows(project);
    await (file === 'time/wrong.ts' ? writeFile(path, 'export const wrong2 = 1;\n') : rm(path));
    expect(violations.filter((line) => line.startsWith(`${rule}: src/${file}`))).toHaveLength(1);
  });
});

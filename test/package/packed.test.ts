import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/project.js';
import { type Consumer, installPacked } from '../helpers/packed.js';

/** The entries besides the root. */
const ENTRIES = ['aggregates', 'assigners', 'calendar', 'evictors', 'fp', 'node', 'sketches', 'testing', 'triggers'];

const PIPELINE = `
  from([{ at: 1, n: 1 }, { at: 12, n: 2 }, { at: 3, n: 4 }]).pipe(
    assignWatermarks(boundedOutOfOrderness(10), { timestamp: (event) => event.at, interval: 'record' }),
    tumblingWindow(10, aggregates.sum((event) => event.n)),
    toValues(),
  ).subscribe(({ window, value }) => console.log(window.start, value));
`;

describe('the package as npm would publish it', () => {
  let app: Consumer;

  beforeAll(async () => {
    app = await installPacked();
  }, 60_000);
  afterAll(() => app.remove());

  it('holds what it needs and nothing of the workshop', async () => {
    const files = await readdir(join(app.folder, 'node_modules/tidemark'), { recursive: true });
    expect(files.filter((name) => !name.startsWith('dist')).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package.json',
    ]);
    for (const entry of ['index', ...ENTRIES]) {
      expect(files).toContain(`dist/${entry}.js`);
      expect(files).toContain(`dist/${entry}.d.ts`);
    }
  });

  it('runs in plain Node', async () => {
    await writeFile(
      join(app.folder, 'app.mjs'),
      `import { from } from 'rxjs';
       import { aggregates, assignWatermarks, boundedOutOfOrderness, toValues, tumblingWindow } from 'tidemark';
       ${PIPELINE}`,
    );
    expect(await app.node('app.mjs')).toBe('0 5\n10 2\n');
  });

  it('can be required', async () => {
    await writeFile(
      join(app.folder, 'app.cjs'),
      `const { from } = require('rxjs');
       const { aggregates, assignWatermarks, boundedOutOfOrderness, toValues, tumblingWindow } = require('tidemark');
       ${PIPELINE}`,
    );
    expect(await app.node('--no-warnings', 'app.cjs')).toBe('0 5\n10 2\n');
  });

  it.each(['tidemark', ...ENTRIES.map((name) => `tidemark/${name}`)])('gives %s to import and require', async (entry) => {
    const print = '((found) => console.log(Object.keys(found).filter((name) => name !== "default").length > 0))';
    expect(await app.node('--input-type=module', '-e', `${print}(await import('${entry}'))`)).toBe('true\n');
    expect(await app.node('--no-warnings', '--input-type=commonjs', '-e', `${print}(require('${entry}'))`)).toBe('true\n');
  });

  it('hides its files', async () => {
    await expect(app.node('--input-type=module', '-e', "await import('tidemark/dist/index.js')")).rejects.toThrow(
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    );
  });

  it('knows fp-ts and Node only by type in its root', async () => {
    const dist = join(app.folder, 'node_modules/tidemark/dist');
    const reached = new Set<string>();
    const packages = new Set<string>();
    const walk = async (file: string): Promise<void> => {
      if (reached.has(file)) return;
      reached.add(file);
      const text = await readFile(join(dist, file), 'utf8');
      for (const { fileName } of ts.preProcessFile(text).importedFiles) {
        if (fileName.startsWith('./')) await walk(fileName.slice(2));
        else packages.add(fileName);
      }
    };
    await walk('index.js');
    expect([...packages]).toEqual(['rxjs']);
  });

  const diagnose = (file: string, options: ts.CompilerOptions): ReadonlyArray<string> => {
    const program = ts.createProgram([file], {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
      ...options,
    });
    return ts.getPreEmitDiagnostics(program).map(({ file: at, messageText }) => {
      return `${at?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
  };

  it('type-checks for a user who has no Node types and skips no library check', async () => {
    const file = join(app.folder, 'app.ts');
    await writeFile(
      file,
      `import { from } from 'rxjs';
       import { aggregates, assignWatermarks, boundedOutOfOrderness, toValues, tumblingWindow } from 'tidemark';
       export const sums$ = from([{ at: 1, n: 1 }]).pipe(
         assignWatermarks(boundedOutOfOrderness(10), { timestamp: (event) => event.at, key: (event) => String(event.n) }),
         tumblingWindow(10, aggregates.sum((event) => event.n)),
         toValues(),
       );
       sums$.subscribe(({ key, value }) => [key.length, value.toFixed()]);
       // @ts-expect-error there is no such member
       sums$.subscribe(({ nothing }) => nothing);`,
    );
    expect(diagnose(file, { types: [] })).toEqual([]);
  });

  it('type-checks all its entries', async () => {
    const file = join(app.folder, 'entries.ts');
    await writeFile(
      file,
      ['tidemark', ...ENTRIES.map((name) => `tidemark/${name}`)].map((entry) => `import '${entry}';`).join('\n'),
    );
    const typeRoots = [join(ROOT, 'node_modules/@types')];
    expect(
      diagnose(file, { types: ['node'], typeRoots, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.esnext.disposable.d.ts'] }),
    ).toEqual([]);
  });
});

import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, PIPELINE } from '../../scripts/bundle.js';
import { entriesOf, importWork } from '../../scripts/importWork.js';
import { ROOT } from '../../scripts/project.js';

/** Names of the classes, functions and constants of `code`. */
function declared(code: string): ReadonlyArray<string> {
  return [...code.matchAll(/^(?:var|let|const|class|function) (\w+)/gm)].flatMap(([, name]) => name ?? []);
}

describe('what an application bundles', () => {
  let folder = '';
  let dist = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidemark-shaking-'));
    dist = join(folder, 'dist');
    await cp(join(ROOT, 'package.json'), join(folder, 'package.json')); // it says that nothing has side effects
    await promisify(execFile)('npx', ['tsdown', '--out-dir', dist, '--no-dts', '--logLevel', 'error'], { cwd: ROOT });
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('P118 is nothing, if it imports all entries for nothing', async () => {
    const imports = (await entriesOf()).map((entry) => `import '${entry}';`);
    expect(await bundle(imports.join('\n'), dist)).toBe('');
  });

  it('P118 is nothing for a bundler that looks for itself, too', async () => {
    expect(await importWork(await entriesOf(), dist)).toEqual([]);
  });

  it('P118 with a constant is that constant', async () => {
    expect(declared(await bundle("import { MAX_TIMESTAMP } from 'tidemark'; export const end = MAX_TIMESTAMP;", dist))).toEqual([
      'end',
    ]);
  });

  it('P118 with one window operator holds no other, no join, no strategy, and one aggregate', async () => {
    const names = declared(await bundle("export { tumblingWindow } from 'tidemark';", dist));
    expect(names).toEqual(expect.arrayContaining(['tumblingWindow', 'TumblingCore', 'collect']));
    const rest = [
      ...['windowBy', 'GeneralCore', 'TriggerMachine', 'sideOutput', 'assignWatermarks', 'mapValue', 'keyBy', 'toValues'],
      ...['boundedOutOfOrderness', 'punctuated', 'count', 'sum', 'reduce', 'struct', 'foldMap', 'counters', 'hours'],
    ];
    expect(names.filter((name) => rest.includes(name))).toEqual([]);
  });

  it('P118 with a pipeline holds the parts of that pipeline only', async () => {
    const names = declared(await bundle(PIPELINE, dist));
    expect(names).toEqual(expect.arrayContaining(['TumblingCore', 'AssignStage', 'KeyByStage', 'count']));
    const rest = [
      'GeneralCore',
      'windowBy',
      'mapValue',
      'sum',
      'mean',
      'minBy',
      'struct',
      'fold',
      'periodicAssigner',
      'sideOutput',
    ];
    expect(names.filter((name) => rest.includes(name))).toEqual([]);
  });

  it('P118 with one thing of an fp-ts module holds no other', async () => {
    const names = declared(await bundle("import { eventStream } from 'tidemark/fp'; export const name = eventStream.URI;", dist));
    expect(names).toEqual(['name']);
  });

  it('P118 with a record-wise operator holds no window', async () => {
    const names = declared(await bundle("export { mapValue } from 'tidemark';", dist));
    expect(names).toContain('mapValue');
    expect(names.filter((name) => /window|core|trigger|assign|timer|clock/i.test(name))).toEqual([]);
  });
});

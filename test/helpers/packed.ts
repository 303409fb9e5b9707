import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/project.js';

const run = promisify(execFile);

/** The peers, optional ones too, and what they need. */
const PEERS = ['rxjs', 'fp-ts', 'tslib', '@datadog/sketches-js', 'imurmurhash', 'temporal-polyfill'];

/** An application into which the packed project has been installed, with the peers and nothing else. */
export interface Consumer {
  readonly folder: string;
  /** Runs a script of the application with plain Node, and gives what it printed. */
  node(...args: ReadonlyArray<string>): Promise<string>;
  remove(): Promise<void>;
}

/** Builds into a folder of its own, packs that as npm would publish it, and unpacks it where an application finds it. */
export async function installPacked(): Promise<Consumer> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-packed-'));
  const staged = join(folder, 'staged');
  const modules = join(folder, 'app/node_modules');
  await Promise.all([mkdir(staged), mkdir(join(modules, 'tidemark'), { recursive: true })]);
  await run('npx', ['tsdown', '--out-dir', join(staged, 'dist'), '--logLevel', 'error'], { cwd: ROOT });
  for (const name of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'src']) {
    await cp(join(ROOT, name), join(staged, name), { recursive: true });
  }
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], { cwd: staged });
  const [packed] = JSON.parse(stdout) as ReadonlyArray<{ readonly filename: string }>;
  if (packed === undefined) throw new Error(`npm pack said ${stdout}`);
  await run('tar', ['-xzf', join(folder, packed.filename), '--strip-components=1', '-C', join(modules, 'tidemark')]);
  await mkdir(join(modules, '@datadog'));
  for (const peer of PEERS) await symlink(join(ROOT, 'node_modules', peer), join(modules, peer));
  return {
    folder: join(folder, 'app'),
    node: async (...args) => (await run(process.execPath, args, { cwd: join(folder, 'app') })).stdout,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

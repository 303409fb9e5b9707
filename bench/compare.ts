import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Table from 'cli-table3';
import { build } from 'esbuild';
import { ROOT } from '../scripts/project.js';
import { type Ratio, showRatio, spreadOf } from './ratios.js';

const run = promisify(execFile);
const PAIRS = 5;

/**
 * Measures a git reference and the working tree by turns, each in fresh processes, by the workloads of the working tree
 * (so the reference must have what they use). Prints each ratio before and after; it has moved if the ranges between the
 * quartiles over the processes lie apart.
 */
export async function compare(ref: string, args: ReadonlyArray<string>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-compare-'));
  const tree = join(folder, 'tree');
  try {
    await run('git', ['worktree', 'add', '--quiet', '--detach', tree, ref], { cwd: ROOT });
    if (!existsSync(join(tree, 'node_modules'))) await symlink(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    const builds = [await benchOf(tree, join(folder, 'before')), await benchOf(ROOT, join(folder, 'after'))];
    const found: ReadonlyArray<Array<Record<string, number>>> = [[], []];
    for (let pair = 0; pair < PAIRS; pair++) {
      // A B, B A, A B, …
      for (const which of pair % 2 === 0 ? [0, 1] : [1, 0]) {
        const { stdout } = await run(process.execPath, ['--expose-gc', builds[which] ?? '', ...args]);
        found[which]?.push(JSON.parse(stdout) as Record<string, number>);
      }
    }
    print(ref, found[0] ?? [], found[1] ?? []);
  } finally {
    await run('git', ['worktree', 'remove', '--force', tree], { cwd: ROOT }).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
}

/** The benchmarks of the working tree in one file, around the build of `tree`. */
async function benchOf(tree: string, folder: string): Promise<string> {
  const dist = join(folder, 'dist');
  await run('npx', ['--no-install', 'tsdown', '--out-dir', dist, '--no-dts', '--logLevel', 'error'], { cwd: tree });
  const outfile = join(folder, 'bench.mjs');
  await build({
    entryPoints: [join(ROOT, 'bench/child.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    tsconfigRaw: '{}', // its paths lead to the sources
    alias: { tidemark: join(dist, 'index.js'), rxjs: join(ROOT, 'node_modules/rxjs') },
    logLevel: 'error',
  });
  return outfile;
}

function print(ref: string, before: ReadonlyArray<Record<string, number>>, after: ReadonlyArray<Record<string, number>>): void {
  const table = new Table({ head: ['CPU', ref, 'now', 'change', ''] });
  for (const name of Object.keys(after[0] ?? {})) {
    const of = (runs: ReadonlyArray<Record<string, number>>): Ratio => spreadOf(runs.map((found) => found[name] ?? NaN));
    const [old, now] = [of(before), of(after)];
    const change = `${((now.median / old.median - 1) * 100).toFixed(0)} %`;
    const moved = now.low > old.high ? 'slower' : now.high < old.low ? 'faster' : '';
    table.push([name, showRatio(old), showRatio(now), change, moved]);
  }
  console.log(table.toString());
}

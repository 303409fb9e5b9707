import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Table from 'cli-table3';
import { ROOT } from '../scripts/project.js';
import { buildBench, entryIn } from './build.js';
import { inProcess } from './inProcess.js';
import type { Measured } from './measure.js';
import { basesOf, type Ratio, ratio, showRatio, spreadOf } from './ratios.js';
import { argsOf, type Wanted } from './wanted.js';

const run = promisify(execFile);
const PAIRS = 5;

/**
 * Measures a git reference and the working tree by turns, each in fresh processes, by the workloads of the working tree
 * (so the reference must have what they use). Prints each ratio before and after; it has moved if the ranges between the
 * quartiles over the processes lie apart.
 */
export async function compare(ref: string, folder: string, wanted: Wanted): Promise<void> {
  const tree = join(folder, 'tree');
  try {
    await run('git', ['worktree', 'add', '--quiet', '--detach', tree, ref], { cwd: ROOT });
    if (!existsSync(join(tree, 'node_modules'))) await symlink(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    const builds = [join(folder, 'before'), join(folder, 'after')] as const;
    await buildBench(tree, builds[0]);
    await buildBench(ROOT, builds[1]);
    const found: ReadonlyArray<Array<Record<string, number>>> = [[], []];
    for (let pair = 0; pair < PAIRS; pair++) {
      // A B, B A, A B, …
      for (const which of pair % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        found[which]?.push(ratiosOf(await inProcess(entryIn(builds[which], 'child'), argsOf(wanted))));
      }
    }
    print(ref, found[0] ?? [], found[1] ?? []);
  } finally {
    await run('git', ['worktree', 'remove', '--force', tree], { cwd: ROOT }).catch(() => undefined);
  }
}

/** The median CPU ratios of one process. */
function ratiosOf(measured: ReadonlyArray<Measured>): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { name, samples } of measured) {
    const { first, stock } = basesOf(samples);
    for (const base of stock === undefined ? [first] : [first, stock]) {
      for (const one of Object.keys(samples)) found[`${name} ${one} / ${base}`] = ratio(samples, one, base, 'cpu').median;
    }
  }
  return found;
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

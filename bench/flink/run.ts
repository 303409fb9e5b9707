/**
 * Ratios between Flink in one process, a hand-written loop and tidemark, from the same run:
 * `npm run bench:flink -- [B1|B2|B3 …] [--rounds N] [--records N]`. It needs a JDK and Maven, which fetches Flink the first time,
 * and several minutes.
 *
 * Flink reads its records from memory and keeps its state there (the hash map backend, its default), with parallelism 1 and
 * objects reused; it is timed from the first record that leaves the source to the end of the sinks, without the start of the
 * job. `flink` partitions by `keyBy`, which makes two tasks; `flink-chained` is told that the records are partitioned already,
 * so that all is one task and nothing is serialised. CPU is that of the process, collections and compilers included.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { ROOT } from '../../scripts/project.js';
import { buildBench, entryIn } from '../build.js';
import type { Sample } from '../measure.js';
import { showRatio, spreadOf } from '../ratios.js';
import { makeRecords } from '../records.js';
import { buildJava } from './build.js';
import { writeRecords } from './file.js';
import { type Plan, plansOf } from './plans.js';
import { type Run, Runner } from './runner.js';

type Runs = ReadonlyMap<string, ReadonlyArray<Run>>;

/** Each runs so often, and so many ms, before anything is measured: a compiler is warm after calls, not after records. */
const WARM_UP = { runs: 3, time: 8_000 } as const;

const plans = plansOf(process.argv.slice(2));
const folder = await mkdtemp(join(tmpdir(), 'tidemark-flink-'));
try {
  const { version, classPath } = await buildJava();
  await buildBench(ROOT, folder);
  const node = new Runner(process.execPath, ['--expose-gc', entryIn(folder, 'flink/child')]);
  const flink = new Runner('java', ['-Xms2g', '-Xmx2g', '-cp', classPath, 'tidemark.bench.Main']);
  try {
    console.log(`Flink ${version}, state in memory, parallelism 1`);
    const runners = { loop: node, tidemark: node, flink, 'flink-chained': flink };
    for (const plan of plans) print(plan, await measure(plan, Object.entries(runners)));
  } finally {
    node.stop();
    flink.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Runs all by turns, round after round; all have to find the same, always. */
async function measure(
  { workload: { name, keys }, records, rounds }: Plan,
  runners: ReadonlyArray<readonly [implementation: string, runner: Runner]>,
): Promise<Runs> {
  const file = join(folder, `${name}.csv`);
  writeRecords(file, makeRecords(records, keys));
  let expected: string | undefined;
  const run = async (implementation: string, runner: Runner): Promise<Run> => {
    const ran = await runner.run(name, implementation, file);
    const found = JSON.stringify(ran.found);
    expected ??= found;
    if (found !== expected) throw new Error(`bench:flink: ${name} ${implementation} finds ${found}, others ${expected}`);
    return ran;
  };
  for (const [implementation, runner] of runners) {
    const start = performance.now();
    for (let i = 0; i < WARM_UP.runs || performance.now() - start < WARM_UP.time; i++) await run(implementation, runner);
  }
  const runs = new Map(runners.map(([implementation]): [string, Run[]] => [implementation, []]));
  for (let round = 0; round < rounds; round++) {
    // each round begins with another one: nobody always runs behind the one that leaves the most to clear away
    const first = round % runners.length;
    for (const [implementation, runner] of [...runners.slice(first), ...runners.slice(0, first)]) {
      runs.get(implementation)?.push(await run(implementation, runner));
    }
  }
  return runs;
}

function print({ workload: { name, what }, records, rounds }: Plan, runs: Runs): void {
  const ratio = (of: string, to: string, by: keyof Sample): string => {
    const base = runs.get(to) ?? [];
    return showRatio(spreadOf((runs.get(of) ?? []).map((run, i) => run[by] / (base[i]?.[by] ?? NaN))));
  };
  const table = new Table({ head: ['', 'wall / loop', 'CPU / loop', 'wall / tidemark', 'CPU / tidemark'] });
  for (const of of runs.keys()) {
    const cells = ['loop', 'tidemark'].flatMap((to) => [ratio(of, to, 'wall'), ratio(of, to, 'cpu')]);
    table.push([of, ...cells]);
  }
  const found = JSON.stringify(runs.get('loop')?.[0]?.found);
  console.log(`\n${name}: ${what}; ${records.toLocaleString('en')} records, ${rounds} rounds; all find ${found}`);
  console.log(table.toString());
}

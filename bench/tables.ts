import { writeFileSync } from 'node:fs';
import { entryIn } from './build.js';
import { inProcess } from './inProcess.js';
import type { Measured } from './measure.js';
import { basesOf, ratio, ratioOfBest, showRatio } from './ratios.js';
import { printTable, type Rows } from './table.js';
import { argsOf, chosenOf, NOBODY, type Wanted } from './wanted.js';
import type { Workload } from './workload.js';

/** What several processes have measured of one workload, with bytes that implementations need at most. */
interface Result {
  readonly measured: ReadonlyArray<Measured>;
  readonly peaks: Readonly<Record<string, number>>;
}

/** Measures in processes around the build in `folder`, and prints a table a workload. */
export async function tables(folder: string, wanted: Wanted): Promise<void> {
  const file = entryIn(folder, 'child');
  const run = (what: Wanted): Promise<ReadonlyArray<Measured>> => inProcess(file, argsOf(what));
  const results: Result[] = [];
  const add = async (measured: ReadonlyArray<Measured>): Promise<void> => {
    const result = { measured, peaks: await peaksOf(file, measured, wanted) };
    results.push(result);
    show(result, wanted);
  };
  if (wanted.used) {
    for (const measured of await run(wanted)) await add([measured]);
  } else {
    for (const workload of wanted.workloads) {
      const measured: Measured[] = [];
      for (const process of await processesOf(workload, wanted)) measured.push(...(await run(process)));
      await add(measured);
    }
  }
  if (wanted.json !== undefined) writeFileSync(wanted.json, JSON.stringify(results));
}

/**
 * One process for what is not slow; and one for each that is, which leaves so much behind that the others would pay for it.
 * A third of the rounds is enough for a ratio that is far from 1.
 */
async function processesOf(workload: Workload, wanted: Wanted): Promise<ReadonlyArray<Wanted>> {
  const one = { ...wanted, workloads: [workload], all: false };
  if (!wanted.all) return [one];
  const slow = (await chosenOf(workload, wanted)).filter((implementation) => implementation.slow === true);
  return [one, ...slow.map(({ name }) => ({ ...one, only: [name], rounds: Math.ceil(wanted.rounds / 3) }))];
}

/** Each runs once, in a process of its own; one that runs none tells what records and engine take. */
async function peaksOf(file: string, measured: ReadonlyArray<Measured>, { records }: Wanted): Promise<Result['peaks']> {
  const workload = measured[0]?.name ?? '';
  const peak = (only: string): Promise<number> =>
    inProcess(file, [workload, '--peak', '--only', only, '--records', String(records)]);
  const idle = await peak(NOBODY);
  const peaks: Record<string, number> = {};
  for (const name of new Set(measured.flatMap(({ samples }) => Object.keys(samples)))) peaks[name] = (await peak(name)) - idle;
  return peaks;
}

function show({ measured, peaks }: Result, { records, markdown }: Wanted): void {
  const [main] = measured;
  if (main === undefined) return;
  const { name, what, found, samples } = main;
  const { first, stock } = basesOf(samples);
  // the loop that ran beside a slow one is only what that one is measured by
  const rows: Rows = measured.flatMap((part) =>
    Object.keys(part.samples)
      .filter((one) => part === main || one !== first)
      .map((one) => [
        one,
        showRatio(ratio(part.samples, one, first, 'wall')),
        showRatio(ratio(part.samples, one, first, 'cpu')),
        ratioOfBest(part.samples, one, first).toFixed(2),
        ...(stock === undefined ? [] : [part === main ? showRatio(ratio(samples, one, stock, 'cpu')) : '']),
        `${((peaks[one] ?? NaN) / 2 ** 20).toFixed(0)} MB`,
      ]),
  );
  const ratios = ['wall', 'CPU', 'best wall'].map((measure) => `${measure} / ${first}`);
  const head = [markdown ? name : '', ...ratios, ...(stock === undefined ? [] : [`CPU / ${stock}`]), 'peak'];
  if (markdown) console.log(`\n**${name}**: ${what}\n`);
  else console.log(`\n${name}: ${what}; ${records} records; all find ${JSON.stringify(found)}`);
  printTable(head, rows, markdown);
}

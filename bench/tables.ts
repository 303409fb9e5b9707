import { writeFileSync } from 'node:fs';
import { entryIn } from './build.js';
import { inProcess } from './inProcess.js';
import type { Measured } from './measure.js';
import { basesOf, ratio, ratioOfBest, showRatio } from './ratios.js';
import { printTable, type Rows } from './table.js';
import { argsOf, type Wanted } from './wanted.js';

/** Bytes that an implementation needs at most, over what its records take. */
type Peaks = Readonly<Record<string, number>>;

/** Measures in processes around the build in `folder`, and prints a table a workload. */
export async function tables(folder: string, wanted: Wanted): Promise<void> {
  const file = entryIn(folder, 'child');
  const all: Array<Measured & { readonly peaks: Peaks }> = [];
  for (const workloads of wanted.used ? [wanted.workloads] : wanted.workloads.map((workload) => [workload])) {
    for (const measured of await inProcess<Measured[]>(file, argsOf({ ...wanted, workloads }))) {
      const peaks = await peaksOf(file, measured, wanted);
      all.push({ ...measured, peaks });
      show(measured, peaks, wanted);
    }
  }
  if (wanted.json !== undefined) writeFileSync(wanted.json, JSON.stringify(all));
}

/** Each runs once, in a process of its own; one that runs none tells what records and engine take. */
async function peaksOf(file: string, { name, samples }: Measured, { records }: Wanted): Promise<Peaks> {
  const peak = (only: string): Promise<number> => inProcess(file, [name, '--peak', '--only', only, '--records', String(records)]);
  const idle = await peak('');
  const peaks: Record<string, number> = {};
  for (const one of Object.keys(samples)) peaks[one] = (await peak(one)) - idle;
  return peaks;
}

function show({ name, what, found, samples }: Measured, peaks: Peaks, { records, markdown }: Wanted): void {
  const { first, stock } = basesOf(samples);
  const words = ['wall', 'CPU', 'best wall'].map((measure) => `${measure} / ${first}`);
  const rows: Rows = Object.keys(samples).map((one) => [
    one,
    showRatio(ratio(samples, one, first, 'wall')),
    showRatio(ratio(samples, one, first, 'cpu')),
    ratioOfBest(samples, one, first).toFixed(2),
    ...(stock === undefined ? [] : [showRatio(ratio(samples, one, stock, 'cpu'))]),
    `${((peaks[one] ?? NaN) / 2 ** 20).toFixed(0)} MB`,
  ]);
  const head = [markdown ? name : '', ...words, ...(stock === undefined ? [] : [`CPU / ${stock}`]), 'peak'];
  console.log(
    `\n${markdown ? `**${name}**` : name}: ${what}; ${records.toLocaleString('en')} records; all find ${JSON.stringify(found)}\n`,
  );
  printTable(head, rows, markdown);
}

import { writeFileSync } from 'node:fs';
import { entryIn } from '../build.js';
import { inProcess } from '../inProcess.js';
import { printTable } from '../table.js';
import type { Wanted } from '../wanted.js';
import { type Curve, draw } from './draw.js';
import { QUESTIONS } from './questions.js';

/** What a record costs, and what an open window holds, as the work grows, by the build in `folder`. */
export async function growth(folder: string, { markdown, plot, json }: Wanted): Promise<void> {
  const curves: Curve[] = [];
  for (const [i, question] of QUESTIONS.entries()) {
    const { what, values, unit } = question;
    const found = await inProcess<number[]>(entryIn(folder, 'growth/child'), [String(i)]);
    curves.push({ ...question, found });
    const rows = [['× the first', ...found.map((one) => (one / (found[0] ?? NaN)).toFixed(2))]];
    // times are of one machine, and not for a page
    if (!markdown || unit === 'bytes each') rows.unshift([unit, ...found.map((one) => one.toFixed(0))]);
    console.log('');
    printTable([what, ...values.map((value) => value.toLocaleString('en'))], rows, markdown);
  }
  if (json !== undefined) writeFileSync(json, JSON.stringify(curves));
  if (plot !== undefined) writeFileSync(plot, draw(curves));
}

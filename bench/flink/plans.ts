import { parseArgs } from 'node:util';
import { b1 } from '../b1.js';
import { b2 } from '../b2.js';
import { b3 } from '../b3.js';
import type { Workload } from '../workload.js';

/** What to run, over how many records, how often. */
export interface Plan {
  readonly workload: Workload;
  readonly records: number;
  readonly rounds: number;
}

/** As many records as keep Flink busy for half a second or more: the clock of its process ticks in hundredths of one. */
const PLANS: ReadonlyArray<Plan> = [
  { workload: b1, records: 2_000_000, rounds: 15 },
  { workload: b2, records: 200_000, rounds: 5 },
  { workload: b3, records: 400_000, rounds: 15 },
];

/** What was asked for on the command line. */
export function plansOf(args: ReadonlyArray<string>): ReadonlyArray<Plan> {
  const options = { rounds: { type: 'string' }, records: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  const names = PLANS.map(({ workload }) => workload.name);
  const asked = positionals.map((name) => name.toUpperCase());
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new RangeError(`bench:flink: there is no workload ${unknown}, only ${names.join(', ')}`);
  return PLANS.filter(({ workload }) => asked.length === 0 || asked.includes(workload.name)).map((plan) => ({
    ...plan,
    records: Number(values.records ?? plan.records),
    rounds: Number(values.rounds ?? plan.rounds),
  }));
}

import { parseArgs } from 'node:util';
import type { Implementation, Workload } from './workload.js';
import { workloads } from './workloads.js';

/** What was asked for on the command line. */
export interface Wanted {
  readonly workloads: ReadonlyArray<Workload>;
  readonly only: ReadonlyArray<string> | undefined;
  /** Those too that are slow. */
  readonly all: boolean;
  readonly rounds: number;
  readonly records: number;
  /** All workloads in one process, each measured once all have been run. */
  readonly used: boolean;
  /** The most memory of a process that runs what is chosen once. */
  readonly peak: boolean;
  /** A git reference to compare the working tree with. */
  readonly compare: string | undefined;
  /** Tables of cost against the size of the work. */
  readonly growth: boolean;
  /** A file for a picture of them. */
  readonly plot: string | undefined;
  /** A file for what was measured. */
  readonly json: string | undefined;
  /** Tables to be pasted into a page. */
  readonly markdown: boolean;
}

export function wantedOf(args: ReadonlyArray<string>): Wanted {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      all: { type: 'boolean', default: false },
      rounds: { type: 'string', default: '15' },
      records: { type: 'string', default: '400000' },
      used: { type: 'boolean', default: false },
      peak: { type: 'boolean', default: false },
      compare: { type: 'string' },
      growth: { type: 'boolean', default: false },
      plot: { type: 'string' },
      json: { type: 'string' },
      markdown: { type: 'boolean', default: false },
    },
  });
  const names = workloads.map(({ name }) => name);
  const wanted = positionals.map((name) => name.toUpperCase());
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new RangeError(`bench: there is no workload ${unknown}, only ${names.join(', ')}`);
  return {
    ...values,
    workloads: wanted.length === 0 ? workloads : workloads.filter(({ name }) => wanted.includes(name)),
    only: values.only?.split(','),
    rounds: Number(values.rounds),
    records: Number(values.records),
    compare: values.compare,
    plot: values.plot,
    json: values.json,
  };
}

/** The part of it that a process of a measurement is told. */
export function argsOf({ only, all, rounds, records, ...wanted }: Wanted): ReadonlyArray<string> {
  return [
    ...wanted.workloads.map(({ name }) => name),
    ...(only === undefined ? [] : ['--only', only.join()]),
    ...(all ? ['--all'] : []),
    ...['--rounds', String(rounds), '--records', String(records)],
  ];
}

/** A name that no implementation has. */
export const NOBODY = '';

/** The first is always there: it is what the others are measured by. What is slow has to be asked for. */
export async function chosenOf({ implementations, others }: Workload, { only, all }: Wanted): Promise<Implementation[]> {
  const isChosen = ({ name, slow }: Implementation): boolean => (only === undefined ? all || slow !== true : only.includes(name));
  const known = [NOBODY, ...implementations.map(({ name }) => name)];
  const needed = only === undefined ? all : only.some((name) => !known.includes(name));
  const loaded = needed && others !== undefined ? await others() : [];
  return [...implementations, ...loaded].filter((implementation, i) => i === 0 || isChosen(implementation));
}

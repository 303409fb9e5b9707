import { parseArgs } from 'node:util';
import { b1 } from './b1.js';
import { b2 } from './b2.js';
import { b3 } from './b3.js';
import { b4 } from './b4.js';
import { b5 } from './b5.js';
import { j1 } from './j1.js';
import { verify } from './measure.js';
import { debounced, debouncedByKey, duplicates, sort } from './order.js';
import { processTimers } from './process.js';
import type { Event } from './records.js';
import { makeRecords } from './records.js';
import { unionOf16 } from './union.js';
import type { Checksum, Implementation, Workload } from './workload.js';

const WARM_UP = 4;

/** What was asked for on the command line. */
export interface Wanted {
  readonly workloads: ReadonlyArray<Workload>;
  readonly only: ReadonlyArray<string> | undefined;
  readonly rounds: number;
  readonly records: number;
  /** A git reference to compare the working tree with. */
  readonly compare: string | undefined;
  /** Tables of cost against the size of the work. */
  readonly growth: boolean;
}

export function wantedOf(args: ReadonlyArray<string>): Wanted {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      rounds: { type: 'string', default: '15' },
      records: { type: 'string', default: '400000' },
      compare: { type: 'string' },
      growth: { type: 'boolean', default: false },
    },
  });
  const all: ReadonlyArray<Workload> = [
    b1,
    b2,
    b3,
    b4,
    b5,
    processTimers,
    unionOf16,
    sort,
    duplicates,
    debounced,
    debouncedByKey,
    j1,
  ];
  const names = all.map(({ name }) => name);
  const wanted = positionals.map((name) => name.toUpperCase());
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new RangeError(`bench: there is no workload ${unknown}, only ${names.join(', ')}`);
  return {
    workloads: wanted.length === 0 ? all : all.filter(({ name }) => wanted.includes(name)),
    only: values.only?.split(','),
    rounds: Number(values.rounds),
    records: Number(values.records),
    compare: values.compare,
    growth: values.growth,
  };
}

/** A workload with its records, verified and run several times. */
export interface Prepared extends Workload {
  readonly events: ReadonlyArray<Event>;
  readonly found: Checksum;
}

/** Everything is run before anything is measured, so that no implementation has the engine to itself. */
export function prepare({ workloads, only, records }: Wanted): ReadonlyArray<Prepared> {
  // the loop is always there: it is what the others are measured by; what is slow has to be named
  const chosen = ({ implementations }: Workload): ReadonlyArray<Implementation> =>
    implementations.filter(({ name, slow }, i) => i === 0 || (only === undefined ? slow !== true : only.includes(name)));
  const prepared = workloads.map((workload) => {
    const implementations = chosen(workload);
    const events = makeRecords(records, workload.keys);
    return { ...workload, implementations, events, found: verify(implementations, events) };
  });
  for (let i = 0; i < WARM_UP; i++) for (const { implementations, events } of prepared) verify(implementations, events);
  return prepared;
}

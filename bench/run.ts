/**
 * Ratios between ways to do the same work: `npm run bench -- [WORKLOAD …] [--only NAME,…] [--rounds N] [--records N]`.
 *
 * Times depend on the machine and the minute, so only ratios are printed: the median over interleaved rounds, with the
 * quartiles. Everything is run before anything is measured, so that no implementation has the engine to itself.
 */
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { b1 } from './b1.js';
import { b4 } from './b4.js';
import { b5 } from './b5.js';
import { j1 } from './j1.js';
import { measure, verify } from './measure.js';
import { debounced, debouncedByKey, duplicates, sort } from './order.js';
import { processTimers } from './process.js';
import { ratio, showRatio } from './ratios.js';
import { makeRecords } from './records.js';
import { unionOf16 } from './union.js';
import type { Implementation, Workload } from './workload.js';

const WARM_UP = 4;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '15' },
    records: { type: 'string', default: '400000' },
  },
});
const all: ReadonlyArray<Workload> = [b1, b4, b5, processTimers, unionOf16, sort, duplicates, debounced, debouncedByKey, j1];
const names = all.map(({ name }) => name);
const wanted = positionals.map((name) => name.toUpperCase());
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) throw new RangeError(`bench: there is no workload ${unknown}, only ${names.join(', ')}`);

const workloads = wanted.length === 0 ? all : all.filter(({ name }) => wanted.includes(name));
const only = values.only?.split(',');
const records = Number(values.records);

/** The loop is always there: it is what the others are measured by. */
function chosen({ implementations }: Workload): ReadonlyArray<Implementation> {
  return implementations.filter(({ name }, i) => i === 0 || only === undefined || only.includes(name));
}

const prepared = workloads.map((workload) => ({
  ...workload,
  implementations: chosen(workload),
  events: makeRecords(records, workload.keys),
}));

const checksums = new Map(prepared.map(({ name, implementations, events }) => [name, verify(implementations, events)]));
for (let i = 0; i < WARM_UP; i++) for (const { implementations, events } of prepared) verify(implementations, events);

for (const { name, what, implementations, events } of prepared) {
  const samples = measure(implementations, events, Number(values.rounds));
  const stock = implementations.find((implementation) => implementation.name.startsWith('stock'))?.name;
  const table = new Table({ head: ['', 'wall / loop', 'CPU / loop', ...(stock === undefined ? [] : [`CPU / ${stock}`])] });
  for (const implementation of implementations) {
    const to = (base: string, by: 'wall' | 'cpu'): string => showRatio(ratio(samples, implementation.name, base, by));
    table.push([implementation.name, to('loop', 'wall'), to('loop', 'cpu'), ...(stock === undefined ? [] : [to(stock, 'cpu')])]);
  }
  const found = checksums.get(name);
  console.log(`\n${name}: ${what}; ${records} records; all find ${JSON.stringify(found)}`);
  console.log(table.toString());
}

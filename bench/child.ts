/**
 * One process of a measurement: prints what it has measured, as JSON. With `--peak` it runs one implementation once, or none
 * with a name that there is not, and prints the most memory that the process has had, in bytes.
 */
import { type Measured, measure } from './measure.js';
import { prepare } from './prepare.js';
import { makeRecords } from './records.js';
import { chosenOf, wantedOf } from './wanted.js';

const wanted = wantedOf(process.argv.slice(2));
console.log(JSON.stringify(wanted.peak ? await peak() : await measured()));

async function measured(): Promise<ReadonlyArray<Measured>> {
  return (await prepare(wanted)).map(({ name, what, implementations, events, found }) => {
    return { name, what, found, samples: measure(implementations, events, wanted.rounds) };
  });
}

async function peak(): Promise<number> {
  for (const workload of wanted.workloads) {
    const events = makeRecords(wanted.records, workload.keys);
    const chosen = (await chosenOf(workload, wanted)).filter(({ name }) => wanted.only?.includes(name));
    for (const { run } of chosen) run(events);
  }
  return process.resourceUsage().maxRSS * 1_024;
}

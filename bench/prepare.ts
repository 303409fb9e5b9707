import { verify } from './measure.js';
import { type Event, makeRecords } from './records.js';
import { chosenOf, type Wanted } from './wanted.js';
import type { Checksum, Implementation, Workload } from './workload.js';

const WARM_UP = 4;

/** A workload with its records, verified and run several times. */
export interface Prepared extends Workload {
  readonly implementations: ReadonlyArray<Implementation>;
  readonly events: ReadonlyArray<Event>;
  readonly found: Checksum;
}

/** Everything is run before anything is measured, so that no implementation has the engine to itself. */
export async function prepare(wanted: Wanted): Promise<ReadonlyArray<Prepared>> {
  const prepared: Prepared[] = [];
  for (const workload of wanted.workloads) {
    const implementations = await chosenOf(workload, wanted);
    const events = makeRecords(wanted.records, workload.keys);
    prepared.push({ ...workload, implementations, events, found: verify(implementations, events) });
  }
  for (let i = 0; i < WARM_UP; i++) for (const { implementations, events } of prepared) verify(implementations, events);
  return prepared;
}

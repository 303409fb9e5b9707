/** The process of what is written in TypeScript; what it reads and answers: `Runner`. */
import { createInterface } from 'node:readline';
import { b1 } from '../b1.js';
import { b2 } from '../b2.js';
import { b3 } from '../b3.js';
import type { Event } from '../records.js';
import { readRecords } from './file.js';
import type { Run } from './runner.js';

let read: string | undefined;
let events: ReadonlyArray<Event> = [];

for await (const line of createInterface({ input: process.stdin })) {
  const [, workload, implementation, file] = /^(\S+) (\S+) (.+)$/.exec(line) ?? [];
  if (file !== undefined && file !== read) {
    events = readRecords(file);
    read = file;
    globalThis.gc?.(); // what reading has left is nobody's work
  }
  console.log(JSON.stringify(run(workload, implementation)));
}

function run(workload: string | undefined, implementation: string | undefined): Run {
  const { implementations = [] } = [b1, b2, b3].find(({ name }) => name === workload) ?? {};
  const asked = implementations.find(({ name }) => name === implementation);
  if (asked === undefined) throw new RangeError(`bench:flink: ${workload} has no implementation ${implementation}`);
  const cpu = process.cpuUsage();
  const wall = performance.now();
  const found = asked.run(events);
  const took = performance.now() - wall;
  const { user, system } = process.cpuUsage(cpu);
  return { wall: took, cpu: (user + system) / 1_000, found };
}

import type { Event } from './records.js';
import type { Checksum, Implementation } from './workload.js';

/** One run: how long it took by the clock, and how much work the processor did, in ms. */
export interface Sample {
  readonly wall: number;
  readonly cpu: number;
}

/** The samples of each implementation, in rounds: the samples of one index were taken one after the other. */
export type Samples = Readonly<Record<string, ReadonlyArray<Sample>>>;

/** What a process has measured of a workload. */
export interface Measured {
  readonly name: string;
  readonly what: string;
  readonly found: Checksum;
  readonly samples: Samples;
}

/** Runs all implementations in turn, round after round, so that a slow minute of the machine is slow for all of them. */
export function measure(implementations: ReadonlyArray<Implementation>, events: ReadonlyArray<Event>, rounds: number): Samples {
  // once: a collection before each sample would measure how the engine recovers from it
  globalThis.gc?.();
  const samples = Object.fromEntries(implementations.map(({ name }): [string, Sample[]] => [name, []]));
  for (let round = 0; round < rounds; round++) {
    // each round begins with another one: nobody always runs behind the one that leaves the most garbage
    for (let i = 0; i < implementations.length; i++) {
      const { name, run } = implementations[(round + i) % implementations.length] as Implementation;
      samples[name]?.push(sample(() => run(events)));
    }
  }
  return samples;
}

function sample(run: () => unknown): Sample {
  const cpu = process.cpuUsage();
  const wall = performance.now();
  run();
  const took = performance.now() - wall;
  const { user, system } = process.cpuUsage(cpu);
  return { wall: took, cpu: (user + system) / 1_000 };
}

/** Throws unless all implementations find the same, but for what they say they find otherwise. */
export function verify(implementations: ReadonlyArray<Implementation>, events: ReadonlyArray<Event>): Checksum {
  const [first, ...others] = implementations;
  if (first === undefined) throw new Error('no implementation to run');
  const expected = first.run(events);
  for (const { name, run, differs = [] } of others) {
    const found = run(events);
    const wrong = (Object.keys(expected) as Array<keyof Checksum>).some(
      (field) => found[field] !== expected[field] && !differs.includes(field),
    );
    if (wrong) throw new Error(`${name} finds ${JSON.stringify(found)}, ${first.name} finds ${JSON.stringify(expected)}`);
  }
  return expected;
}

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Sample } from '../measure.js';
import type { Checksum } from '../workload.js';

/** One run of an implementation: what it took, and what it found. */
export interface Run extends Sample {
  readonly found: Checksum;
}

/**
 * A process that runs implementations when it is asked to, one at a time, and stays warm in between. It reads lines
 * `WORKLOAD IMPLEMENTATION FILE`, and answers each with a line of JSON: a `Run` over the records of the file.
 */
export class Runner {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: Interface;
  readonly #ended: Promise<never>;

  constructor(command: string, args: ReadonlyArray<string>) {
    this.#process = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#answers = createInterface({ input: this.#process.stdout });
    this.#ended = once(this.#process, 'exit').then(([code]) => {
      throw new Error(`bench:flink: ${command} has ended with ${code}`);
    });
    // the end is an error for those who wait for an answer, and for nobody else
    this.#ended.catch(() => undefined);
    this.#process.stdin.on('error', () => undefined);
  }

  async run(workload: string, implementation: string, file: string): Promise<Run> {
    this.#process.stdin.write(`${workload} ${implementation} ${file}\n`);
    const [line] = (await Promise.race([once(this.#answers, 'line'), this.#ended])) as [string];
    return JSON.parse(line) as Run;
  }

  /** It ends by itself when there is nothing more to read. */
  stop(): void {
    this.#process.stdin.end();
  }
}

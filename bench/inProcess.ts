import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a file in a process of its own, which may have much memory; gives the JSON that it prints. */
export async function inProcess<T>(file: string, args: ReadonlyArray<string>): Promise<T> {
  const flags = ['--expose-gc', '--max-old-space-size=16384'];
  const { stdout } = await run(process.execPath, [...flags, file, ...args], { maxBuffer: 1 << 28 });
  return JSON.parse(stdout) as T;
}

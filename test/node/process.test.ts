import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('./finiteSource.fixture.ts', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));

describe('a Node process', () => {
  // The second would have to be killed if its idle timer of 60 s survived, the first if its ticks did.
  it.each(['200', 'record'])('P129: ends by itself after completion (interval %s, idle timeout 60 s)', (interval) => {
    const run = spawnSync(process.execPath, ['--import', 'tsx', script, interval], {
      cwd: root,
      encoding: 'utf8',
      timeout: 25_000,
    });
    expect({ signal: run.signal, status: run.status, stdout: run.stdout, stderr: run.stderr }).toEqual({
      signal: null,
      status: 0,
      stdout: 'complete\ncomplete\n',
      stderr: '',
    });
  });
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { ROOT } from '../scripts/project.js';

const run = promisify(execFile);

/** What runs in processes of its own: each is a file below this folder. */
export type Entry = 'child' | 'growth/child' | 'flink/child';

/** The file of an entry in a folder made by `buildBench`. */
export function entryIn(folder: string, entry: Entry): string {
  return join(folder, `${entry}.js`);
}

/**
 * Builds the package of `tree` as it is published, and the benchmarks of the working tree around it: what runs the sources
 * at once adds calls to closures, for names that nobody reads, and measures those.
 */
export async function buildBench(tree: string, folder: string): Promise<void> {
  const dist = join(folder, 'dist');
  await run('npx', ['--no-install', 'tsdown', '--out-dir', dist, '--no-dts', '--logLevel', 'error'], { cwd: tree });
  const entries: ReadonlyArray<Entry> = ['child', 'growth/child', 'flink/child'];
  await build({
    entryPoints: entries.map((entry) => join(ROOT, `bench/${entry}.ts`)),
    outdir: folder,
    outbase: join(ROOT, 'bench'),
    bundle: true,
    splitting: true, // what is imported later stays apart, and changes nothing for those who don't ask for it
    platform: 'node',
    format: 'esm',
    target: 'es2022',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    tsconfigRaw: '{}', // its paths lead to the sources
    nodePaths: [join(ROOT, 'node_modules')],
    alias: {
      tidemark: join(dist, 'index.js'),
      'tidemark/sketches': join(dist, 'sketches.js'),
      rxjs: join(ROOT, 'node_modules/rxjs'),
    },
    external: ['protobufjs/minimal'], // for sketches that are sent
    logLevel: 'error',
  });
}

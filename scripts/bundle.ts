import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { build } from 'vite';
import { ROOT } from './project.js';

/**
 * What an application that consists of `code` gets from its bundler, with rxjs and fp-ts left out. `tidemark` is what was
 * built into `dist`.
 */
export async function bundle(code: string, dist: string = join(ROOT, 'dist')): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-bundle-'));
  try {
    const entry = join(folder, 'entry.js');
    await writeFile(entry, code);
    const outputs = await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      resolve: {
        alias: [
          { find: /^tidemark$/, replacement: join(dist, 'index.js') },
          { find: /^tidemark\/(.*)$/, replacement: join(dist, '$1.js') },
        ],
      },
      build: {
        write: false,
        minify: false,
        target: 'es2022',
        modulePreload: false,
        lib: { entry, formats: ['es'], fileName: 'bundle' },
        rolldownOptions: { external: [/^rxjs/, /^fp-ts/, /^node:/, /^@datadog/, /^imurmurhash/, /^temporal-polyfill/] },
      },
    });
    const [output] = Array.isArray(outputs) ? outputs : [outputs];
    if (output === undefined || !('output' in output)) throw new Error('the bundler gave nothing');
    return output.output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Bytes of `code` as served: minified and compressed. */
export async function servedSize(code: string): Promise<number> {
  const { code: small } = await transform(code, { minify: true, format: 'esm' });
  return gzipSync(small, { level: 9 }).length;
}

/** A pipe as many applications have one. */
export const PIPELINE = `
import { aggregates, assignWatermarks, boundedOutOfOrderness, keyBy, toValues, tumblingWindow } from 'tidemark';
export const counts = (clicks) => clicks.pipe(
  assignWatermarks(boundedOutOfOrderness(3_000), { timestamp: (click) => click.at }),
  keyBy((click) => click.user),
  tumblingWindow(5_000, aggregates.count()),
  toValues(),
);`;

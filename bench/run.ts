/**
 * Ratios between ways to do the same work:
 * `npm run bench -- [WORKLOAD …] [--only NAME,…] [--all] [--used] [--rounds N] [--records N] [--json FILE] [--markdown]
 * [--compare REF] [--growth [--plot FILE]]`. What each means: `docs/performance.md`.
 *
 * Times depend on the machine and the minute, so only ratios are printed: the median over interleaved rounds, with the
 * quartiles.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../scripts/project.js';
import { buildBench } from './build.js';
import { compare } from './compare.js';
import { growth } from './growth/growth.js';
import { tables } from './tables.js';
import { wantedOf } from './wanted.js';

const wanted = wantedOf(process.argv.slice(2));
const folder = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
try {
  if (wanted.compare !== undefined) {
    await compare(wanted.compare, folder, wanted);
  } else {
    await buildBench(ROOT, folder);
    await (wanted.growth ? growth(folder, wanted) : tables(folder, wanted));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

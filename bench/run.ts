/**
 * Ratios between ways to do the same work:
 * `npm run bench -- [WORKLOAD …] [--only NAME,…] [--rounds N] [--records N] [--compare REF] [--growth]`.
 *
 * Times depend on the machine and the minute, so only ratios are printed: the median over interleaved rounds, with the
 * quartiles. With `--growth` what a record costs as the work grows, and what an open window holds. With `--compare` those of a git reference and of the working tree, and which of them moved.
 */
import Table from 'cli-table3';
import { compare } from './compare.js';
import { growth } from './growth.js';
import { measure } from './measure.js';
import { prepare, wantedOf } from './prepare.js';
import { ratio, showRatio } from './ratios.js';

const args = process.argv.slice(2);
const wanted = wantedOf(args);
if (wanted.growth) growth();
else if (wanted.compare !== undefined) await compare(wanted.compare, args);
else tables();

function tables(): void {
  for (const { name, what, implementations, events, found } of prepare(wanted)) {
    const samples = measure(implementations, events, wanted.rounds);
    const stock = implementations.find((implementation) => implementation.name.startsWith('stock'))?.name;
    const table = new Table({ head: ['', 'wall / loop', 'CPU / loop', ...(stock === undefined ? [] : [`CPU / ${stock}`])] });
    for (const implementation of implementations) {
      const to = (base: string, by: 'wall' | 'cpu'): string => showRatio(ratio(samples, implementation.name, base, by));
      table.push([
        implementation.name,
        to('loop', 'wall'),
        to('loop', 'cpu'),
        ...(stock === undefined ? [] : [to(stock, 'cpu')]),
      ]);
    }
    console.log(`\n${name}: ${what}; ${wanted.records} records; all find ${JSON.stringify(found)}`);
    console.log(table.toString());
  }
}

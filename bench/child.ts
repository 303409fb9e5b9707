/** One process of a comparison: prints the median CPU ratios of one build to the loop, as JSON. */
import { measure } from './measure.js';
import { prepare, wantedOf } from './prepare.js';
import { ratio } from './ratios.js';

const wanted = wantedOf(process.argv.slice(2));
const found: Record<string, number> = {};
for (const { name, implementations, events } of prepare(wanted)) {
  const samples = measure(implementations, events, wanted.rounds);
  const base = implementations.find((implementation) => implementation.name.startsWith('stock'))?.name ?? 'loop';
  for (const { name: implementation } of implementations) {
    found[`${name} ${implementation} / loop`] = ratio(samples, implementation, 'loop', 'cpu').median;
    if (base !== 'loop') found[`${name} ${implementation} / ${base}`] = ratio(samples, implementation, base, 'cpu').median;
  }
}
console.log(JSON.stringify(found));

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { casesBelow } from './cases.js';
import type { Outcome } from './outcome.js';

// npm run vectors -- [DIR …]: replays every case below the folders, by default the project's own.

const own = fileURLToPath(new URL('./data', import.meta.url));
const given = process.argv.slice(2);
const missing = given.filter((path) => !existsSync(path));
if (missing.length > 0) {
  console.error(`not found: ${missing.join(', ')}`);
  process.exit(2);
}

type Status = Outcome['status'];
type Counts = Record<Status, number>;
const none = (): Counts => ({ passed: 0, failed: 0, notYetSupported: 0, notExpressible: 0 });
const line = (counts: Counts): string =>
  `${counts.passed} passed, ${counts.failed} failed, ${counts.notYetSupported} not yet supported, ${counts.notExpressible} not expressible`;

const families = new Map<string, { readonly counts: Counts; readonly notes: string[] }>();
const total = none();
for (const { family, name, run } of (given.length > 0 ? given : [own]).flatMap(casesBelow)) {
  const outcome = run();
  const { counts, notes } = families.get(family) ?? { counts: none(), notes: [] };
  families.set(family, { counts, notes });
  counts[outcome.status]++;
  total[outcome.status]++;
  if (outcome.status === 'failed') notes.push(`  FAILED ${name}\n${outcome.difference.replace(/^/gm, '  ')}`);
  if (outcome.status === 'notYetSupported') notes.push(`  not yet supported ${name}: ${outcome.reason}`);
  if (outcome.status === 'notExpressible') notes.push(`  not expressible ${name}: ${outcome.reason}`);
}

for (const [family, { counts, notes }] of families) {
  console.log(`${family}: ${line(counts)}`);
  for (const note of notes) console.log(note);
}
console.log(line(total));
// nothing replayed is nothing proved
process.exitCode = total.failed > 0 || families.size === 0 ? 1 : 0;

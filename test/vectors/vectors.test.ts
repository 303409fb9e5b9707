import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { casesBelow, type VectorCase } from './cases.js';

// The project's own vectors, and those that may lie beside the checkout; nothing is said when there are none.
const folders = ['./data', '../../../shared/vectors'].map((path) => fileURLToPath(new URL(path, import.meta.url)));

for (const folder of folders.filter(existsSync)) {
  const cases = casesBelow(folder);
  for (const family of new Set(cases.map((vector) => vector.family))) {
    replayed(
      family,
      cases.filter((vector) => vector.family === family),
    );
  }
}

/** A test for each case that can be said by now; a family of which none can has no tests. */
function replayed(family: string, cases: ReadonlyArray<VectorCase>): void {
  const outcomes = cases.map(({ name, run }) => ({ name, outcome: run() }));
  const sayable = outcomes.filter(({ outcome }) => outcome.status === 'passed' || outcome.status === 'failed');
  if (sayable.length === 0) return;
  describe(family, () => {
    for (const { name, outcome } of sayable) {
      it(name, () => {
        expect(outcome.status === 'failed' ? outcome.difference : 'no difference').toBe('no difference');
      });
    }
  });
}

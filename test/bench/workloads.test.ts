import { describe, expect, it } from 'vitest';
import { verify } from '../../bench/measure.js';
import { makeRecords } from '../../bench/records.js';
import { workloads } from '../../bench/workloads.js';

describe.each(workloads)('$name: $what', ({ keys, implementations, others }) => {
  it('all implementations find the same', async () => {
    const all = [...implementations, ...((await others?.()) ?? [])];
    const { results } = verify(all, makeRecords(2_000, keys));
    expect(results).toBeGreaterThan(0);
  });
});

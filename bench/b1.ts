import { grouped } from './groupBy.js';
import { tumblingImplementations } from './tumbling.js';
import type { Workload } from './workload.js';

const SIZE = 5_000;

export const b1: Workload = {
  name: 'B1',
  what: '1,000 keys, tumbling 5 s, count and sum',
  keys: 1_000,
  implementations: [...tumblingImplementations(SIZE), { name: 'stock-group', run: grouped(SIZE), slow: true }],
  others: async () => {
    const [{ effectWindows }, { pondWindows }] = await Promise.all([import('./effect.js'), import('./pond.js')]);
    return [effectWindows(SIZE), pondWindows(SIZE)];
  },
};

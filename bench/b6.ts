import { tumblingImplementations } from './tumbling.js';
import type { Workload } from './workload.js';

export const b6: Workload = {
  name: 'B6',
  what: '1,000,000 keys, tumbling 10 s, count and sum',
  keys: 1_000_000,
  implementations: tumblingImplementations(10_000),
};

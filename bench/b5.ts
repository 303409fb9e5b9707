import { tumblingImplementations } from './tumbling.js';
import type { Workload } from './workload.js';

export const b5: Workload = {
  name: 'B5',
  what: 'one key, tumbling 5 s, count and sum',
  keys: 1,
  implementations: tumblingImplementations(5_000),
};

import { b1 } from './b1.js';
import { b2 } from './b2.js';
import { b3 } from './b3.js';
import { b4 } from './b4.js';
import { b5 } from './b5.js';
import { b6 } from './b6.js';
import { costs } from './costs.js';
import { j1 } from './j1.js';
import { debounced, debouncedByKey, duplicates, sort } from './order.js';
import { processTimers } from './process.js';
import { unionOf16 } from './union.js';
import type { Workload } from './workload.js';

export const workloads: ReadonlyArray<Workload> = [
  b1,
  b2,
  b3,
  b4,
  b5,
  b6,
  costs,
  processTimers,
  unionOf16,
  sort,
  duplicates,
  debounced,
  debouncedByKey,
  j1,
];

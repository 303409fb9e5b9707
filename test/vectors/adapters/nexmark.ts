import { type Difference, NotYetSupported } from '../outcome.js';

/** Nexmark's queries. */
export function nexmark(): Difference {
  throw new NotYetSupported('the queries of Nexmark');
}

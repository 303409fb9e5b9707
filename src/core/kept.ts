import type { MergeableAggregate } from '../windows/aggregates/aggregate.js';
import type { Kept } from '../windows/evictor.js';

/** A record that a window keeps for its evictor. */
export interface KeptRecord<A> extends Kept<A> {
  /** It has been in a result. */
  seen: boolean;
}

/** What is folded where an evictor wants to see the records: a list of them. Its result is up to who asks the evictor. */
export const KEEPING: Omit<MergeableAggregate<unknown, never>, 'result'> = {
  create: () => [],
  add(kept: KeptRecord<unknown>[], value, timestamp) {
    kept.push({ value, timestamp, seen: false });
    return kept;
  },
  merge: (kept: KeptRecord<unknown>[], others: KeptRecord<unknown>[]) => kept.concat(others),
};

import { from } from 'rxjs';
import { type AggregateSpec, aggregates, assignWatermarks, type MergeableAggregate, toValues, type Windowed } from 'tidemark';
import { everyNth } from './everyNth.js';
import type { Event } from './records.js';
import { type Checksum, count, emptyChecksum } from './workload.js';

/** What loops and folds count with. */
export interface Total {
  n: number;
  sum: number;
}

/** A fold with mutable state, as a user who minds the nanoseconds writes it. */
export const total: AggregateSpec<Event, number, Total> = {
  create: () => ({ n: 0, sum: 0 }),
  add(state, { value }) {
    state.n++;
    state.sum += value;
    return state;
  },
  result: ({ n, sum }) => n + sum,
};

/** The same, for windows that merge or overlap. */
export const merging: AggregateSpec<Event, number, Total> & MergeableAggregate<Event, number> = {
  ...total,
  merge(left: Total, right: Total) {
    left.n += right.n;
    left.sum += right.sum;
    return left;
  },
  commutative: true,
};

/** The same, with an inverse. */
export const removing: MergeableAggregate<Event, number> = {
  ...merging,
  remove(state: Total, other: Total) {
    state.n -= other.n;
    state.sum -= other.sum;
    return state;
  },
};

/** The fold that one writes first. */
export const struct: MergeableAggregate<Event, number> = aggregates.mapResult(({ n, sum }: Total) => n + sum)(
  aggregates.struct({ n: aggregates.count(), sum: aggregates.sum((event: Event) => event.value) }),
);

/** A pipeline around a window operator, which is given where late records go. */
export function tidemark(
  window: (late: () => void) => Windowed<Event, number, string>,
): (events: ReadonlyArray<Event>) => Checksum {
  return (events) => {
    const found = emptyChecksum();
    const late = (): void => {
      found.late++;
    };
    from(events)
      .pipe(
        assignWatermarks(everyNth(), { timestamp: (event) => event.ts, key: (event) => event.key, interval: Infinity }),
        window(late),
        toValues(),
      )
      .subscribe(({ value, window }) => count(found, value, window.end));
    return found;
  };
}

import { forkJoin, map, type Observable, reduce, share } from 'rxjs';
import { counters, hours, minutes, toValues } from 'tidemark';
import type { Flight } from './flights.js';
import { departuresPerHour, type Hour, type HourlyOptions } from './hourly.js';

/** The bounds to compare: ms by name. */
export const BOUNDS = {
  '15min': minutes(15),
  '1h': hours(1),
  '2h': hours(2),
  '4h': hours(4),
  '6h': hours(6),
  '11h': hours(11),
} as const;
export type Bound = keyof typeof BOUNDS;

/** What a bound gives and costs. */
export interface Outcome {
  /** Records that came when their hour was over. */
  readonly late: number;
  /** Results: hours at an airport. */
  readonly windows: number;
  /** Records in them. */
  readonly counted: number;
  /** The sum of their delays in minutes. */
  readonly delaySum: number;
}
export type Trade = Readonly<Record<Bound, Outcome>>;

/** What shall be seen of one of the runs. */
export interface Watched extends Omit<HourlyOptions, 'counters'> {
  readonly bound: Bound;
  readonly onHour: (hour: Hour) => void;
}

/** The same pipeline at every bound, side by side over one reading of the flights. */
export function compareBounds(flights$: Observable<Flight>, watched?: Watched): Observable<Trade> {
  // All six have subscribed before the first flight comes, since a Node stream says nothing before the next turn.
  const shared$ = flights$.pipe(share());
  const runs = Object.entries(BOUNDS).map(([name, bound]): [string, Observable<Outcome>] => [
    name,
    watched?.bound === name ? outcome(shared$, bound, watched) : outcome(shared$, bound),
  ]);
  return forkJoin(Object.fromEntries(runs) as Record<Bound, Observable<Outcome>>);
}

function outcome(flights$: Observable<Flight>, bound: number, watched?: Watched): Observable<Outcome> {
  const seen = counters();
  return flights$.pipe(
    departuresPerHour(bound, { ...watched, counters: seen }),
    toValues(),
    reduce(
      (sum, hour) => {
        watched?.onHour(hour);
        sum.windows++;
        sum.counted += hour.value.flights;
        sum.delaySum += hour.value.delay;
        return sum;
      },
      { windows: 0, counted: 0, delaySum: 0 },
    ),
    map((sum) => ({ late: seen.late, ...sum })),
  );
}

import { type Observable, tap } from 'rxjs';
import {
  aggregates,
  assignWatermarks,
  boundedOutOfOrderness,
  type Counters,
  type EventStream,
  hours,
  type LateSink,
  type StreamElement,
  tumblingWindow,
  type WindowResult,
} from 'tidemark';
import type { Flight } from './flights.js';

/** What is known of one hour at one airport. */
export interface Departures {
  readonly flights: number;
  /** The sum of the delays in minutes, and their mean. */
  readonly delay: number;
  readonly meanDelay: number;
}
export type Hour = WindowResult<Departures, string>;

export interface HourlyOptions {
  /** How many records were late is read from here. */
  readonly counters: Counters;
  /** Where they go. */
  readonly lateTo?: LateSink<Flight, string>;
  /** Sees the flights and the watermarks between them. */
  readonly watch?: (element: StreamElement<Flight, string>) => void;
}

/**
 * Departures per hour and airport, by the time at which the planes left.
 *
 * The flights come in the order of their landings. `bound` says how long after the newest departure seen an older one is
 * still waited for: the hour's result comes that much later, and what lands later still is late.
 */
export function departuresPerHour(bound: number, { counters, lateTo, watch }: HourlyOptions) {
  return (flights$: Observable<Flight>): EventStream<Hour> => {
    const elements$ = flights$.pipe(
      assignWatermarks(boundedOutOfOrderness(bound), {
        timestamp: (flight) => flight.departedAt,
        key: (flight) => flight.origin,
        interval: 'record', // a file is faster than any clock: ask for a watermark after every record
      }),
    );
    return (watch === undefined ? elements$ : elements$.pipe(tap(watch))).pipe(
      tumblingWindow(
        hours(1),
        aggregates.struct({
          flights: aggregates.count(),
          delay: aggregates.sum((flight: Flight) => flight.delay),
          meanDelay: aggregates.mean((flight: Flight) => flight.delay),
        }),
        lateTo === undefined ? { counters } : { counters, lateTo },
      ),
    );
  };
}

import { filter, map, type OperatorFunction, type SchedulerLike } from 'rxjs';
import {
  aggregates,
  assignWatermarks,
  boundedOutOfOrderness,
  hours,
  keyBy,
  minutes,
  type StreamElement,
  sessionWindow,
  slidingWindow,
  type TimeWindow,
  toValues,
  triggers,
  tumblingWindow,
} from 'tidemark';
import type { Flight } from '../flights/flights.js';

// Three questions to the same flights, one kind of window each.

/** A flight becomes known when it lands, at most this long after it has left. */
const LONGEST_FLIGHT = hours(11);

/** The flights in event time: that of their departure. */
function departures(scheduler?: SchedulerLike): OperatorFunction<Flight, StreamElement<Flight>> {
  return assignWatermarks(boundedOutOfOrderness(LONGEST_FLIGHT), {
    timestamp: (flight: Flight) => flight.departedAt,
    interval: 'record',
    ...(scheduler === undefined ? {} : { scheduler }),
  });
}

/** A stretch in which a carrier's planes left one after the other. */
export interface Wave {
  readonly carrier: string;
  readonly window: TimeWindow;
  readonly flights: number;
}

/** The waves of departures of each carrier at one airport: no more than half an hour between two of them. */
export function waves(origin: string): OperatorFunction<Flight, Wave> {
  return (flights$) =>
    flights$.pipe(
      filter((flight) => flight.origin === origin),
      departures(),
      keyBy((flight) => flight.carrier),
      sessionWindow(minutes(30), aggregates.count()),
      toValues(),
      map(({ key, window, value }) => ({ carrier: key, window, flights: value })),
    );
}

/** What left most in the hour before. */
export interface Busiest {
  readonly until: number;
  readonly airport: string;
  readonly flights: number;
}

/** Every ten minutes, the destination with the most departures of the last hour; of several, the first by name. */
export function busiest(): OperatorFunction<Flight, Busiest> {
  return (flights$) =>
    flights$.pipe(
      departures(),
      keyBy((flight) => flight.destination),
      slidingWindow(hours(1), minutes(10), aggregates.count()),
      // the counts of one window are stamped with its end, so they meet in a window of their own
      keyBy(({ window }) => window.end),
      tumblingWindow(
        minutes(10),
        aggregates.reduce((most, next) =>
          next.value > most.value || (next.value === most.value && next.key < most.key) ? next : most,
        ),
      ),
      toValues(),
      map(({ value: { key, window, value } }) => ({ until: window.end, airport: key, flights: value })),
    );
}

/** How many flights of an hour are known by now. */
export interface Count {
  readonly origin: string;
  readonly hour: number;
  readonly flights: number;
  readonly timing: 'early' | 'onTime' | 'late';
}

/**
 * Departures per hour and airport, with an early result each minute of the clock in which something has become known: the
 * final one takes as long as the longest flight.
 */
export function known(scheduler: SchedulerLike): OperatorFunction<Flight, Count> {
  return (flights$) =>
    flights$.pipe(
      departures(scheduler),
      keyBy((flight) => flight.origin),
      tumblingWindow(hours(1), aggregates.count(), {
        trigger: triggers.afterWatermark({ early: triggers.every(minutes(1), 'processing') }),
        scheduler,
      }),
      toValues(),
      map(({ key, window, value, pane }) => ({ origin: key, hour: window.start, flights: value, timing: pane.timing })),
    );
}

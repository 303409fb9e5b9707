// Three kinds of windows over a week of flights: `npm run demo:windows`.
import { fileURLToPath } from 'node:url';
import Table from 'cli-table3';
import { concatMap, lastValueFrom, type Observable, of, tap, toArray } from 'rxjs';
import { ManualScheduler } from 'tidemark/testing';
import { type Flight, openFile, readFlights } from '../flights/flights.js';
import { busiest, known, waves } from './windows.js';

const WEEK = fileURLToPath(new URL('../flights/flights-2013-first-week.csv.gz', import.meta.url));
const AIRPORT = 'JFK';

const flights = (): Observable<Flight> => readFlights(() => openFile(WEEK), true);
const all = <A>(values$: Observable<A>): Promise<A[]> => lastValueFrom(values$.pipe(toArray()));
const time = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

function show(title: string, head: string[], rows: ReadonlyArray<ReadonlyArray<string | number>>): void {
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const row of rows) table.push([...row]);
  console.log(`\n${title}\n${table.toString()}`);
}

const longest = (await all(flights().pipe(waves(AIRPORT)))).sort((a, b) => b.flights - a.flights).slice(0, 8);
show(
  `The longest waves of departures at ${AIRPORT}, no more than half an hour between two flights of a carrier`,
  ['carrier', 'from', 'to', 'flights'],
  longest.map(({ carrier, window, flights }) => [carrier, time(window.start), time(window.end), flights]),
);

const most = (await all(flights().pipe(busiest()))).sort((a, b) => b.flights - a.flights || a.until - b.until).slice(0, 8);
show(
  'The busiest destinations of an hour, asked every ten minutes',
  ['hour until', 'destination', 'departures'],
  most.map(({ until, airport, flights }) => [time(until), airport, flights]),
);

// the clock goes as it went then: it is as late as the landing that becomes known
const clock = new ManualScheduler({ start: Date.parse('2013-01-01T00:00Z') });
const byTheClock$ = flights().pipe(
  concatMap((flight) => of(flight).pipe(tap(() => clock.advanceTo(Math.max(clock.now(), flight.landedAt))))),
  known(clock),
);
const counts = (await all(byTheClock$)).filter(
  ({ origin, hour }) => origin === AIRPORT && hour === Date.parse('2013-01-02T13:00Z'),
);
show(
  `What was known of the departures at ${AIRPORT} on January 2nd from 13:00 to 14:00, minute by minute`,
  ['', 'flights'],
  [...counts.slice(0, 8), ...counts.slice(-1)].map(({ timing, flights }) => [timing, flights]),
);

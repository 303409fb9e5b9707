import { fileURLToPath } from 'node:url';
import { from, lastValueFrom, type OperatorFunction, tap, toArray } from 'rxjs';
import { ManualScheduler } from 'tidemark/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Flight, openFile, readFlights } from '../flights/flights.js';
import { busiest, known, waves } from './windows.js';

const WEEK = fileURLToPath(new URL('../flights/flights-2013-first-week.csv.gz', import.meta.url));
const MINUTE = 60_000;

describe('windows over a week of flights', () => {
  let flights: Flight[];
  beforeAll(async () => {
    flights = await lastValueFrom(readFlights(() => openFile(WEEK), true).pipe(toArray()));
  });
  const ask = <A>(question: OperatorFunction<Flight, A>): Promise<A[]> => lastValueFrom(from(flights).pipe(question, toArray()));

  it('waves are the runs of departures without a longer break', async () => {
    const expected: string[] = [];
    for (const carrier of new Set(flights.map((flight) => flight.carrier))) {
      const times = flights
        .filter((flight) => flight.origin === 'JFK' && flight.carrier === carrier)
        .map(({ departedAt }) => departedAt)
        .sort((a, b) => a - b);
      let run: number[] = [];
      for (const at of [...times, Infinity]) {
        const last = run.at(-1);
        if (last !== undefined && at - last > 30 * MINUTE) {
          expected.push(`${carrier} ${run[0]} ${last + 30 * MINUTE} ${run.length}`);
          run = [];
        }
        run.push(at);
      }
    }
    const found = (await ask(waves('JFK'))).map(
      ({ carrier, window, flights }) => `${carrier} ${window.start} ${window.end} ${flights}`,
    );
    expect(found.length).toBeGreaterThan(50);
    expect(found.sort()).toEqual(expected.sort());
  });

  it('the busiest destination of an hour is the one that a count of that hour gives', async () => {
    const found = await ask(busiest());
    expect(found.length).toBeGreaterThan(800);
    for (const { until, airport, flights: most } of found.filter((_busiest, i) => i % 25 === 0)) {
      const counts = new Map<string, number>();
      for (const { departedAt, destination } of flights) {
        if (departedAt >= until - 60 * MINUTE && departedAt < until) counts.set(destination, (counts.get(destination) ?? 0) + 1);
      }
      const [first] = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
      expect([until, airport, most]).toEqual([until, ...(first ?? [])]);
    }
  });

  it('early counts of an hour rise minute by minute to the final one', async () => {
    const clock = new ManualScheduler({ start: (flights[0] as Flight).departedAt });
    const counts = await lastValueFrom(
      from(flights).pipe(
        tap(({ landedAt }) => clock.advanceTo(Math.max(clock.now(), landedAt))),
        known(clock),
        toArray(),
      ),
    );
    const [origin, hour] = ['JFK', Date.parse('2013-01-02T13:00Z')];
    const ours = counts.filter((count) => count.origin === origin && count.hour === hour);
    const truth = flights.filter(
      (flight) => flight.origin === origin && flight.departedAt >= hour && flight.departedAt < hour + 60 * MINUTE,
    );
    expect(ours.length).toBeGreaterThan(5);
    expect(ours.map(({ timing }) => timing)).toEqual([...ours.slice(1).map(() => 'early'), 'onTime']);
    const rising = ours.slice(1).every(({ flights: now }, i) => now >= (ours[i]?.flights ?? 0));
    expect(rising).toBe(true);
    expect(ours.at(-1)?.flights).toBe(truth.length);
  });
});

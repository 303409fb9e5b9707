import Table from 'cli-table3';
import { hours } from 'tidemark';
import type { Hour } from './hourly.js';
import { dayOf, startOfDay, timeOfDay } from './newYork.js';
import { BOUNDS, type Bound, type Trade } from './trade.js';

const whole = new Intl.NumberFormat('en-US');
export const count = (n: number): string => whole.format(n);
const share = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`;
const signed = (minutes: number): string => `${minutes < 0 ? '−' : '+'}${Math.abs(minutes).toFixed(1)}`;

function table(head: string[], rows: ReadonlyArray<ReadonlyArray<string>>): string {
  const colAligns = head.map((_, column): 'left' | 'right' => (column === 0 ? 'left' : 'right'));
  const result = new Table({ head, colAligns, style: { head: [], border: [] } });
  for (const row of rows) result.push([...row]);
  // the rule under the head stays, the ones between the rows go
  return result
    .toString()
    .split('\n')
    .filter((line, i) => i < 3 || !line.startsWith('├'))
    .join('\n');
}

/** The hours of the day with the most departures, one column an airport: flights, and their mean delay in minutes. */
export function busiestDay(all: ReadonlyArray<Hour>): { readonly day: string; readonly hours: number; readonly table: string } {
  const days = groupBy(all, (hour) => startOfDay(hour.window.start));
  const flightsOf = (day: ReadonlyArray<Hour>): number => day.reduce((sum, hour) => sum + hour.value.flights, 0);
  const [start, day] = [...days].reduce((best, other) => (flightsOf(other[1]) > flightsOf(best[1]) ? other : best));
  const airports = [...new Set(all.map((hour) => hour.key))].sort();
  const byHour = [...groupBy(day, (hour) => hour.window.start)].sort(([a], [b]) => a - b);
  const rows = byHour.map(([hour, results]) => [
    `${timeOfDay(hour)}–${timeOfDay(hour + hours(1))}`,
    ...airports.flatMap((airport) => {
      const found = results.find(({ key }) => key === airport)?.value;
      return found === undefined ? ['', ''] : [count(found.flights), signed(found.meanDelay)];
    }),
  ]);
  const head = ['hour', ...airports.flatMap((airport) => [airport, 'delay'])];
  return { day: dayOf(start), hours: day.length, table: table(head, rows) };
}

/** Who was late: per airport, how many, and how long their hour had been over by then, as the watermark tells time. */
export function lateTable(behind: ReadonlyMap<string, ReadonlyArray<number>>, all: ReadonlyArray<Hour>): string {
  const results = groupBy(all, (hour) => hour.key);
  const rows = [...new Set([...results.keys(), ...behind.keys()])].sort().map((airport) => {
    const counted = (results.get(airport) ?? []).reduce((sum, hour) => sum + hour.value.flights, 0);
    const late = [...(behind.get(airport) ?? [])].sort((a, b) => a - b);
    const [median, most] = [late[late.length >> 1], late.at(-1)];
    return [
      airport,
      count(counted),
      count(late.length),
      share(late.length, counted + late.length),
      hoursOf(median),
      hoursOf(most),
    ];
  });
  return table(['airport', 'counted', 'late', 'share', 'median behind', 'most behind'], rows);
}

function hoursOf(ms: number | undefined): string {
  return ms === undefined ? '' : `${(ms / hours(1)).toFixed(1)} h`;
}

/** What each bound gives and costs. */
export function tradeTable(trade: Trade): string {
  const rows = (Object.keys(BOUNDS) as Bound[]).map((bound) => {
    const { late, windows, counted, delaySum } = trade[bound];
    return [bound, count(late), share(late, late + counted), count(windows), count(counted), signed(delaySum / counted)];
  });
  return table(['bound', 'late', 'share', 'results', 'counted', 'mean delay'], rows);
}

function groupBy<A, K>(all: ReadonlyArray<A>, key: (one: A) => K): Map<K, A[]> {
  const groups = new Map<K, A[]>();
  for (const one of all) {
    const k = key(one);
    const group = groups.get(k);
    if (group === undefined) groups.set(k, [one]);
    else group.push(one);
  }
  return groups;
}

/** All results, in the order in which they came. */
export function hoursCsv(all: ReadonlyArray<Hour>): string {
  const lines = all.map(({ key, window, value }) =>
    [new Date(window.start).toISOString(), key, value.flights, value.meanDelay.toFixed(2)].join(),
  );
  return `hour,airport,flights,meanDelayMinutes\n${lines.join('\n')}\n`;
}

import { type ReadStream, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { lastValueFrom } from 'rxjs';
import { Day } from './day.js';
import { openFile, readFlights } from './flights.js';
import type { Hour } from './hourly.js';
import { LateFile } from './late.js';
import { plotFlights } from './plot.js';
import { showProgress } from './progress.js';
import { busiestDay, count, hoursCsv, lateTable, tradeTable } from './tables.js';
import { type Bound, compareBounds } from './trade.js';

/** The bound of the tables and the picture. */
const BOUND: Bound = '2h';

async function main(path: string, out: string): Promise<void> {
  const started = performance.now();
  const size = statSync(path).size;
  await mkdir(out, { recursive: true });

  const day = new Day();
  const hours: Hour[] = [];
  const late = new LateFile(join(out, 'late.csv'));
  let file: ReadStream | undefined;
  const flights$ = readFlights(
    () => {
      file = openFile(path);
      return file;
    },
    path.endsWith('.gz'),
    { ready: late.ready },
  );
  const trade$ = compareBounds(flights$, {
    bound: BOUND,
    onHour: (hour) => hours.push(hour),
    watch(element) {
      day.watch(element);
      late.watch(element);
    },
    lateTo: {
      next(record) {
        day.markLate(record.value);
        late.put(record);
      },
      complete: () => late.complete(),
    },
  });

  const stopProgress = showProgress(size, () => file?.bytesRead ?? 0);
  const trade = await lastValueFrom(trade$).finally(stopProgress);
  if (hours.length === 0) throw new Error('there are no flights in it');
  await Promise.all([
    late.written,
    writeFile(join(out, 'hours.csv'), hoursCsv(hours)),
    writeFile(join(out, 'flights.json'), `${JSON.stringify(trade, null, 2)}\n`),
    writeFile(join(out, 'flights.svg'), plotFlights(day, BOUND, trade)),
  ]);

  const all = trade[BOUND].late + trade[BOUND].counted;
  const shown = busiestDay(hours);
  const name = (made: string): string => relative('', join(out, made));
  console.log(`${count(all)} departures, by the hour in which they left; each is known only when it has landed.\n`);
  console.log(`${shown.day}, the busiest day: departures and mean delay in minutes, watermark ${BOUND} behind (New York time)`);
  console.log(shown.table);
  console.log(`and ${count(hours.length - shown.hours)} more hours in ${name('hours.csv')}\n`);
  console.log(`Landed too late for their hour's result at this bound: ${count(trade[BOUND].late)}, put into ${name('late.csv')}`);
  console.log(lateTable(late.behind, hours));
  console.log('\nThe trade: a result comes the bound after its hour, and what lands later still is not in it');
  console.log(tradeTable(trade));
  console.log(`\nwritten: ${name('flights.json')}, ${name('flights.svg')}`);
  const seconds = (performance.now() - started) / 1000;
  console.log(`${seconds.toFixed(1)} s for six runs over one reading, ${count(Math.round(all / seconds))} departures a second`);
}

// `npm run demo | head` is no error
process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
  if (cause.code !== 'EPIPE') throw cause;
});

const week = fileURLToPath(new URL('./flights-2013-first-week.csv.gz', import.meta.url));
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string', default: 'out' } },
  });
  const [path = week] = positionals;
  await main(path, values.out).catch((cause: unknown) => {
    throw new Error(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  });
} catch (cause) {
  console.error(`flights: ${(cause as Error).message}`);
  process.exitCode = 1;
}

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { constants, gunzipSync } from 'node:zlib';
import { lastValueFrom, toArray } from 'rxjs';
import { counters, hours, toValues } from 'tidemark';
import { paced } from 'tidemark/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Flight, openFile, readFlights } from './flights.js';
import { departuresPerHour } from './hourly.js';
import { compareBounds } from './trade.js';

const week = fileURLToPath(new URL('./flights-2013-first-week.csv.gz', import.meta.url));

/** The file by hand: departure, airport and delay of each row, in order. Shares nothing with the example. */
function rowsOf(path: string): Array<{ at: number; airport: string; delay: number }> {
  const lines = gunzipSync(readFileSync(path)).toString().trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [departed = '', , , , , airport = '', , delay = ''] = line.split(',');
    return { at: new Date(departed).getTime(), airport, delay: parseInt(delay, 10) };
  });
}

/** What a bound must give, by two plain maps: how far the watermark is before each row decides whether it is late. */
function naive(path: string, bound: number) {
  const groups = new Map<string, { flights: number; delay: number }>();
  let newest = Number.NEGATIVE_INFINITY;
  let late = 0;
  for (const { at, airport, delay } of rowsOf(path)) {
    const lastOfHour = at - (at % 3_600_000) + 3_599_999; // all of them are after 1970
    if (lastOfHour <= newest - bound - 1) {
      late++;
    } else {
      const name = `${lastOfHour - 3_599_999} ${airport}`;
      const group = groups.get(name) ?? { flights: 0, delay: 0 };
      groups.set(name, { flights: group.flights + 1, delay: group.delay + delay });
    }
    newest = Math.max(newest, at);
  }
  return { late, groups };
}

const MS = { '15min': 900_000, '1h': 3_600_000, '2h': 7_200_000, '4h': 14_400_000, '6h': 21_600_000, '11h': 39_600_000 };

function naiveTrade(path: string) {
  return Object.fromEntries(
    Object.entries(MS).map(([name, bound]) => {
      const { late, groups } = naive(path, bound);
      const all = [...groups.values()];
      const sum = (of: (group: { flights: number; delay: number }) => number) =>
        all.reduce((total, group) => total + of(group), 0);
      return [name, { late, windows: all.length, counted: sum((g) => g.flights), delaySum: sum((g) => g.delay) }];
    }),
  );
}

describe('the week of flights', () => {
  it('at a bound of 11 h nothing is late, and every hour equals a plain group-by of the file', async () => {
    const seen = counters();
    const late: unknown[] = [];
    const results = await lastValueFrom(
      readFlights(() => openFile(week), true).pipe(
        departuresPerHour(hours(11), { counters: seen, lateTo: (record) => late.push(record) }),
        toValues(),
        toArray(),
      ),
    );
    const groups = new Map<string, { flights: number; delay: number }>();
    for (const { at, airport, delay } of rowsOf(week)) {
      const name = `${Math.floor(at / 3_600_000) * 3_600_000} ${airport}`;
      const group = groups.get(name) ?? { flights: 0, delay: 0 };
      groups.set(name, { flights: group.flights + 1, delay: group.delay + delay });
    }
    const found = results.map(({ key, window, value }) => [
      `${window.start} ${key}`,
      { flights: value.flights, delay: value.delay },
    ]);
    expect(new Map(found as Array<[string, unknown]>)).toEqual(groups);
    expect(found.length).toBe(groups.size);
    expect([seen.records, seen.late, late]).toEqual([6_007, 0, []]);
    for (const { value } of results) expect(value.meanDelay).toBe(value.delay / value.flights);
  });

  it('all six bounds, side by side over one reading, equal a naive computation each', async () => {
    let opened = 0;
    const flights$ = readFlights(() => {
      opened++;
      return openFile(week);
    }, true);
    expect(await lastValueFrom(compareBounds(flights$))).toEqual(naiveTrade(week));
    expect(opened).toBe(1);
  });
});

describe('the reading of a compressed file', () => {
  const compressed = readFileSync(week);
  const CHUNK = 16_384; // what gunzip takes in at a time
  const chunks = Array.from({ length: Math.ceil(compressed.length / CHUNK) }, (_, i) =>
    compressed.subarray(i * CHUNK, (i + 1) * CHUNK),
  );
  /** How many rows are complete once the first n chunks are there. */
  const rowsIn = chunks.map((_, i) => {
    const text = gunzipSync(compressed.subarray(0, (i + 1) * CHUNK), { finishFlush: constants.Z_SYNC_FLUSH }).toString();
    return text.split('\n').length - 2; // without the header, and what follows the last newline
  });

  it('P106: a slow consumer has at most two chunks read ahead of it', async () => {
    let read = 0;
    const file = (): Readable =>
      new Readable({
        highWaterMark: CHUNK,
        read() {
          this.push(chunks[read++] ?? null);
        },
      });
    let consumed = 0;
    let ahead = 0;
    const sink = paced(async (_flight: Flight) => {
      await turn(); // everything that wants to be read in advance has its turn before each row
      consumed++;
      const inWork = rowsIn.findIndex((rows) => consumed <= rows); // the chunk that this row came with
      ahead = Math.max(ahead, Math.min(read, chunks.length) - (inWork + 1));
    });
    readFlights(file, true, { ready: sink.ready }).subscribe(sink);
    await sink.done;
    expect(consumed).toBe(6_007);
    expect(chunks.length).toBeGreaterThan(4);
    expect(ahead).toBeGreaterThan(0); // it is read as a stream
    expect(ahead).toBeLessThanOrEqual(2);
  });

  it('a file that is cut short is an error, after the flights that are in it', async () => {
    const flights: Flight[] = [];
    const failure = await new Promise<unknown>((resolve) => {
      readFlights(() => Readable.from([compressed.subarray(0, 40_000)]), true).subscribe({
        next: (flight) => flights.push(flight),
        error: resolve,
      });
    });
    expect(failure).toMatchObject({ message: 'unexpected end of file' });
    expect(flights.length).toBeGreaterThan(0);
  });

  it('unsubscribing closes the file behind the parser', async () => {
    const file = openFile(week);
    const closed = new Promise<void>((resolve) => file.once('close', () => resolve()));
    const subscription = readFlights(() => file, true).subscribe(() => subscription.unsubscribe());
    await closed;
    expect(file.destroyed).toBe(true);
  });
});

describe('npm run demo', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const main = fileURLToPath(new URL('./main.ts', import.meta.url));
  const out = mkdtempSync(join(tmpdir(), 'flights-'));
  const demo = (...args: string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', main, ...args, '--out', out], {
      cwd: root,
      encoding: 'utf8',
      timeout: 25_000,
    });
  const written = (name: string): string => readFileSync(join(out, name), 'utf8');
  let run: ReturnType<typeof demo>;
  beforeAll(() => {
    run = demo();
  });
  afterAll(() => rmSync(out, { recursive: true }));

  it('ends well, and says nothing on stderr when that is no terminal', () => {
    expect([run.status, run.stderr]).toEqual([0, '']);
  });

  it('writes flights.json: the six bounds, in order, as a naive computation has them', () => {
    const trade: Record<string, unknown> = JSON.parse(written('flights.json'));
    expect(trade).toEqual(naiveTrade(week));
    expect(Object.keys(trade)).toEqual(['15min', '1h', '2h', '4h', '6h', '11h']);
  });

  it('prints departures per hour and airport of one day, with their mean delay', () => {
    const { groups } = naive(week, MS['2h']);
    // Monday, 7 January, 08:00 in New York is 13:00 UTC
    const cells = ['EWR', 'JFK', 'LGA'].flatMap((airport) => {
      const { flights, delay } = groups.get(`${Date.UTC(2013, 0, 7, 13)} ${airport}`) ?? { flights: 0, delay: 0 };
      return [String(flights), `${delay < 0 ? '−' : '+'}${Math.abs(delay / flights).toFixed(1)}`];
    });
    const row = run.stdout.split('\n').find((line) => line.includes('08:00–09:00'));
    expect(row?.split('│').map((cell) => cell.trim())).toEqual(['', '08:00–09:00', ...cells, '']);
  });

  it('prints the trade, a row a bound', () => {
    const lines = run.stdout.split('\n').map((line) => line.split('│').map((cell) => cell.trim()));
    for (const [bound, { late, windows, counted }] of Object.entries(naiveTrade(week))) {
      const [, , lateCell, , windowsCell, countedCell] = lines.find((cells) => cells[1] === bound) ?? [];
      const plain = [lateCell, windowsCell, countedCell].map((cell) => Number(cell?.replaceAll(',', '')));
      expect([bound, ...plain]).toEqual([bound, late, windows, counted]);
    }
  });

  it('says how many were late, and puts each of them into late.csv', () => {
    const { late } = naive(week, MS['2h']);
    expect(run.stdout).toContain(`too late for their hour's result at this bound: ${late.toLocaleString('en-US')}, put into`);
    expect(written('late.csv').trimEnd().split('\n').length - 1).toBe(late);
  });

  it('puts all hours into hours.csv', () => {
    expect(written('hours.csv').trimEnd().split('\n').length - 1).toBe(naive(week, MS['2h']).groups.size);
  });

  it('draws flights.svg: every flight of the day a dot, the late ones red', () => {
    const svg = written('flights.svg');
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    const [, late, all] = /([\d,]+) of these ([\d,]+) flights landed after that/.exec(svg) ?? [];
    expect(svg.match(/<circle/g)?.length).toBe(Number(all));
    expect(Number(late)).toBeGreaterThan(100);
    expect(svg).not.toContain('NaN');
  });

  it('says what is wrong with a file, and fails', () => {
    const missing = demo('no-such-file.csv');
    expect([missing.status, missing.stdout]).toEqual([1, '']);
    expect(missing.stderr).toMatch(/^flights: no-such-file\.csv: ENOENT/);
  });
});

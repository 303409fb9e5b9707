import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ord } from 'fp-ts/lib/Ord.js';
import { from } from 'rxjs';
import {
  aggregates,
  assignWatermarks,
  boundedOutOfOrderness,
  keyBy,
  mapValue,
  type WindowAssigner,
  type WindowResult,
  windowBy,
} from 'tidemark';
import { compareRows, orderOf } from '../compareRows.js';
import { cell, tableOf, windowJoined } from '../joins.js';
import type { Json } from '../json.js';
import { type Difference, NotYetSupported } from '../outcome.js';
import { arroyoJoin } from '../peerJoins.js';
import { columnsIn, rowOf } from '../rows.js';
import { resultsOf } from '../run.js';
import { columnsOf, type Row, rowAggregate } from '../sqlAggregates.js';
import { type WindowSpec, windowOperators } from '../windows.js';

/** Replays Arroyo: the rows of a whole input. */
export function arroyo(vector: Json, folder: string): Difference {
  if (vector['operator'] === 'windowTopN') return topOfWindows(vector, folder);
  if (vector['operator'] === 'windowJoin') return arroyoJoin(vector);
  if (vector['operator'] === 'windowedAggregate + windowJoin') return joinedCounts(vector, inputOf(vector['input'], folder));
  if (vector['operator'] !== 'windowedAggregate') throw new NotYetSupported(`the operator ${vector['operator']}`);
  const { delay = 0 } = vector['watermark'] as { readonly delay?: number };
  const rows = inputOf(vector['input'], folder);
  const expected = vector['expect'] as ReadonlyArray<Json>;
  // a count of all rows goes by either name
  const columns = columnsOf((vector['aggregate'] as string | undefined) ?? 'count');
  const aggregate = rowAggregate([...columns, { name: 'rows', of: 'count', over: '*' }]);
  for (const operator of windowOperators(windowsOf(vector['windowFn'] as Json), aggregate, {})) {
    const actual = resultsOf(
      from(rows).pipe(
        assignWatermarks(boundedOutOfOrderness<Row>(delay), {
          timestamp: (row) => row['ts'] as number,
          key: (): unknown => undefined,
          interval: 'record',
        }),
        operator(),
      ),
    ).map((result) => rowOf(result, columnsIn(expected)));
    const difference = compareRows('all rows', expected, actual, orderOf(vector['ordered']));
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** A window as the result of a window, so that the results of one window of all keys meet. */
const BY_WINDOW: WindowAssigner<WindowResult<unknown, unknown>> = {
  kind: 'event',
  assign: ({ window }) => [window],
  maxTimestamp: ({ end }) => end - 1,
  keyOf: ({ end }) => end,
};

/** The keys with the most rows of each window, by a count: windows of the results of windows. */
function topOfWindows(vector: Json, folder: string): Difference {
  const { delay = 0 } = vector['watermark'] as { readonly delay?: number };
  const rows = inputOf(vector['input'], folder);
  const expected = vector['expect'] as ReadonlyArray<Json>;
  const by = (vector['by'] as string).split(', ').map((term) => term.split(' ') as [string, string]);
  const keyColumn = by.find(([column]) => column !== 'count')?.[0] ?? 'key';
  const first = aggregates.topK<WindowResult<Json, unknown>>(vector['n'] as number, rankedBy(by, keyColumn));
  for (const operator of windowOperators(windowsOf(vector['windowFn'] as Json), rowAggregate(columnsOf('count')), {})) {
    const actual = resultsOf(
      from(rows).pipe(
        assignWatermarks(boundedOutOfOrderness<Row>(delay), {
          timestamp: (row) => row['ts'] as number,
          key: (row): unknown => row[keyColumn],
          interval: 'record',
        }),
        operator(),
        windowBy(BY_WINDOW, first),
      ),
    ).flatMap(({ value }) => value.map((result) => rowOf(result, columnsIn(expected), keyColumn)));
    const difference = compareRows('all rows', expected, actual, orderOf(vector['ordered']));
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** The order of `count desc, driver desc`, the last first: `topK` gives the greatest. */
function rankedBy(
  by: ReadonlyArray<readonly [column: string, direction: string]>,
  keyColumn: string,
): Ord<WindowResult<Json, unknown>> {
  const at = ({ key, value }: WindowResult<Json, unknown>, column: string) =>
    (column === keyColumn ? key : value[column]) as number;
  const compare = (left: WindowResult<Json, unknown>, right: WindowResult<Json, unknown>) => {
    for (const [column, direction] of by) {
      const difference = at(left, column) - at(right, column);
      if (difference !== 0) return difference > 0 === (direction === 'desc') ? 1 : -1;
    }
    return 0;
  };
  return { equals: (left, right) => compare(left, right) === 0, compare };
}

/** Drivers who dropped off, and who picked up, in each window: counts in windows, joined in the same windows. */
function joinedCounts(vector: Json, rows: ReadonlyArray<Row>): Difference {
  const windows = windowsOf(vector['windowFn'] as Json);
  const drivers = aggregates.mapResult((all: ReadonlyArray<Row>) => ({ n: new Set(all.map((row) => row['driver'])).size }))(
    aggregates.collect<Row>(),
  );
  const counts = (event: string) => {
    const [operator] = windowOperators(windows, drivers, {});
    const some = rows.filter((row) => row['event'] === event);
    const counted = tableOf(
      some,
      0,
      (row) => row['ts'] as number,
      () => undefined,
    ).pipe((operator as typeof operator & object)());
    return counted.pipe(
      mapValue(({ value }): Row => value),
      keyBy((): unknown => undefined),
    );
  };
  const out: Json[] = [];
  windowJoined(counts('d'), counts('p'), windows, 'inner', ({ left, right, window }) =>
    out.push({ windowStart: window?.start, dropoffDrivers: cell(left, 'n'), pickupDrivers: cell(right, 'n') }),
  );
  return compareRows('all rows', vector['expect'] as ReadonlyArray<Json>, out, orderOf(vector['ordered']));
}

/** Arroyo's words for windows in ours. */
function windowsOf({ period, ...spec }: Json): WindowSpec {
  return { ...(spec as unknown as WindowSpec), ...(period === undefined ? {} : { slide: period as number }) };
}

/** The rows themselves, or those of a file beside the case. */
function inputOf(input: unknown, folder: string): ReadonlyArray<Row> {
  if (Array.isArray(input)) return input;
  const file = join(folder, String(input));
  if (!existsSync(file)) throw new Error(`the input ${input} is not beside the case`);
  const { columns, base, rows } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly columns: ReadonlyArray<string>;
    readonly base: number;
    readonly rows: ReadonlyArray<ReadonlyArray<unknown>>;
  };
  return rows.map((values) => {
    const row: Record<string, unknown> = Object.fromEntries(columns.map((column, i) => [column, values[i]]));
    return { ...row, ts: base + (row['ts'] as number) * 1_000 }; // in seconds since the base
  });
}

import { from, type Observable } from 'rxjs';
import {
  type Aggregate,
  aggregates,
  assignWatermarks,
  boundedOutOfOrdernessTimestampExtractor,
  keyBy,
  mapValue,
  type StreamElement,
  type WindowResult,
} from 'tidemark';
import { compareRows, orderOf } from '../compareRows.js';
import type { Json } from '../json.js';
import { type Difference, NotYetSupported } from '../outcome.js';
import { overRows } from '../overRows.js';
import { flinkSqlJoin } from '../peerJoins.js';
import { columnsIn, rowOf } from '../rows.js';
import { resultsOf } from '../run.js';
import { type Column, type Row, rowAggregate } from '../sqlAggregates.js';
import { type WindowSpec, windowOperators } from '../windows.js';

/** What the columns of the published queries are, one line each; a case names them only. */
const COLUMNS: ReadonlyArray<Column> = [
  { name: 'count', of: 'count', over: '*' },
  { name: 'sumDec', of: 'sumdecimal', over: 'dec' },
  { name: 'maxD', of: 'max', over: 'd' },
  { name: 'minF', of: 'min', over: 'f' },
  { name: 'countDistinctS', of: 'countdistinct', over: 's' },
  { name: 'distinctS', of: 'distinct', over: 's' },
  { name: 'lo', of: 'min', over: 'ts' },
  { name: 'hi', of: 'max', over: 'ts' },
];
/** Of queries over the results of a query. */
const CASCADED: ReadonlyArray<Column> = [
  { name: 'n', of: 'sum', over: 'count' },
  { name: 'parts', of: 'count', over: '*' },
];
/** Of the one that counts results by a column of theirs. */
const COUNTED: ReadonlyArray<Column> = [{ name: 'n', of: 'count', over: '*' }];

/** Replays Flink SQL: a set of rows for a whole table. */
export function flinkSql(vector: Json): Difference {
  if (vector['operator'] === 'intervalJoin' || vector['operator'] === 'windowJoin') return flinkSqlJoin(vector);
  const replay = OPERATORS[vector['operator'] as string];
  if (replay === undefined) throw new NotYetSupported(`the operator ${vector['operator']}`);
  const expected = vector['expect'] as ReadonlyArray<Json>;
  for (const rows of replay(vector, columnsIn(expected))) {
    const difference = compareRows('all rows', expected, rows(), orderOf(vector['ordered']));
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** The rows of a case, as often as there are operators that give them. */
type Replay = (vector: Json, columns: ReadonlyArray<string>) => ReadonlyArray<() => Json[]>;

const OPERATORS: Readonly<Record<string, Replay>> = {
  windowedAggregate(vector, columns) {
    const levels = [vector['windowFn']].flat().map((spec) => windowsOf(spec as Json));
    const [windows = { kind: 'none' }, ...above] = levels;
    if (columns.includes('cnt') || above.length > 0) return cascade(vector, columns, windows, above[0] ?? windows);
    // an unpartitioned window function has no key, and a query without the key among its columns groups by window alone
    const partitioned = (vector['windowFn'] as Json)['partitioned'] !== false;
    const grouped = partitioned && (columns.length === 0 || columns.includes('key'));
    return windowOperators(windows, rowAggregate(COLUMNS), {}).map(
      (operator) => () => resultsOf(table(vector, grouped).pipe(operator())).map((result) => rowOf(result, columns)),
    );
  },
  overAggregate(vector, columns) {
    const rows = (vector['rows'] as number) + 1;
    // the sum of `i` over the last rows of the key, the current one included
    const sums = overRows(
      () => ({ last: [] as number[], time: -Infinity }),
      (row, state) => {
        const time = row['ts'] as number;
        if (time <= state.time) return [];
        state.time = time;
        state.last.push(row['i'] as number);
        if (state.last.length > rows) state.last.shift();
        return [{ k: row['name'], ...row, s2: state.last.reduce((sum, i) => sum + i) }];
      },
      // here a row is late once a row of its key has come out that is as late, or later, whatever the watermark
      { allowedLateness: Infinity, panes: 'discarding' },
    );
    return [
      () =>
        resultsOf(table(vector, true).pipe(sums)).map(({ value }) =>
          Object.fromEntries(columns.map((column) => [column, value[column]])),
        ),
    ];
  },
  windowDeduplicate(vector, columns) {
    const latest: Aggregate<Row, Row> = aggregates.reduce<Row>((left, right) =>
      Number(right['ts']) >= Number(left['ts']) ? right : left,
    );
    return windowOperators(windowsOf(vector['windowFn'] as Json), latest, {}).map(
      (operator) => () => resultsOf(table(vector, true).pipe(operator())).map((result) => rowOf(result, columns)),
    );
  },
};

/** Windows over the results of windows: these are stamped with the last ms of theirs. */
function cascade(
  vector: Json,
  columns: ReadonlyArray<string>,
  first: WindowSpec,
  second: WindowSpec,
): ReadonlyArray<() => Json[]> {
  const counted = columns.includes('cnt');
  const below = windowOperators(first, rowAggregate(COLUMNS), {});
  const above = windowOperators(second, rowAggregate(counted ? COUNTED : CASCADED), {});
  return below.map((operator, i) => () => {
    const results = table(vector, true).pipe(
      operator(),
      stripped,
      keyBy((row: Row): unknown => (counted ? row['countDistinctS'] : undefined)),
    );
    return resultsOf(results.pipe((above[i] ?? (above[0] as (typeof above)[0]))())).map((result) => {
      // the grouping column goes by the name of the query below
      return rowOf({ ...result, value: { ...result.value, cnt: result.key } }, columns);
    });
  });
}

function stripped(
  results: Observable<StreamElement<WindowResult<Json, unknown>, unknown>>,
): Observable<StreamElement<Row, unknown>> {
  return results.pipe(mapValue(({ value }: WindowResult<Json, unknown>): Row => value));
}

/** The table as a stream. SQL's `ts - INTERVAL` is max − delay, without a further 1, as of the old bounded extractor. */
function table(vector: Json, grouped: boolean): Observable<StreamElement<Row, unknown>> {
  const { delay = 0 } = vector['watermark'] as { readonly delay?: number };
  const column = vector['keyBy'] as string | null | undefined;
  const key = grouped && typeof column === 'string' ? (row: Row): unknown => row[column] : (): unknown => undefined;
  const strategy = boundedOutOfOrdernessTimestampExtractor<Row>(delay, (row) => row['ts'] as number);
  return from(vector['input'] as ReadonlyArray<Row>).pipe(assignWatermarks(strategy, { key, interval: 'record' }));
}

/** SQL's words for windows in ours. */
function windowsOf({ period, ...spec }: Json): WindowSpec {
  const words = { ...(spec as unknown as WindowSpec), ...(period === undefined ? {} : { slide: period as number }) };
  return words.kind === 'cumulate' ? { ...words, kind: 'cumulative' } : words;
}

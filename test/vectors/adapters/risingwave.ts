import * as N from 'fp-ts/lib/number.js';
import { contramap, reverse } from 'fp-ts/lib/Ord.js';
import { from, Subject } from 'rxjs';
import {
  type Aggregate,
  aggregates,
  assignWatermarks,
  boundedOutOfOrderness,
  mapValue,
  noWatermarks,
  type StreamElement,
  type Windowed,
  type WindowResult,
} from 'tidemark';
import { ManualScheduler } from 'tidemark/testing';
import { compareRows, orderOf } from '../compareRows.js';
import type { Json } from '../json.js';
import { type Difference, listener, NotYetSupported } from '../outcome.js';
import { overRows } from '../overRows.js';
import { risingwaveJoin } from '../peerJoins.js';
import { columnsIn, refuseBehindButOpen, rowOf, timeColumn } from '../rows.js';
import { resultsOf } from '../run.js';
import { columnsOf, type Row, rowAggregate } from '../sqlAggregates.js';
import { type AnyWindowed, assignerOf, type WindowSpec, windowOperators } from '../windows.js';

interface RisingWaveStep {
  readonly input?: { readonly row: Row; readonly side?: string };
  readonly expectTotal?: ReadonlyArray<Json>;
  readonly expectCount?: number;
  readonly where?: Json;
}

/** A query: an aggregate over windows, of which each result gives some rows. */
interface Query {
  readonly windows: WindowSpec;
  readonly aggregate: Aggregate<Row, ReadonlyArray<Json>>;
  readonly keyBy: string | undefined;
}

/** The operators, one line each. */
const QUERIES: Readonly<Record<string, (vector: Json) => Query>> = {
  windowedAggregate: (vector) => query(vector, one(rowAggregate(columnsOf(vector['aggregate'] as string)))),
  windowTopN: (vector) => query(vector, topN(vector['n'] as number, vector['by'] as string)),
};

/**
 * Functions over the rows of a key, and rows between them, one line each: what is put out when a row has come, in the order of
 * their time. A frame is closed when the rows in it are behind the watermark, and so is the one that ends it.
 */
const OVER: Readonly<Record<string, (vector: Json) => OverRows>> = {
  overAggregate: (vector) =>
    vector['sessionGap'] === undefined
      ? frames(vector['functions'] as ReadonlyArray<string>, vector['orderBy'] as string)
      : sessionFrames(vector['sessionGap'] as number, vector['orderBy'] as string),
  gapFill: (vector) => gapFill(vector['interval'] as number, vector['fill'], vector['keyBy'] as string | undefined),
};

/** Replays RisingWave: what has come out in total after each group of rows. */
export function risingwave(vector: Json): Difference {
  const steps = vector['steps'] as ReadonlyArray<RisingWaveStep>;
  if (vector['operator'] === 'assignWindows') return assignedWindows(vector, steps);
  const over = OVER[vector['operator'] as string];
  if (over !== undefined) return overRowsOf(vector, steps, over(vector));
  if (vector['operator'] === 'windowJoin' || String(vector['operator']).startsWith('join')) return risingwaveJoin(vector);
  const make = QUERIES[vector['operator'] as string];
  if (make === undefined) throw new NotYetSupported(`the operator ${vector['operator']}`);
  const { windows, aggregate, keyBy } = make(vector);
  const operators = windowOperators(windows, aggregate, {});
  const { delay } = (vector['watermark'] ?? {}) as { readonly delay?: number };
  const rows = rowsOf(steps);
  const time = timeColumn(rows);
  if (delay !== undefined) {
    refuseBehindButOpen(batchesOf(steps, time), delay, (at) =>
      Math.max(
        ...assignerOf(windows)
          .assign(undefined, at, at)
          .map(({ end }) => end),
      ),
    );
  }
  for (const operator of operators) {
    const stamp = {
      timestamp: (row: Row) => row[time] as number,
      key: (row: Row): unknown => (keyBy === undefined ? undefined : row[keyBy]),
    };
    const run = delay === undefined ? new WholeTable(operator(), stamp) : new OnWindowClose(operator(), stamp, delay);
    const difference = totals(vector, steps, run, keyBy);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function overRowsOf(vector: Json, steps: ReadonlyArray<RisingWaveStep>, windows: OverRows): Difference {
  const time = timeColumn(rowsOf(steps));
  const keyBy = (vector['keyBy'] ?? vector['partitionBy']) as string | undefined;
  const stamp = {
    timestamp: (row: Row) => row[time] as number,
    key: (row: Row): unknown => (keyBy === undefined ? undefined : row[keyBy]),
  };
  const { delay = 0 } = vector['watermark'] as { readonly delay?: number };
  const rows: Windows = (source) => windows(source).pipe(mapValue(asRows));
  return totals(vector, steps, new OnWindowClose(rows, stamp, delay), undefined);
}

function asRows(result: WindowResult<Json, unknown>): WindowResult<ReadonlyArray<Json>, unknown> {
  return { ...result, value: [result.value] };
}

function rowsOf(steps: ReadonlyArray<RisingWaveStep>): Row[] {
  return steps.flatMap(({ input }) => (input === undefined ? [] : [input.row]));
}

/** The times of the rows between expectations. */
function batchesOf(steps: ReadonlyArray<RisingWaveStep>, time: string): number[][] {
  const batches: number[][] = [[]];
  for (const { input } of steps) {
    if (input === undefined) batches.push([]);
    else batches.at(-1)?.push(input.row[time] as number);
  }
  return batches;
}

type Stamp = { readonly timestamp: (row: Row) => number; readonly key: (row: Row) => unknown };
type Windows = AnyWindowed<Row, ReadonlyArray<Json>>;
type Result = {
  readonly key: unknown;
  readonly window: { readonly start: number; readonly end: number };
  readonly value: ReadonlyArray<Json>;
};

interface Run {
  feed(row: Row): void;
  /** Everything that has come out so far. */
  total(): ReadonlyArray<Result>;
}

/**
 * With a watermark results come out when their window closes. RisingWave moves it between batches of rows: those up to the
 * next expectation are one, a tick is what ends it.
 */
class OnWindowClose implements Run {
  private readonly scheduler = new ManualScheduler();
  private readonly input = new Subject<Row>();
  private readonly out: Result[] = [];
  constructor(windows: Windows, stamp: Stamp, delay: number) {
    const config = { ...stamp, interval: 1, scheduler: this.scheduler };
    // RisingWave's watermark, max − delay, says "nothing before it"; ours is the ms before
    this.input.pipe(assignWatermarks(boundedOutOfOrderness<Row>(delay), config), windows).subscribe(
      listener((element: StreamElement<Result, unknown>) => {
        if (element._tag === 'Record') this.out.push(element.value);
      }),
    );
  }
  feed(row: Row): void {
    this.input.next(row);
  }
  total(): ReadonlyArray<Result> {
    this.scheduler.advanceBy(1);
    return this.out;
  }
}

/** Without one the total is an ordinary aggregate over all rows so far: a stream that ends there. */
class WholeTable implements Run {
  private readonly rows: Row[] = [];
  constructor(
    private readonly windows: Windows,
    private readonly stamp: Stamp,
  ) {}
  feed(row: Row): void {
    this.rows.push(row);
  }
  total(): ReadonlyArray<Result> {
    return resultsOf(from(this.rows).pipe(assignWatermarks(noWatermarks<Row>(), this.stamp), this.windows));
  }
}

function totals(vector: Json, steps: ReadonlyArray<RisingWaveStep>, run: Run, keyBy: string | undefined): Difference {
  const columns = columnsIn(steps.flatMap((step) => step.expectTotal ?? []));
  for (const [i, { input, expectTotal, expectCount, where }] of steps.entries()) {
    if (input !== undefined) run.feed(input.row);
    if (expectTotal === undefined && expectCount === undefined) continue;
    const total = run.total().flatMap(({ value, ...result }) => value.map((row) => ({ ...result, value: row }) as never));
    const all = total.map((result) => rowOf(result, [...new Set([...columns, ...Object.keys(where ?? {})])], keyBy));
    const rows = all
      .filter((row) => Object.entries(where ?? {}).every(([column, value]) => row[column] === value))
      .map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])));
    const at = `step ${i}`;
    if (expectCount !== undefined && rows.length !== expectCount)
      return `  ${at}\n    expected ${expectCount} rows\n    actual   ${rows.length}`;
    if (expectTotal === undefined) continue;
    const difference = compareRows(at, expectTotal, rows, orderOf(vector['ordered']));
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** A table from rows to the windows they are in. */
function assignedWindows(vector: Json, steps: ReadonlyArray<RisingWaveStep>): Difference {
  const assigner = assignerOf(windowsOf(vector['windowFn'] as Json));
  const rows = rowsOf(steps);
  const time = timeColumn(rows);
  const expected = steps.flatMap((step) => step.expectTotal ?? []);
  const columns = columnsIn(expected);
  const actual = rows.flatMap((row) =>
    assigner
      .assign(row, row[time] as number, 0)
      .map((window) => rowOf({ key: undefined, window, value: row, pane: undefined as never }, columns)),
  );
  return compareRows('all rows', expected, actual, orderOf(vector['ordered']));
}

function query(vector: Json, aggregate: Query['aggregate']): Query {
  return {
    windows: windowsOf(vector['windowFn'] as Json),
    aggregate,
    keyBy: (vector['keyBy'] as string | null | undefined) ?? undefined,
  };
}

type OverRows = Windowed<Row, Json, unknown>;

/** Where a function is called: the rows of the key in order, the place of its own, and its arguments. */
interface Frame {
  readonly rows: ReadonlyArray<Row>;
  readonly at: number;
  readonly time: string;
  readonly over: string;
  readonly n: number;
}

/** The columns that a function adds, under the names of the recorded queries, one line each. */
const FRAMES: Readonly<Record<string, (frame: Frame) => Json>> = {
  row_number: ({ at }) => ({ rn: at + 1 }),
  rank: ({ rows, at, time }) => ({ rk: 1 + before(rows, at, time).length }),
  dense_rank: ({ rows, at, time }) => ({ dr: 1 + new Set(before(rows, at, time).map((row) => row[time])).size }),
  lag: ({ rows, at, over, n }) => ({ [`prev_${over}`]: rows[at - n]?.[over] ?? null }),
  lead: ({ rows, at, over, n }) => ({ [`lead${n}`]: rows[at + n]?.[over] ?? null }),
};

function before(rows: ReadonlyArray<Row>, at: number, time: string): ReadonlyArray<Row> {
  return rows.filter((row) => (row[time] as number) < (rows[at]?.[time] as number));
}

/** Numbering functions and neighbours; `lead` waits for the rows that come after. */
function frames(functions: ReadonlyArray<string>, time: string): OverRows {
  const calls = functions.map((call) => {
    const [, name = '', over = '', n = '0'] = /^(\w+)\((?:(\w+),(\d+))?\)$/.exec(call) ?? [];
    const columns = FRAMES[name];
    if (columns === undefined) throw new NotYetSupported(`the function ${call}`);
    return { columns, over, n: Number(n), ahead: name === 'lead' ? Number(n) : 0 };
  });
  const ahead = Math.max(...calls.map((call) => call.ahead));
  return overRows(
    () => [] as Row[],
    (row, rows) => {
      rows.push(row);
      const at = rows.length - 1 - ahead;
      return at < 0 ? [] : [Object.assign({}, rows[at], ...calls.map((call) => call.columns({ rows, at, time, ...call })))];
    },
  );
}

/** Each row with the first and the last time of its session, which the next row beyond the gap ends. */
function sessionFrames(gap: number, time: string): OverRows {
  return overRows(
    () => ({ rows: [] as Row[] }),
    (row, session) => {
      const { rows } = session;
      const last = rows.at(-1);
      if (last === undefined || (row[time] as number) - (last[time] as number) <= gap) {
        rows.push(row);
        return [];
      }
      session.rows = [row];
      return rows.map((one) => ({ ...one, session_first: rows[0]?.[time], session_last: last[time] }));
    },
  );
}

/** A row each `interval` between two rows of a key, when the later one has come. */
function gapFill(interval: number, fill: unknown, keyBy: string | undefined): OverRows {
  return overRows(
    () => ({ before: undefined as Row | undefined }),
    (row, state) => {
      const { before } = state;
      state.before = row;
      if (before === undefined) return [row];
      const time = timeColumn([row]);
      const from = before[time] as number;
      const to = row[time] as number;
      const filled: Json[] = [];
      for (let at = from + interval; at < to; at += interval) {
        const value = (column: string): unknown => {
          if (column === time) return at;
          const how = typeof fill === 'string' ? fill : (fill as Json)[column];
          return column === keyBy ? row[column] : between(how, before[column], row[column], (at - from) / (to - from));
        };
        filled.push(Object.fromEntries(Object.keys(row).map((column) => [column, value(column)])));
      }
      return [...filled, row];
    },
  );
}

/** The value of a column in a row that was not there. */
function between(how: unknown, left: unknown, right: unknown, share: number): unknown {
  if (how === 'null') return null;
  if (how === 'last observation') return left;
  if (how === 'linear') return (left as number) + share * ((right as number) - (left as number));
  throw new NotYetSupported(`the fill ${how}`);
}

/** RisingWave's words for windows in ours. */
function windowsOf({ period, ...spec }: Json): WindowSpec {
  return { ...(spec as unknown as WindowSpec), ...(period === undefined ? {} : { slide: period as number }) };
}

function one(aggregate: Aggregate<Row, Json>): Aggregate<Row, ReadonlyArray<Json>> {
  return { ...aggregate, result: (state) => [aggregate.result(state)] };
}

/** The first n rows by a column, `foo asc` or `foo desc`. */
function topN(n: number, by: string): Aggregate<Row, ReadonlyArray<Json>> {
  const [column = '', direction = 'asc'] = by.split(' ');
  const byColumn = contramap((row: Row) => row[column] as number)(N.Ord);
  return aggregates.topK(n, direction.toLowerCase() === 'desc' ? byColumn : reverse(byColumn));
}

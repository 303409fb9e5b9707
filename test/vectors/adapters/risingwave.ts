import { from, Subject } from 'rxjs';
import { type Aggregate, aggregates, assignWatermarks, boundedOutOfOrderness, noWatermarks, type StreamElement } from 'tidemark';
import { compareRows, orderOf } from '../compareRows.js';
import type { Json } from '../json.js';
import { type Difference, NotYetSupported } from '../outcome.js';
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

/** Replays RisingWave: what has come out in total after each group of rows. */
export function risingwave(vector: Json): Difference {
  const steps = vector['steps'] as ReadonlyArray<RisingWaveStep>;
  if (vector['operator'] === 'assignWindows') return assignedWindows(vector, steps);
  if (vector['operator'] === 'windowJoin' || String(vector['operator']).startsWith('join')) return risingwaveJoin(vector);
  const make = QUERIES[vector['operator'] as string];
  if (make === undefined) throw new NotYetSupported(`the operator ${vector['operator']}`);
  const { windows, aggregate, keyBy } = make(vector);
  const operators = windowOperators(windows, aggregate, {});
  const { delay } = (vector['watermark'] ?? {}) as { readonly delay?: number };
  const rows = rowsOf(steps);
  const time = timeColumn(rows);
  if (delay !== undefined) {
    const times = rows.map((row) => row[time] as number);
    refuseBehindButOpen(times, delay, (at) =>
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

function rowsOf(steps: ReadonlyArray<RisingWaveStep>): Row[] {
  return steps.flatMap(({ input }) => (input === undefined ? [] : [input.row]));
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

/** With a watermark results come out when their window closes. */
class OnWindowClose implements Run {
  private readonly input = new Subject<Row>();
  private readonly out: Result[] = [];
  constructor(windows: Windows, stamp: Stamp, delay: number) {
    // RisingWave's watermark, max − delay, says "nothing before it"; ours is the ms before
    this.input.pipe(assignWatermarks(boundedOutOfOrderness<Row>(delay), { ...stamp, interval: 'record' }), windows).subscribe({
      next: (element: StreamElement<Result, unknown>) => {
        if (element._tag === 'Record') this.out.push(element.value);
      },
    });
  }
  feed(row: Row): void {
    this.input.next(row);
  }
  total(): ReadonlyArray<Result> {
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
  const sign = direction.toLowerCase() === 'desc' ? -1 : 1;
  const all = aggregates.collect<Row>();
  return {
    ...all,
    result: (state) => [...all.result(state)].sort((a, b) => sign * ((a[column] as number) - (b[column] as number))).slice(0, n),
  };
}

import { type Aggregate, aggregates, type MergeableAggregate, type MergeableAggregateSpec } from 'tidemark';
import type { Json } from './json.js';
import { NotYetSupported } from './outcome.js';

/** A row of a table. */
export type Row = Json;

/** A column of the result: what it is called, the aggregate, and the column it is over (`*`: the row). */
export interface Column {
  readonly name: string;
  readonly of: string;
  readonly over: string;
}

/** SQL's aggregates over one column, one line each: NULLs take no part, and over nothing the result is NULL. */
const FUNCTIONS: Readonly<Record<string, (over: string) => MergeableAggregate<Row, unknown>>> = {
  count: (over) => (over === '*' ? aggregates.count() : present(over, aggregates.count(), 0)),
  sum: (over) => present(over, aggregates.sum(numberIn(over))),
  avg: (over) => present(over, aggregates.mean(numberIn(over))),
  min: (over) => present(over, aggregates.min(numberIn(over))),
  max: (over) => present(over, aggregates.max(numberIn(over))),
  sumdecimal: (over) => present(over, decimals(over)),
  countdistinct: (over) => mapped(distinct(over), (values) => values.length),
  distinct: (over) => distinct(over),
};

/** The aggregated columns of a query's text: `SUM(v) AS total, COUNT(*) AS n`, also without names: `count, sum(value)`. */
export function columnsOf(query: string): Column[] {
  const columns: Column[] = [];
  const aggregate = /\b(count|sum|avg|min|max)\b(?:\s*\(\s*(?:(distinct)\s+)?(\*|\w+)\s*\))?(?:\s+as\s+(\w+))?/gi;
  for (const [, of = '', distinctly = '', over = '*', name] of query.matchAll(aggregate)) {
    columns.push({ name: name ?? of.toLowerCase(), of: `${of}${distinctly}`.toLowerCase(), over });
  }
  return columns;
}

/** All columns side by side. */
export function rowAggregate(columns: ReadonlyArray<Column>): Aggregate<Row, Json> {
  return aggregates.struct<Row, Record<string, unknown>>(
    Object.fromEntries(
      columns.map(({ name, of, over }) => {
        const make = FUNCTIONS[of];
        if (make === undefined) throw new NotYetSupported(`the SQL aggregate ${of}`);
        return [name, make(over)];
      }),
    ),
  );
}

function numberIn(over: string): (row: Row) => number {
  return (row) => row[over] as number;
}

/** Only over rows in which the column is not NULL. */
function present(
  over: string,
  aggregate: MergeableAggregate<Row, unknown>,
  empty: unknown = null,
): MergeableAggregate<Row, unknown> {
  const counted: MergeableAggregateSpec<Row, unknown, { n: number; state: unknown }> = {
    create: () => ({ n: 0, state: aggregate.create() }),
    add: ({ n, state }, row, timestamp) =>
      row[over] === null || row[over] === undefined ? { n, state } : { n: n + 1, state: aggregate.add(state, row, timestamp) },
    merge: (left, right) => ({ n: left.n + right.n, state: aggregate.merge(left.state, right.state) }),
    result: ({ n, state }) => (n === 0 ? empty : aggregate.result(state)),
  };
  return counted;
}

/** The sum of decimals that are written as text, exact, with as many digits as the longest. */
function decimals(over: string): MergeableAggregate<Row, string> {
  const exact: MergeableAggregateSpec<Row, string, { scale: number; units: bigint }> = {
    create: () => ({ scale: 0, units: 0n }),
    add(state, row) {
      const [whole = '', fraction = ''] = (row[over] as string).split('.');
      return plus(state, { scale: fraction.length, units: BigInt(whole + fraction) });
    },
    merge: plus,
    result({ scale, units }) {
      const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
      const point = digits.length - scale;
      const text = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
      return units < 0n ? `-${text}` : text;
    },
  };
  return exact;
}

function plus(left: { scale: number; units: bigint }, right: { scale: number; units: bigint }): { scale: number; units: bigint } {
  const scale = Math.max(left.scale, right.scale);
  const at = (sum: { scale: number; units: bigint }) => sum.units * 10n ** BigInt(scale - sum.scale);
  return { scale, units: at(left) + at(right) };
}

/** The different values of a column, NULL apart, in their own order. */
function distinct(over: string): MergeableAggregate<Row, ReadonlyArray<unknown>> {
  const all = aggregates.collect<Row>();
  return mapped(all, (rows) => {
    const values = new Set(rows.map((row) => row[over]).filter((value) => value !== null && value !== undefined));
    return [...values].sort((a, b) => (String(a) < String(b) ? -1 : 1));
  });
}

function mapped<A, B>(aggregate: MergeableAggregate<Row, A>, f: (a: A) => B): MergeableAggregate<Row, B> {
  return { ...aggregate, result: (state) => f(aggregate.result(state)) };
}

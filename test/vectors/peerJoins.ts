import { fromElements, keyedRecord, watermark } from 'tidemark';
import { compareRows, orderOf } from './compareRows.js';
import { cell, inputs, intervalJoined, type Joined, keyOf, kindOf, tableOf, windowJoined } from './joins.js';
import type { Json } from './json.js';
import { type Difference, NotExpressible } from './outcome.js';
import type { Row } from './sqlAggregates.js';
import type { WindowSpec } from './windows.js';

// The joins of the engines: each in its own words, all by the same two operators.

interface SidedStep {
  readonly input?: {
    readonly side: 'left' | 'right';
    readonly row?: Row;
    readonly key?: string;
    readonly value?: unknown;
    readonly ts?: number;
  };
  readonly expect?: ReadonlyArray<Json>;
  readonly expectTotal?: ReadonlyArray<Json>;
  readonly expectCount?: number;
}

/** Flink SQL: two tables, `right` from `before` ms before `left` to `after` ms after it, or both in one window. */
export function flinkSqlJoin(vector: Json): Difference {
  const { L, R } = vector['input'] as { readonly L: ReadonlyArray<Row>; readonly R: ReadonlyArray<Row> };
  const { delay } = vector['watermark'] as { readonly delay: number };
  const kind = kindOf(vector['type']);
  const table = (rows: ReadonlyArray<Row>) =>
    tableOf(
      rows,
      delay,
      (row) => row['ts'] as number,
      (row) => keyOf(row, 'k'),
    );
  const expected = vector['expect'] as ReadonlyArray<Json>;
  const rows: Json[] = [];
  const take = ({ left, right, window }: Joined): void => {
    rows.push({ lv: cell(left, 'v'), rv: cell(right, 'v'), ...(window === undefined ? {} : { ws: window.start }) });
  };
  if (vector['operator'] === 'windowJoin') windowJoined(table(L), table(R), vector['windowFn'] as WindowSpec, kind, take);
  else {
    const spec = { kind, lower: -(vector['before'] as number), upper: vector['after'] as number };
    intervalJoined(table(L), table(R), spec, take);
  }
  return compareRows('all rows', expected, rows, orderOf(vector['ordered']));
}

/**
 * Kafka Streams: one record a step. Its time is the largest timestamp of both sides, which is fed as the watermark of both;
 * the grace is the allowed lateness. A record is kept until its whole segment of the store goes, which may be much later.
 */
export function kafkaJoin(vector: Json): Difference {
  const { type, before, after } = vector['join'] as { readonly type: string; readonly before: number; readonly after: number };
  const { left, right } = inputs();
  let out: Json[] = [];
  let time = -Infinity;
  const allowedLateness = vector['grace'] as number;
  const over = new Map<unknown, number>(); // when the interval and the grace of a value are over
  intervalJoined(left, right, { kind: kindOf(type), lower: -before, upper: after, allowedLateness }, (joined) => {
    const rows = [joined.left, joined.right];
    const key = rows.find((row) => row !== null)?.['key'];
    out.push({ key, values: rows.map((row) => cell(row, 'value')), timestamp: joined.timestamp });
  });
  for (const [i, step] of (vector['steps'] as ReadonlyArray<SidedStep>).entries()) {
    if (step.input !== undefined) {
      const { side, key, value, ts = 0 } = step.input;
      over.set(value, ts + (side === 'left' ? after : before) + allowedLateness);
      (side === 'left' ? left : right).next(keyedRecord({ key, value } as Row, ts, key as unknown));
      if (ts > time) {
        time = ts;
        for (const input of [left, right]) input.next(watermark(time));
      }
    }
    if (step.expect === undefined) continue;
    const kept = step.expect.flatMap(({ values }) => values as unknown[]).find((value) => (over.get(value) ?? time) < time);
    if (kept !== undefined) throw new NotExpressible(`a pair with ${kept}, whose interval and grace are over`);
    const difference = compareRows(`step ${i}`, step.expect, out, orderOf(vector['ordered']));
    if (difference !== undefined) return difference;
    out = [];
  }
  return undefined;
}

/** bytewax: a join in windows of all values of each side, at the end. */
export function bytewaxJoin(vector: Json): Difference {
  if (vector['insertMode'] !== 'product' || vector['emitMode'] !== 'final') {
    throw new NotExpressible(
      `a join of the ${vector['insertMode']} values, ${vector['emitMode']}: a value of one side replaces another`,
    );
  }
  const entries = vector['input'] as ReadonlyArray<Row>;
  const of = (side: string) =>
    fromElements(
      ...entries.filter((row) => row['side'] === side).map((row) => keyedRecord(row, row['ts'] as number, null as unknown)),
    );
  const rows: Json[] = [];
  windowJoined(of('left'), of('right'), vector['windowFn'] as WindowSpec, 'inner', ({ left, right }) =>
    rows.push({ left: cell(left, 'value'), right: cell(right, 'value') }),
  );
  return compareRows('all rows', vector['expect'] as ReadonlyArray<Json>, rows, orderOf(vector['ordered']));
}

/** Arroyo: a table with itself, each side with a delay of its own. */
export function arroyoJoin(vector: Json): Difference {
  const rows = vector['input'] as ReadonlyArray<Row>;
  const on = vector['on'] as string;
  const { delay } = vector['watermark'] as { readonly delay: { readonly left: number; readonly right: number } };
  const table = (by: number) =>
    tableOf(
      rows,
      by,
      (row) => row['ts'] as number,
      (row) => row[on],
    );
  const out: Json[] = [];
  windowJoined(table(delay.left), table(delay.right), vector['windowFn'] as WindowSpec, 'inner', ({ left, window }) =>
    out.push({ windowStart: window?.start, [on]: cell(left, on) }),
  );
  return compareRows('all rows', vector['expect'] as ReadonlyArray<Json>, out, orderOf(vector['ordered']));
}

/** The columns of RisingWave's join results, from both rows. */
const COLUMNS: Readonly<Record<string, (joined: Joined) => unknown>> = {
  l_id: ({ left }) => cell(left, 'id'),
  r_id: ({ right }) => cell(right, 'id'),
  l_ts: ({ left }) => cell(left, 'ts'),
  r_ts: ({ right }) => cell(right, 'ts'),
  l_num: ({ left }) => cell(left, 'num'),
  r_num: ({ right }) => cell(right, 'num'),
  ts: ({ left, right }) => cell(left ?? right, 'ts'),
  window_start: ({ window }) => window?.start,
  window_end: ({ window }) => window?.end,
};

/** RisingWave: what has come out in total after each group of rows. */
export function risingwaveJoin(vector: Json): Difference {
  const steps = vector['steps'] as ReadonlyArray<SidedStep>;
  const kind = kindOf(vector['type']);
  const columns = [...new Set(steps.flatMap(({ expectTotal = [] }) => expectTotal.flatMap((row) => Object.keys(row))))];
  const shown = (joined: Joined): Json => Object.fromEntries(columns.map((column) => [column, COLUMNS[column]?.(joined)]));
  const order = orderOf(vector['ordered']);
  const released = String(vector['operator']).includes('releaseBehindWatermark');

  if (vector['operator'] === 'windowJoin') {
    // without a watermark the total is that of a table that ends there
    const rows = (side: string) =>
      steps.flatMap(({ input }) => (input?.side === side && input.row !== undefined ? [input.row] : []));
    const on = vector['on'] as string;
    const table = (side: string) =>
      tableOf(
        rows(side),
        1e9,
        (row) => row['row_time'] as number,
        (row) => keyOf(row, on),
      );
    const out: Json[] = [];
    windowJoined(table('left'), table('right'), vector['windowFn'] as WindowSpec, kind, (joined) => out.push(shown(joined)));
    return compareRows('all rows', steps.at(-1)?.expectTotal ?? [], out, order);
  }

  const { delay } = vector['watermark'] as { readonly delay: number };
  const { left, right } = inputs();
  // rows meet at equal times, or the right one at any time before: for ever, as there
  const equal = vector['on'] === 'ts';
  const spec = { kind, lower: equal ? 0 : -1e9, upper: 0 };
  const out: Joined[] = [];
  let time = -Infinity;
  const sides = { left: -Infinity, right: -Infinity };
  // with a left join the pairs come at once there too; rows that remain alone do not occur in these cases
  intervalJoined(left, right, spec, (joined) => out.push(joined));
  for (const [i, { input, expectTotal, expectCount }] of steps.entries()) {
    if (input?.row !== undefined) {
      const ts = input.row['ts'] as number;
      // a row behind the watermark of its own input is dropped there, whatever the other one's
      if (ts >= sides[input.side]) {
        const to = input.side === 'left' ? left : right;
        to.next(keyedRecord(input.row, ts, equal ? ts : keyOf(input.row, 'id')));
        sides[input.side] = Math.max(sides[input.side], ts - delay);
        to.next(watermark(sides[input.side] - 1));
        time = Math.min(sides.left, sides.right);
      }
    }
    const total = (released ? out.filter(({ timestamp }) => timestamp < time) : out).map(shown);
    if (expectCount !== undefined && total.length !== expectCount)
      return `  step ${i}\n    expected ${expectCount} rows\n    actual   ${total.length}`;
    const difference = expectTotal === undefined ? undefined : compareRows(`step ${i}`, expectTotal, total, order);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

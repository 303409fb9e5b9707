import type { WindowResult } from 'tidemark';
import type { Json } from './json.js';
import { NotExpressible, NotYetSupported } from './outcome.js';
import type { Row } from './sqlAggregates.js';

/** What engines call the bounds and the key of a window result, one line each. */
const NAMES: Readonly<Record<string, (result: WindowResult<unknown, unknown>) => unknown>> = {
  key: ({ key }) => (key === undefined ? '*' : key),
  k: ({ key }) => key,
  window: ({ window }) => window,
  start: ({ window }) => window.start,
  end: ({ window }) => window.end,
  ws: ({ window }) => window.start,
  we: ({ window }) => window.end,
  wt: ({ window }) => window.end - 1,
  windowStart: ({ window }) => window.start,
  windowEnd: ({ window }) => window.end,
  window_start: ({ window }) => window.start,
  window_end: ({ window }) => window.end,
};

/** The columns that the rows of an expectation have. */
export function columnsIn(rows: ReadonlyArray<Json>): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** A window result under the names of the columns asked for; only names are translated. */
export function rowOf(result: WindowResult<Json, unknown>, columns: ReadonlyArray<string>, keyColumn?: string): Json {
  return Object.fromEntries(
    columns.map((column) => {
      const name = NAMES[column];
      if (name !== undefined) return [column, name(result)];
      if (column === keyColumn) return [column, result.key];
      if (column in result.value) return [column, result.value[column]];
      throw new NotYetSupported(`the column ${column}`);
    }),
  );
}

/** The column with the event time: the only one that holds ms since the epoch in every row. */
export function timeColumn(rows: ReadonlyArray<Row>): string {
  const epoch = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1e11;
  const columns = Object.keys(rows[0] ?? {}).filter((column) => rows.every((row) => epoch(row[column])));
  if (columns.length !== 1) throw new NotYetSupported(`rows whose time column is not clear (${columns.join(', ') || 'none'})`);
  return columns[0] as string;
}

/**
 * Refuses a case of an engine that drops every record behind its watermark, if the case has one whose window is still open:
 * an event-time toolkit keeps it. Times are in order of arrival, in the batches after which the watermark rises; a window is
 * open until the engine's watermark reaches its end.
 */
export function refuseBehindButOpen(
  batches: ReadonlyArray<ReadonlyArray<number>>,
  delay: number,
  lastEnd: (time: number) => number,
): void {
  let max = -Infinity;
  for (const times of batches) {
    const watermark = max - delay;
    for (const time of times) {
      if (time < watermark && lastEnd(time) > watermark) {
        throw new NotExpressible(`a record behind the watermark (${time} < ${watermark}) is dropped although its window is open`);
      }
      max = Math.max(max, time);
    }
  }
}

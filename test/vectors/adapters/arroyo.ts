import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { from } from 'rxjs';
import { assignWatermarks, boundedOutOfOrderness } from 'tidemark';
import { compareRows, orderOf } from '../compareRows.js';
import type { Json } from '../json.js';
import { type Difference, NotYetSupported } from '../outcome.js';
import { columnsIn, rowOf } from '../rows.js';
import { resultsOf } from '../run.js';
import { columnsOf, type Row, rowAggregate } from '../sqlAggregates.js';
import { type WindowSpec, windowOperators } from '../windows.js';

/** Replays Arroyo: the rows of a whole input. */
export function arroyo(vector: Json, folder: string): Difference {
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

import { from } from 'rxjs';
import { assignWatermarks, boundedOutOfOrdernessTimestampExtractor, type WindowResult } from 'tidemark';
import { compareRows } from '../compareRows.js';
import type { Json } from '../json.js';
import { type Difference, NotYetSupported } from '../outcome.js';
import { resultsOf } from '../run.js';
import { columnsOf, type Row, rowAggregate } from '../sqlAggregates.js';
import { type WindowSpec, windowOperators } from '../windows.js';
import type { FlinkCase } from './format.js';

/** The window table functions, one line each. */
const FUNCTIONS: Readonly<Record<string, (spec: Json) => WindowSpec>> = {
  TUMBLE: (spec) => ({ ...spec, kind: 'tumbling' }),
  HOP: (spec) => ({ ...spec, kind: 'sliding' }),
  CUMULATE: (spec) => ({ ...spec, kind: 'cumulative' }),
  SESSION: (spec) => ({ ...spec, kind: 'session' }),
};

/** Replays a query over a window table function: the rows are a set. */
export function sqlDifference(vector: FlinkCase): Difference {
  const { operator } = vector;
  const windows = FUNCTIONS[operator['tvf'] as string];
  if (windows === undefined) throw new NotYetSupported(`the window table function ${operator['tvf']}`);
  const keyed = operator['keyed'] !== false;
  const rows = vector.input.flatMap(({ record }): Row[] =>
    record === undefined ? [] : [{ k: record.key, v: record.value, ts: record.timestamp ?? record.time }],
  );
  const expected = vector.output.map((item) => item['row'] as Json);
  const aggregate = rowAggregate(columnsOf(operator['query'] as string));
  // SQL's `ts - INTERVAL` is the maximum less the delay, without a further 1: the old bounded extractor says exactly that
  const strategy = boundedOutOfOrdernessTimestampExtractor<Row>(
    operator['watermarkDelay'] as number,
    (row) => row['ts'] as number,
  );
  for (const operatorOf of windowOperators(windows(operator), aggregate, {})) {
    const actual = resultsOf(
      from(rows).pipe(
        assignWatermarks(strategy, { key: (row): unknown => (keyed ? row['k'] : undefined), interval: 'record' }),
        operatorOf(),
      ),
    ).map(({ key, window, value }: WindowResult<Json, unknown>) => ({ ...(keyed ? { key } : {}), window, ...value }));
    const difference = compareRows('all rows', expected, actual, 'set');
    if (difference !== undefined) return difference;
  }
  return undefined;
}

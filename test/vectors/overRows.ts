import {
  aggregates,
  assigners,
  processWindowBy,
  type TimeWindow,
  type WindowConfig,
  type Windowed,
  type WindowProcess,
} from 'tidemark';
import type { Json } from './json.js';
import type { Row } from './sqlAggregates.js';

/**
 * SQL's functions over the rows of a key in the order of their time: windows of 1 ms fire in that order, once the watermark
 * has reached their row, and what is known of the rows before is the state of the key. Rows of equal times keep the order
 * in which they came; late ones are dropped.
 *
 * @param onRow the rows that can be put out when this one has come: it, or some that waited for it.
 */
export function overRows<S>(
  create: () => S,
  onRow: (row: Row, state: S) => ReadonlyArray<Json>,
  config: WindowConfig<Row, unknown> = {},
): Windowed<Row, Json, unknown> {
  const process: WindowProcess<ReadonlyArray<Row>, Json, unknown, TimeWindow, undefined, S> = {
    keyState: create,
    onPane: (rows, _context, _windowState, state) => rows.flatMap((row) => onRow(row, state)),
  };
  return processWindowBy(assigners.tumbling(1), aggregates.collect<Row>(), process, config);
}

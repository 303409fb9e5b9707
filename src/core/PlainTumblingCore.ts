import type { StreamRecord } from '../element/element.js';
import type { AggregateSpec } from '../windows/aggregates/aggregate.js';
import type { Grid } from '../windows/grid.js';
import type { TimeWindow } from '../windows/result.js';
import { ON_TIME, TumblingCore } from './TumblingCore.js';
import { cellsOf, type OpenWindow, TumblingWindows } from './TumblingWindows.js';
import type { WindowCore, WindowOptions, WindowSink } from './WindowCore.js';

/** The leanest core that does what the options ask for. */
export function tumblingCore<A, K, R>(
  grid: Grid,
  options: WindowOptions<A, R>,
  sink: WindowSink<A, K, R, TimeWindow>,
): WindowCore<A, K> {
  const once = grid.kind === 'event' && options.allowedLateness === 0 && options.resultTime === 'end';
  return once ? new PlainTumblingCore(grid, options, sink) : new TumblingCore(grid, options, sink);
}

/**
 * Tumbling windows by event time that fire once and are gone, as nothing is accepted late: `TumblingCore` says the same (a
 * property proves it), with an object more for each window and key.
 *
 * States lie in the maps themselves. Records out of order go to and fro across the boundary between two windows, so the two
 * last ones are known without a lookup.
 */
class PlainTumblingCore<A, K, R, S> extends TumblingWindows<A, K, R, S> {
  readonly hold: number = Infinity;
  private readonly aggregate: AggregateSpec<A, R, S> = this.options.aggregate;
  private voids = false; // a state has been undefined: a key is asked for twice before it counts as new

  record(record: StreamRecord<A, K>): void {
    const { timestamp, key } = record;
    let open = this.latest;
    if (open === undefined || timestamp < open.start || timestamp >= open.end) {
      open = this.other;
      if (open === undefined || timestamp < open.start || timestamp >= open.end) open = this.windowOf(timestamp, record);
      if (open === undefined) return;
      this.other = this.latest;
      this.latest = open;
    }
    let { cells } = open;
    if (cells === null) {
      if (open.key === key) {
        open.cell = this.aggregate.add(open.cell as S, record.value, timestamp);
        return;
      }
      cells = this.several(open);
    }
    const before = cells.get(key);
    const fresh = before === undefined && !(this.voids && cells.has(key));
    const after = this.aggregate.add(fresh ? this.begin() : (before as S), record.value, timestamp);
    if (!fresh && after === before) return;
    cells.set(key, after);
    if (after === undefined) this.voids = true;
  }

  private several(open: OpenWindow<K, S>): Map<K, S> {
    if (open.cell === undefined) this.voids = true;
    return cellsOf(open);
  }

  protected begin(): S {
    return this.aggregate.create();
  }

  protected fire({ window, end, cells, key, cell }: OpenWindow<K, S>): void {
    if (cells === null) this.put(key as K, window, cell as S, end);
    else for (const [each, state] of cells) if (!this.sink.closed) this.put(each, window, state, end);
  }

  private put(key: K, window: TimeWindow, state: S, end: number): void {
    this.sink.result(key, window, this.aggregate.result(state), ON_TIME, end - 1, undefined);
  }
}

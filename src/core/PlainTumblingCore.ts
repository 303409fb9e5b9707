import type { Grid } from '../windows/grid.js';
import type { TimeWindow } from '../windows/result.js';
import { ON_TIME, TumblingCore } from './TumblingCore.js';
import { type OpenWindow, TumblingWindows } from './TumblingWindows.js';
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
class PlainTumblingCore<A, K, R, S> extends TumblingWindows<A, K, R, S, S> {
  readonly hold: number = Infinity;

  // Short, and what is rarer apart: what an engine puts in line with its caller costs no call and no element between them.
  record(value: A, timestamp: number, key: K): void {
    let open = this.latest;
    if (open === undefined || timestamp < open.start || timestamp >= open.end) {
      open = this.turnTo(value, timestamp, key);
      if (open === undefined) return;
    }
    const before = open.cells === null && open.key === key ? (open.cell as S) : this.cellOf(open, key);
    const after = this.aggregate.add(before, value, timestamp);
    if (after !== before) this.keep(open, key, after);
  }

  /** Another window than that of the record before; undefined if the record is late for it. */
  private turnTo(value: A, timestamp: number, key: K): OpenWindow<K, S> | undefined {
    let open = this.other;
    if (open === undefined || timestamp < open.start || timestamp >= open.end) {
      open = this.windowOf(timestamp, value, timestamp, key);
      if (open === undefined) return undefined;
    }
    this.other = this.latest;
    this.latest = open;
    return open;
  }

  private keep(open: OpenWindow<K, S>, key: K, state: S): void {
    if (state === undefined) this.voids = true;
    if (open.cells === null) open.cell = state;
    else open.cells.set(key, state);
  }

  protected begin(): S {
    return this.aggregate.create();
  }

  protected put(key: K, window: TimeWindow, state: S): void {
    this.sink.result(key, window, this.aggregate.result(state), ON_TIME, window.end - 1, undefined);
  }
}

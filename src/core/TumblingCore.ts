import type { Grid } from '../windows/grid.js';
import type { Pane, TimeWindow } from '../windows/result.js';
import { type Held, Holds } from './Holds.js';
import { TumblingWindows } from './TumblingWindows.js';
import type { WindowOptions, WindowSink } from './WindowCore.js';

/** The fold of one key in one window. */
interface Cell<S> extends Held {
  state: S;
  /** How often it has fired. */
  fires: number;
  /** The firing that the next one withdraws, where panes are retracting. (Fields that only some need are added when they do: cells are many.) */
  before?: { readonly value: unknown; readonly pane: Pane };
}

/** The pane of the first firing, on time. */
export const ON_TIME: Pane = { index: 0, onTimeIndex: 0, timing: 'onTime', last: false, retraction: false };

/**
 * Tumbling windows under the default trigger: the plain `GeneralCore` says the same (a property proves it), at twice
 * the cost.
 */
export class TumblingCore<A, K, R, S> extends TumblingWindows<A, K, R, S, Cell<S>> {
  private readonly stamping: boolean;
  private readonly holds: Holds<Cell<S>>;

  constructor(grid: Grid, options: WindowOptions<A, R>, sink: WindowSink<A, K, R, TimeWindow>) {
    super(grid, options, sink);
    this.stamping = options.resultTime !== 'end';
    this.holds = new Holds(options.resultTime === 'latest');
  }

  record(value: A, timestamp: number, key: K): void {
    const time = this.byClock ? this.sink.now() : timestamp;
    let open = this.latest;
    if (open === undefined || time < open.start || time >= open.end) {
      open = this.windowOf(time, value, timestamp, key);
      if (open === undefined) return;
      this.latest = open;
    }
    const cell = open.cells === null && open.key === key ? (open.cell as Cell<S>) : this.cellOf(open, key);
    cell.state = this.aggregate.add(cell.state, value, timestamp);
    if (this.stamping && timestamp > this.time) this.holds.stamp(cell, timestamp);
    if (open.fired) this.put(key, open.window, cell, true);
  }

  protected begin(): Cell<S> {
    return { state: this.aggregate.create(), fires: 0 };
  }

  protected put(key: K, window: TimeWindow, cell: Cell<S>, fired: boolean): void {
    const { aggregate, sink } = this;
    const { panes } = this.options;
    const index = cell.fires++;
    const value = aggregate.result(cell.state);
    if (panes === 'discarding') cell.state = aggregate.create();
    const pane: Pane = fired ? { ...ON_TIME, index, onTimeIndex: index, timing: 'late' } : ON_TIME;
    const at = cell.stamp ?? window.end - 1;
    if (this.stamping) {
      cell.released = true;
      if (panes === 'discarding') cell.stamp = undefined; // the next pane has the time of its own records
    }
    if (panes === 'retracting') {
      const { before } = cell;
      cell.before = { value, pane };
      if (before !== undefined) {
        sink.result(key, window, before.value as R, { ...before.pane, retraction: true }, at, undefined);
        if (sink.closed) return;
      }
    }
    sink.result(key, window, value, pane, at, undefined);
  }

  get hold(): number {
    return this.holds.next;
  }
}

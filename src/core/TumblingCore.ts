import { MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamRecord } from '../element/element.js';
import { MissingTimestampError } from '../element/errors.js';
import { windowStart } from '../time/windowStart.js';
import type { AggregateSpec } from '../windows/aggregates/aggregate.js';
import type { Grid } from '../windows/grid.js';
import type { Pane, TimeWindow } from '../windows/result.js';
import { type Held, Holds } from './Holds.js';
import { TimerQueue } from './TimerQueue.js';
import type { WindowCore, WindowOptions, WindowSink } from './WindowCore.js';

/** The fold of one key in one window. */
interface Cell<S> {
  state: S;
  /** How often it has fired. */
  fires: number;
}

/** A cell with what retracting panes and result times of the records' own need besides. */
interface LongCell<S> extends Cell<S>, Held {
  /** The result that the next firing withdraws. */
  value: unknown;
  pane: Pane;
}

/** One window of all keys, in the order of their first appearance. */
interface OpenWindow<K, S> {
  readonly window: TimeWindow;
  readonly cells: Map<K, Cell<S>>;
  /** The watermark has reached its end: from now on each record fires. */
  fired: boolean;
}

const ON_TIME: Pane = { index: 0, onTimeIndex: 0, timing: 'onTime', last: false, retraction: false };

/**
 * Tumbling windows under the default trigger: the plain `GeneralCore` says the same (a property proves it), at several
 * times the cost.
 *
 * Windows outside, keys inside: a record costs two lookups, or one while it stays in the window of the record before it;
 * a watermark costs one comparison until a window is due, and closing a window never looks at another one.
 *
 * By processing time the clock stands in for both the record's time and the watermark, and nothing is ever late.
 */
export class TumblingCore<A, K, R, S> implements WindowCore<A, K> {
  private time = MIN_TIMESTAMP; // the watermark, or what the clock last told
  private readonly open = new Map<number, OpenWindow<K, S>>(); // by end
  private readonly due = new TimerQueue<OpenWindow<K, S>>(); // at end − 1 to fire, then at end − 1 + lateness to go
  private latest: OpenWindow<K, S> | undefined; // of the record before
  private readonly size: number;
  private readonly offset: number;
  private readonly byClock: boolean;
  private readonly lateness: number;
  private readonly aggregate: AggregateSpec<A, R, S>;
  private readonly long: boolean; // cells are `LongCell`s
  private readonly holds: Holds<LongCell<S>>;

  constructor(
    grid: Grid,
    private readonly options: WindowOptions<A, R>,
    private readonly sink: WindowSink<A, K, R, TimeWindow>,
  ) {
    this.size = grid.size;
    this.offset = grid.offset;
    this.byClock = grid.kind === 'processing';
    this.lateness = this.byClock ? 0 : options.allowedLateness;
    this.aggregate = options.aggregate;
    this.long = options.panes === 'retracting' || options.resultTime !== 'end';
    this.holds = new Holds(options.resultTime === 'latest');
  }

  record(record: StreamRecord<A, K>): void {
    const { timestamp, key } = record;
    const end = windowStart(this.byClock ? this.sink.now() : timestamp, this.size, this.offset) + this.size;
    let open = this.latest;
    if (open === undefined || open.window.end !== end) {
      open = this.open.get(end) ?? this.begin(end, record);
      if (open === undefined) return;
      this.latest = open;
    }
    let cell = open.cells.get(key);
    if (cell === undefined) {
      cell = this.cell();
      open.cells.set(key, cell);
    }
    cell.state = this.aggregate.add(cell.state, record.value, timestamp);
    if (this.long && this.options.resultTime !== 'end' && timestamp > this.time) this.holds.stamp(cell as LongCell<S>, timestamp);
    if (open.fired) this.put(open.window, key, cell, true);
  }

  /** A new window; undefined if the record is late for it. */
  private begin(end: number, record: StreamRecord<A, K>): OpenWindow<K, S> | undefined {
    const last = end - 1;
    let fired = false;
    if (!this.byClock) {
      // the end of a window that a record without a time would be in is no number
      if (!Number.isFinite(end)) throw new MissingTimestampError(this.options.name, record.timestamp, record.value);
      if (last + this.lateness <= this.time) {
        this.sink.late(record);
        return undefined;
      }
      fired = last <= this.time; // within the lateness: its first record fires it
    }
    const open: OpenWindow<K, S> = { window: { start: end - this.size, end }, cells: new Map(), fired };
    this.open.set(end, open);
    this.due.add(fired ? last + this.lateness : last, open);
    return open;
  }

  private cell(): Cell<S> {
    const state = this.aggregate.create();
    if (!this.long) return { state, fires: 0 };
    const cell: LongCell<S> = { state, fires: 0, value: undefined, pane: ON_TIME, stamp: NaN, released: false };
    return cell;
  }

  private put(window: TimeWindow, key: K, cell: Cell<S>, late: boolean): void {
    const index = cell.fires++;
    const value = this.aggregate.result(cell.state);
    if (this.options.panes === 'discarding') cell.state = this.aggregate.create();
    const pane: Pane = late ? { index, onTimeIndex: index, timing: 'late', last: false, retraction: false } : ON_TIME;
    if (this.long) this.putLong(window, key, cell as LongCell<S>, value, pane);
    else this.sink.result(key, window, value, pane, window.end - 1, undefined);
  }

  private putLong(window: TimeWindow, key: K, cell: LongCell<S>, value: R, pane: Pane): void {
    const at = Number.isNaN(cell.stamp) ? window.end - 1 : cell.stamp;
    const { value: old, pane: oldPane } = cell;
    cell.released = true;
    cell.value = value;
    cell.pane = pane;
    if (this.options.panes === 'discarding') cell.stamp = NaN; // the next pane has the time of its own records
    if (this.options.panes === 'retracting' && pane.index > 0) {
      this.sink.result(key, window, old as R, { ...oldPane, retraction: true }, at, undefined);
      if (this.sink.closed) return;
    }
    this.sink.result(key, window, value, pane, at, undefined);
  }

  watermark(time: number): void {
    if (!this.byClock) this.advance(time);
  }
  clock(time: number): void {
    if (this.byClock) this.advance(time);
  }
  /** Processing-time windows fire when the stream ends (W9). */
  end(): void {
    this.clock(MAX_TIMESTAMP);
  }
  get nextTimer(): number {
    return this.byClock ? this.due.next : Infinity;
  }
  get hold(): number {
    return this.holds.next;
  }
  get openWindows(): number {
    let n = 0;
    for (const open of this.open.values()) n += open.cells.size;
    return n;
  }

  private advance(time: number): void {
    this.time = time;
    for (let windows = this.due.take(time); windows !== undefined; windows = this.due.take(time)) {
      for (const open of windows) {
        const { window, cells, fired } = open;
        if (fired) {
          this.open.delete(window.end);
          if (this.latest === open) this.latest = undefined;
          continue;
        }
        open.fired = true;
        for (const [key, cell] of cells) {
          this.put(window, key, cell, false);
          if (this.sink.closed) return;
        }
        this.due.add(window.end - 1 + this.lateness, open);
      }
    }
  }
}

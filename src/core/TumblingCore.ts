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
interface Cell<S> extends Held {
  state: S;
  /** How often it has fired. */
  fires: number;
  /** The firing that the next one withdraws, where panes are retracting. (Fields that only some need are added when they do: cells are many.) */
  before?: { readonly value: unknown; readonly pane: Pane };
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
  private readonly byClock: boolean;
  private readonly lateness: number;
  private readonly aggregate: AggregateSpec<A, R, S>;
  private readonly stamping: boolean;
  private readonly holds: Holds<Cell<S>>;

  constructor(
    private readonly grid: Grid,
    private readonly options: WindowOptions<A, R>,
    private readonly sink: WindowSink<A, K, R, TimeWindow>,
  ) {
    const { aggregate, resultTime } = options;
    this.byClock = grid.kind === 'processing';
    this.lateness = this.byClock ? 0 : options.allowedLateness;
    this.aggregate = aggregate;
    this.stamping = resultTime !== 'end';
    this.holds = new Holds(resultTime === 'latest');
  }

  record(record: StreamRecord<A, K>): void {
    const { timestamp, key } = record;
    const time = this.byClock ? this.sink.now() : timestamp;
    let open = this.latest;
    if (open === undefined || time < open.window.start || time >= open.window.end) {
      open = this.windowOf(time, record);
      if (open === undefined) return;
      this.latest = open;
    }
    let cell = open.cells.get(key);
    if (cell === undefined) {
      cell = { state: this.aggregate.create(), fires: 0 };
      open.cells.set(key, cell);
    }
    cell.state = this.aggregate.add(cell.state, record.value, timestamp);
    if (this.stamping && timestamp > this.time) this.holds.stamp(cell, timestamp);
    if (open.fired) this.put(open, key, cell);
  }

  /** The window of a time, new or not; undefined if the record is late for it. */
  private windowOf(time: number, record: StreamRecord<A, K>): OpenWindow<K, S> | undefined {
    const { size, offset } = this.grid;
    const start = windowStart(time, size, offset);
    const end = start + size;
    const known = this.open.get(end);
    if (known !== undefined) return known;
    // the end of a window that a record without a time would be in is no number
    if (!Number.isFinite(end)) throw new MissingTimestampError(this.options.name, time, record.value);
    const reached = this.byClock ? MIN_TIMESTAMP : this.time;
    const gone = end - 1 + this.lateness;
    if (gone <= reached) {
      this.sink.late(record);
      return undefined;
    }
    const fired = end - 1 <= reached; // within the lateness: its first record fires it
    const open: OpenWindow<K, S> = { window: { start, end }, cells: new Map(), fired };
    this.open.set(end, open);
    this.due.add(fired ? gone : end - 1, open);
    return open;
  }

  private put({ window, fired }: OpenWindow<K, S>, key: K, cell: Cell<S>): void {
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
    for (const { cells } of this.open.values()) n += cells.size;
    return n;
  }

  private advance(time: number): void {
    this.time = time;
    for (let windows = this.due.take(time); windows !== undefined; windows = this.due.take(time)) {
      for (const open of windows) {
        const { end } = open.window;
        if (open.fired) {
          this.open.delete(end);
          if (this.latest === open) this.latest = undefined;
        } else {
          for (const [key, cell] of open.cells) {
            this.put(open, key, cell);
            if (this.sink.closed) return;
          }
          open.fired = true;
          this.due.add(end - 1 + this.lateness, open);
        }
      }
    }
  }
}

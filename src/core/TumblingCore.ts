import { MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamRecord } from '../element/element.js';
import { MissingTimestampError } from '../element/errors.js';
import { windowStart } from '../time/windowStart.js';
import type { Aggregate } from '../windows/aggregates/aggregate.js';
import type { TumblingAssigner } from '../windows/assigners/tumbling.js';
import type { Pane, TimeWindow } from '../windows/result.js';
import { TimerQueue } from './TimerQueue.js';
import type { WindowCore, WindowOptions, WindowSink } from './WindowCore.js';

/** The fold of one key in one window. */
interface Cell<S> {
  state: S;
  /** How often it has fired. */
  fires: number;
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
  private latest: OpenWindow<K, S> | null = null; // of the record before
  private readonly aggregate: Aggregate<A, R, S>;
  private readonly lateness: number;
  private readonly discarding: boolean;
  private readonly size: number;
  private readonly offset: number;
  private readonly byClock: boolean;

  constructor(
    assigner: TumblingAssigner,
    private readonly options: WindowOptions<A, R>,
    private readonly sink: WindowSink<A, K, R, TimeWindow>,
  ) {
    this.size = assigner.size;
    this.offset = assigner.offset;
    this.byClock = assigner.kind === 'processing';
    this.aggregate = options.aggregate;
    this.lateness = this.byClock ? 0 : options.allowedLateness;
    this.discarding = options.panes === 'discarding';
  }

  get openWindows(): number {
    let n = 0;
    for (const window of this.open.values()) n += window.cells.size;
    return n;
  }

  record(record: StreamRecord<A, K>): void {
    const { timestamp, key } = record;
    const at = this.byClock ? this.sink.now() : timestamp;
    const end = windowStart(at, this.size, this.offset) + this.size;
    let open = this.latest;
    if (open === null || open.window.end !== end) {
      const found = this.open.get(end) ?? this.openAt(end, record);
      if (found === undefined) return;
      open = this.latest = found;
    }
    let cell = open.cells.get(key);
    if (cell === undefined) {
      cell = { state: this.aggregate.create(), fires: 0 };
      open.cells.set(key, cell);
    }
    cell.state = this.aggregate.add(cell.state, record.value, timestamp);
    if (open.fired) this.fireLate(open.window, key, cell);
  }

  /** The window that ends at `end`, new; undefined if the record is late for it. */
  private openAt(end: number, record: StreamRecord<A, K>): OpenWindow<K, S> | undefined {
    const { timestamp } = record;
    if (this.byClock) return this.addWindow(end, false, end - 1);
    if (timestamp === MIN_TIMESTAMP || timestamp === MAX_TIMESTAMP) {
      throw new MissingTimestampError(this.options.name, timestamp, record.value);
    }
    if (end - 1 + this.lateness <= this.time) {
      this.sink.late(record);
      return undefined;
    }
    const fired = end - 1 <= this.time; // within the lateness: its first record fires it
    return this.addWindow(end, fired, fired ? end - 1 + this.lateness : end - 1);
  }

  private addWindow(end: number, fired: boolean, due: number): OpenWindow<K, S> {
    const open: OpenWindow<K, S> = { window: { start: end - this.size, end }, cells: new Map(), fired };
    this.open.set(end, open);
    this.due.add(due, open);
    return open;
  }

  private fireLate(window: TimeWindow, key: K, cell: Cell<S>): void {
    const index = cell.fires++;
    const value = this.aggregate.result(cell.state);
    if (this.discarding) cell.state = this.aggregate.create();
    this.sink.result(
      key,
      window,
      value,
      { index, onTimeIndex: index, timing: 'late', last: false, retraction: false },
      window.end - 1,
    );
  }

  get nextTimer(): number {
    return this.byClock ? this.due.next : Infinity;
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

  private advance(time: number): void {
    this.time = time;
    if (this.due.next > time) return;
    for (let windows = this.due.take(time); windows !== undefined; windows = this.due.take(time)) {
      for (const open of windows) {
        if (open.fired) this.close(open);
        else this.fire(open);
        if (this.sink.closed) return;
      }
    }
  }

  private fire(open: OpenWindow<K, S>): void {
    const { window, cells } = open;
    const { sink, aggregate } = this;
    const timestamp = window.end - 1;
    const keep = timestamp + this.lateness > this.time;
    open.fired = true;
    if (!keep) this.close(open);
    for (const [key, cell] of cells) {
      const value = aggregate.result(cell.state);
      if (keep) {
        cell.fires = 1;
        if (this.discarding) cell.state = aggregate.create();
      }
      sink.result(key, window, value, ON_TIME, timestamp);
      if (sink.closed) return;
    }
    if (keep) this.due.add(timestamp + this.lateness, open);
  }

  private close(open: OpenWindow<K, S>): void {
    this.open.delete(open.window.end);
    if (this.latest === open) this.latest = null;
  }
}

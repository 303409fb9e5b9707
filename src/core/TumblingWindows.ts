import { MAX_TIMESTAMP, MIN_TIMESTAMP } from '../element/element.js';
import { MissingTimestampError } from '../element/errors.js';
import { windowStart } from '../time/windowStart.js';
import type { AggregateSpec } from '../windows/aggregates/aggregate.js';
import type { Grid } from '../windows/grid.js';
import type { TimeWindow } from '../windows/result.js';
import { TimerQueue } from './TimerQueue.js';
import type { WindowCore, WindowOptions, WindowSink } from './WindowCore.js';

/** One window of all keys, in the order of their first appearance. */
export interface OpenWindow<K, C> {
  readonly start: number;
  readonly end: number;
  /** What results say of it. */
  readonly window: TimeWindow;
  /** What each key holds; null as long as there is only one, which streams without keys have: it needs no lookup. */
  cells: Map<K, C> | null;
  /** The only key, and what it holds. */
  key: K | undefined;
  cell: C | undefined;
  /** The watermark has reached its end: from now on each record fires. */
  fired: boolean;
}

/**
 * Which tumbling windows are open, and when they fire and go: the half that both cores share.
 *
 * Windows outside, keys inside: a record costs two lookups, or one while it stays in the window of the record before it;
 * a watermark costs one comparison until a window is due, and closing a window never looks at another one.
 *
 * By processing time the clock stands in for both the record's time and the watermark, and nothing is ever late.
 */
export abstract class TumblingWindows<A, K, R, S, C> implements WindowCore<A, K> {
  protected time: number = MIN_TIMESTAMP; // the watermark, or what the clock last told
  protected latest: OpenWindow<K, C> | undefined = undefined; // of the record before
  protected other: OpenWindow<K, C> | undefined = undefined; // the one before that
  protected voids = false; // a key holds undefined: from now on one for which nothing is found is asked for again
  protected readonly byClock: boolean;
  protected readonly aggregate: AggregateSpec<A, R, S>;
  private readonly open = new Map<number, OpenWindow<K, C>>(); // by end
  private readonly due = new TimerQueue<OpenWindow<K, C>>(); // at end − 1 to fire, then at end − 1 + lateness to go
  private readonly lateness: number;

  constructor(
    private readonly grid: Grid,
    protected readonly options: WindowOptions<A, R>,
    protected readonly sink: WindowSink<A, K, R, TimeWindow>,
  ) {
    this.byClock = grid.kind === 'processing';
    this.aggregate = options.aggregate;
    this.lateness = this.byClock ? 0 : options.allowedLateness;
  }

  abstract record(value: A, timestamp: number, key: K): void;
  /** What a key holds before its first record. */
  protected abstract begin(): C;
  /** What a key holds in a window comes out. (All it needs is handed over: many keys fire at once.) */
  protected abstract put(key: K, window: TimeWindow, cell: C, fired: boolean): void;
  abstract readonly hold: number;

  /** The window of a time, new or not; undefined if the record, which may have another one, is late for it. */
  protected windowOf(time: number, value: A, timestamp: number, key: K): OpenWindow<K, C> | undefined {
    const { size, offset } = this.grid;
    const start = windowStart(time, size, offset);
    const end = start + size;
    const known = this.open.get(end);
    if (known !== undefined) return known;
    // the end of a window that a record without a time would be in is no number
    if (!Number.isFinite(end)) throw new MissingTimestampError(this.options.name, time, value);
    const reached = this.byClock ? MIN_TIMESTAMP : this.time;
    const gone = end - 1 + this.lateness;
    if (gone <= reached) {
      this.sink.late(value, timestamp, key);
      return undefined;
    }
    const fired = end - 1 <= reached; // within the lateness: its first record fires it
    const window = { start, end };
    const open: OpenWindow<K, C> = { start, end, window, cells: null, key, cell: this.begin(), fired };
    this.open.set(end, open);
    this.due.add(fired ? gone : end - 1, open);
    return open;
  }

  /** What a key holds in a window, if it is not the only one. */
  protected cellOf(open: OpenWindow<K, C>, key: K): C {
    const cells = open.cells ?? this.several(open);
    const cell = cells.get(key);
    return cell === undefined ? this.undefinedOrNew(cells, key) : cell;
  }

  /** A window gets a second key. */
  private several(open: OpenWindow<K, C>): Map<K, C> {
    if (open.cell === undefined) this.voids = true;
    open.cells = new Map<K, C>().set(open.key as K, open.cell as C);
    open.key = open.cell = undefined;
    return open.cells;
  }

  private undefinedOrNew(cells: Map<K, C>, key: K): C {
    if (this.voids && cells.has(key)) return undefined as C;
    const cell = this.begin();
    cells.set(key, cell);
    return cell;
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

  /** What is in a window comes out, until nobody listens any more. */
  private fire(open: OpenWindow<K, C>): void {
    const { window, fired, cells, key, cell } = open;
    if (cells === null) this.put(key as K, window, cell as C, fired);
    else for (const [each, its] of cells) if (!this.sink.closed) this.put(each, window, its, fired);
  }

  private advance(time: number): void {
    this.time = time;
    for (let windows = this.due.take(time); windows !== undefined; windows = this.due.take(time)) {
      this.latest = this.other = undefined;
      for (const open of windows) {
        if (open.fired) {
          this.open.delete(open.end);
        } else {
          this.fire(open);
          if (this.sink.closed) return;
          open.fired = true;
          this.due.add(open.end - 1 + this.lateness, open);
        }
      }
    }
  }
}

import { MIN_TIMESTAMP, type StreamRecord } from '../element/element.js';
import { MissingTimestampError } from '../element/errors.js';
import { windowStart } from '../time/windowStart.js';
import type { AggregateSpec } from '../windows/aggregates/aggregate.js';
import type { Grid } from '../windows/grid.js';
import type { Pane, TimeWindow } from '../windows/result.js';
import { TimerQueue } from './TimerQueue.js';
import { TumblingCore } from './TumblingCore.js';
import type { WindowCore, WindowOptions, WindowSink } from './WindowCore.js';

/** One window of all keys, in the order of their first appearance. */
interface OpenWindow<K, S> {
  readonly start: number;
  readonly end: number;
  readonly states: Map<K, S>;
}

const ONLY: Pane = { index: 0, onTimeIndex: 0, timing: 'onTime', last: false, retraction: false };

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
class PlainTumblingCore<A, K, R, S> implements WindowCore<A, K> {
  readonly nextTimer: number = Infinity;
  readonly hold: number = Infinity;
  private time = MIN_TIMESTAMP;
  private readonly open = new Map<number, OpenWindow<K, S>>(); // by end
  private readonly due = new TimerQueue<OpenWindow<K, S>>(); // at end − 1
  private latest: OpenWindow<K, S> | undefined; // of the record before
  private other: OpenWindow<K, S> | undefined; // the one before that
  private readonly aggregate: AggregateSpec<A, R, S>;

  constructor(
    private readonly grid: Grid,
    private readonly options: WindowOptions<A, R>,
    private readonly sink: WindowSink<A, K, R, TimeWindow>,
  ) {
    this.aggregate = options.aggregate;
  }

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
    const before = open.states.get(key);
    const fresh = before === undefined && !open.states.has(key); // a state may be undefined
    const after = this.aggregate.add(fresh ? this.aggregate.create() : (before as S), record.value, timestamp);
    if (fresh || after !== before) open.states.set(key, after);
  }

  /** The window of a time, new or not; undefined if the record is late for it. */
  private windowOf(time: number, record: StreamRecord<A, K>): OpenWindow<K, S> | undefined {
    const { size, offset } = this.grid;
    const start = windowStart(time, size, offset);
    const end = start + size;
    let open = this.open.get(end);
    if (open !== undefined) return open;
    // the end of a window that a record without a time would be in is no number
    if (!Number.isFinite(end)) throw new MissingTimestampError(this.options.name, time, record.value);
    if (end - 1 <= this.time) {
      this.sink.late(record);
      return undefined;
    }
    open = { start, end, states: new Map() };
    this.open.set(end, open);
    this.due.add(end - 1, open);
    return open;
  }

  watermark(time: number): void {
    this.time = time;
    if (time < this.due.next) return;
    this.latest = this.other = undefined;
    for (let windows = this.due.take(time); windows !== undefined; windows = this.due.take(time)) {
      for (const open of windows) {
        this.fire(open);
        if (this.sink.closed) return;
        this.open.delete(open.end);
      }
    }
  }

  private fire({ start, end, states }: OpenWindow<K, S>): void {
    const { aggregate, sink } = this;
    const window = { start, end };
    for (const [key, state] of states) {
      sink.result(key, window, aggregate.result(state), ONLY, end - 1, undefined);
      if (sink.closed) return;
    }
  }

  get openWindows(): number {
    let n = 0;
    for (const { states } of this.open.values()) n += states.size;
    return n;
  }
  clock(_time: number): void {}
  end(): void {} // the final watermark has fired all
}

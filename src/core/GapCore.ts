import { TidemarkError } from '../element/errors.js';
import type { Pane, TimeWindow, WindowResult } from '../windows/result.js';
import { TimerQueue } from './TimerQueue.js';
import { drop, insert } from './times.js';

/**
 * A window is not where one was expected: its stream has windows that do not lie on one grid, such as sessions.
 *
 * @category windows
 * @since 0.1.0
 */
export class OffGridError extends TidemarkError {
  readonly _tag = 'OffGrid';
  constructor(
    /** The end of the window, ms. */
    readonly end: number,
    /** The window that was expected there or after it. */
    readonly expected: TimeWindow,
  ) {
    const where = `[${expected.start}, ${expected.end})`;
    super(`fillGaps: a window ends at ${end}, where ${where} was expected; give the step from one window to the next`);
  }
}

/** Where a gap core puts what comes out. */
export interface GapSink<R, K, E> {
  /** Nobody listens any more: stop filling. */
  readonly closed: boolean;
  /** What stands in for a window without records; `last` is the key's last result before it. */
  empty(key: K, window: TimeWindow, last: R): E;
  filler(result: WindowResult<E, K>): void;
}

/** The windows of a key, as far as they are known. */
interface Track<R, K> {
  readonly key: K;
  /** The window whose end is waited for. */
  next: TimeWindow;
  /** The results of it and of later ones that have come already (early panes), by end. */
  readonly here: Map<number, R>;
  /** Their ends, the earliest first. */
  readonly ends: number[];
  /** Of the latest window that had one. */
  last: R;
  /** How many in a row had none; −1 while the first window is waited for, as an earlier one may turn up. */
  filled: number;
}

/**
 * Which windows had no records, from the first result of a key to the watermark: a plain state machine.
 *
 * Each key waits for the end of one window, in a queue grouped by ends, so that the gaps of all keys come in order of time.
 */
export class GapCore<R, K, E> {
  private readonly tracks = new Map<K, Track<R, K>>();
  private readonly queue = new TimerQueue<Track<R, K>>(); // by the end of the window that is waited for
  private latest = -Infinity; // end of all windows
  private time = -Infinity; // the watermark

  constructor(
    private readonly after: (window: TimeWindow) => TimeWindow,
    private readonly limit: number,
    private readonly sink: GapSink<R, K, E>,
  ) {}

  /** How many keys are followed. */
  get keys(): number {
    return this.tracks.size;
  }

  /** A result is about to pass: if it is on time, all windows that end before its own are over. */
  before({ window, pane }: WindowResult<R, K>): void {
    if (pane.timing === 'onTime') this.fill(window.end - 1);
  }

  /** It has passed. */
  result({ key, window, value, pane }: WindowResult<R, K>): void {
    const { end } = window;
    if (!Number.isFinite(end)) return; // a window without end has none after it
    if (end > this.latest) this.latest = end;
    let track = this.tracks.get(key);
    if (track === undefined) {
      track = { key, next: window, here: new Map(), ends: [], last: value, filled: -1 };
      this.tracks.set(key, track);
      this.queue.add(end, track);
    }
    if (track.filled < 0 && end < track.next.end) {
      // an early pane of a later window came first
      track.next = window;
      this.queue.add(end, track);
    }
    const { next } = track;
    // before a result on time all that ends before it has been filled
    if (end === next.end ? window.start !== next.start : end < next.end && pane.timing === 'onTime') {
      throw new OffGridError(end, next);
    }
    if (!pane.retraction) {
      if (end >= track.next.end) {
        track.here.set(end, value);
        insert(track.ends, end);
      }
      // a late pane of the window before
      else if (track.filled === 0 && this.after(window).end === track.next.end) track.last = value;
    }
    this.fill(this.time + 1); // a key that begins late has its gaps behind it
  }

  /** The watermark rises to `time`: all windows that end by then are over. */
  watermark(time: number): void {
    this.fill(time + 1);
    this.time = time;
  }

  /** Nothing follows: all keys are filled up to the last window of any. */
  end(): void {
    this.fill(this.latest);
  }

  private fill(limit: number): void {
    for (
      let at = this.queue.next, due = this.queue.take(limit);
      due !== undefined;
      at = this.queue.next, due = this.queue.take(limit)
    ) {
      for (const track of due) {
        if (track.next.end !== at) continue; // an earlier window has turned up, or this one has been waited for twice
        this.advance(track);
        if (this.sink.closed) return;
      }
    }
  }

  private advance(track: Track<R, K>): void {
    const { key, next, here } = track;
    const { end } = next;
    if (here.has(end)) {
      track.last = here.get(end) as R;
      track.filled = 0;
      here.delete(end);
      drop(track.ends, end);
    } else if (track.filled === this.limit) {
      this.tracks.delete(key);
      return;
    } else {
      track.filled = Math.max(track.filled, 0) + 1;
      const value = this.sink.empty(key, next, track.last);
      this.sink.filler({ key, window: next, value, pane: end - 1 <= this.time ? LATE : ON_TIME });
    }
    const follows = this.after(next);
    if (!(follows.end > end)) throw new OffGridError(follows.end, next);
    const [early = Infinity] = track.ends;
    if (early < follows.end) throw new OffGridError(early, follows);
    track.next = follows;
    this.queue.add(follows.end, track);
  }
}

const ON_TIME: Pane = { index: 0, onTimeIndex: 0, timing: 'onTime', last: false, retraction: false };
const LATE: Pane = { index: 0, onTimeIndex: 0, timing: 'late', last: false, retraction: false };

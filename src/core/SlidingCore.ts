import { MIN_TIMESTAMP } from '../element/element.js';
import { MissingTimestampError } from '../element/errors.js';
import { onward } from '../time/onward.js';
import { windowStart } from '../time/windowStart.js';
import type { MergeableAggregateSpec } from '../windows/aggregates/aggregate.js';
import type { Grid } from '../windows/grid.js';
import type { Pane, TimeWindow } from '../windows/result.js';
import { type Cell, type KeyChain, type LongCell, type Slice, SlidingFold } from './SlidingFold.js';
import { TimerQueue } from './TimerQueue.js';
import type { WindowCore, WindowOptions, WindowSink } from './WindowCore.js';

/** How many slices are found without asking a map. */
const RECENT = 16;

const ON_TIME: Pane = { index: 0, onTimeIndex: 0, timing: 'onTime', last: false, retraction: false };

/** The grid of sliding windows: `size` is that of a window, which may be no multiple of `slide`, or less. */
export interface SlidingGrid extends Grid {
  /** ms. */
  readonly slide: number;
}

/**
 * Sliding windows by event time under the default trigger, for aggregates whose order of merging does not matter: windows
 * that overlap share what they have in common.
 *
 * Time is cut where windows start and where they end: one slice a slide, or two if the size is no multiple of it. (The
 * panes of rule V1; never more of them than of gcd(size, slide) ms, and never shorter.) A record goes into one slice. When
 * a window fires, the slices that it has and the window before had not enter the running folds of their keys, and those
 * that the next one has not leave them, so a record costs about what it does in a tumbling window.
 *
 * The order of results of the same end: keys by the oldest slice of the window that they are in, then by their first
 * appearance in that slice. (`GeneralCore`: by first appearance in the window. The two differ only where records of
 * different slices arrive out of order.) To have it without looking through the slices of a window each time, each
 * slice lists the keys that have their oldest records of the window in it, and hands them on when it leaves.
 *
 * A record behind the watermark costs a walk over the slices of its key between its own and the latest; one that fires
 * windows again, a walk over those of these windows.
 */
export class SlidingCore<A, K, R, S> implements WindowCore<A, K> {
  readonly nextTimer: number = Infinity;
  readonly hold: number = Infinity;
  private time = MIN_TIMESTAMP;
  /** Of the window that has fired last; says something only while keys are inside the next one. */
  private fired = NaN;
  /** How many keys have records in the window that fires next, in slices that have entered. */
  private inside = 0;
  private readonly slices = new Map<number, Slice<K, S>>(); // by start; all that can still take records
  private readonly entering = new TimerQueue<Slice<K, S>>(); // by the end of their first window
  private readonly leaving = new TimerQueue<Slice<K, S>>(); // by the end of their last window
  private readonly expiring = new TimerQueue<Slice<K, S>>(); // with a lateness: when the last window goes
  private readonly chains = new Map<K, KeyChain<K, S>>(); // of keys in slices that have entered
  private ranked: Slice<K, S>[] = []; // slices with owners, the oldest first
  private readonly recent = new Array<Slice<K, S> | undefined>(RECENT).fill(undefined); // by the number of their slide
  private readonly late: LateFirings<K> | undefined;
  private readonly fold: SlidingFold<A, K, S>;
  private readonly aggregate: MergeableAggregateSpec<A, R, S>;
  private readonly size: number;
  private readonly slide: number;
  private readonly offset: number;
  private readonly cut: number; // where in a slide windows end, 0 if where they start
  private readonly lateness: number;

  constructor(
    grid: SlidingGrid,
    private readonly options: WindowOptions<A, R>,
    private readonly sink: WindowSink<A, K, R, TimeWindow>,
  ) {
    this.size = grid.size;
    this.slide = grid.slide;
    this.offset = grid.offset;
    this.cut = grid.size % grid.slide;
    this.lateness = options.allowedLateness;
    this.late = this.lateness > 0 ? new LateFirings() : undefined;
    this.aggregate = options.aggregate as MergeableAggregateSpec<A, R, S>;
    this.fold = new SlidingFold(this.aggregate, this.lateness > 0);
  }

  record(value: A, timestamp: number, key: K): void {
    const slot = Math.floor((timestamp - this.offset) / this.slide) & (RECENT - 1);
    let slice = this.recent[slot];
    if (slice === undefined || timestamp < slice.start || timestamp >= slice.end) {
      slice = this.sliceOf(value, timestamp, key);
      if (slice === undefined) return;
      this.recent[slot] = slice;
    }
    const { cells } = slice;
    if (cells === undefined) {
      this.recordBehind(slice, value, timestamp, key);
      return;
    }
    let cell = cells.get(key);
    if (cell === undefined) {
      cell = this.begin(slice);
      cells.set(key, cell);
    }
    cell.state = this.aggregate.add(cell.state, value, timestamp);
  }

  /** The slice of a record; undefined if it is late for all of its windows, or in none. */
  private sliceOf(value: A, timestamp: number, key: K): Slice<K, S> | undefined {
    const { cut, slide } = this;
    let start = windowStart(timestamp, slide, this.offset);
    if (!Number.isFinite(start)) throw new MissingTimestampError(this.options.name, timestamp, value);
    const last = start + this.size;
    let end = start + slide;
    let first = end;
    if (cut > 0) {
      first = start + cut;
      if (timestamp < first) {
        end = first;
      } else {
        if (this.size < slide) {
          if (timestamp + this.lateness <= this.time) this.sink.late(value, timestamp, key);
          else this.sink.unassigned(value);
          return undefined;
        }
        start = first;
        first += slide;
      }
    }
    const slice = this.slices.get(start) ?? this.open(start, end, first, last);
    if (slice === undefined) this.sink.late(value, timestamp, key);
    return slice;
  }

  /** A new slice, whose first and last windows end at `first` and `last`; undefined if all of them are over. */
  private open(start: number, end: number, first: number, last: number): Slice<K, S> | undefined {
    const gone = last - 1 + this.lateness;
    if (gone <= this.time) return undefined;
    const entered = first - 1 <= this.time;
    const slice: Slice<K, S> = {
      start,
      end,
      first,
      last,
      cells: entered ? undefined : new Map(),
      list: [],
      inside: entered && last - 1 > this.time,
      owners: [],
      ranked: false,
    };
    this.slices.set(start, slice);
    if (!entered) {
      this.entering.add(first, slice);
    } else if (slice.inside) {
      if (this.inside === 0) this.fired = this.reached();
      this.leaving.add(last, slice);
    }
    if (this.late !== undefined) this.expiring.add(gone, slice);
    return slice;
  }

  /** The end of the last window that the watermark has reached the end of. */
  private reached(): number {
    return windowStart(this.time + 1, this.slide, this.offset + this.size);
  }

  private begin(slice: Slice<K, S>): Cell<K, S> {
    const { list } = slice;
    const place = list.length;
    const state = this.aggregate.create();
    let cell: Cell<K, S>;
    if (this.late === undefined) {
      cell = { state, slice, chain: undefined, previous: undefined, next: undefined, place };
    } else {
      const born = this.reached();
      const long: LongCell<K, S> = {
        state,
        slice,
        chain: undefined,
        previous: undefined,
        next: undefined,
        place,
        suffix: undefined,
        born,
      };
      cell = long;
    }
    list.push(cell);
    if ((place & 31) === 0) slice.owners.push(0);
    return cell;
  }

  /** A record of a slice that has entered: windows with it in them have fired, others are to come. */
  private recordBehind(slice: Slice<K, S>, value: A, timestamp: number, key: K): void {
    const one = this.aggregate.add(this.aggregate.create(), value, timestamp);
    const chain = this.chainOf(key);
    let cell = this.fold.find(chain, slice);
    if (cell === undefined) {
      cell = this.begin(slice);
      this.fold.insert(chain, cell);
      if (slice.inside && (chain.first === undefined || slice.start < chain.first.slice.start)) {
        if (chain.first === undefined) this.inside++;
        chain.first = cell;
        this.own(cell);
      }
    }
    this.fold.addBehind(cell, one, this.chains);
    if (this.late !== undefined) this.fireAgain(this.late, slice, cell as LongCell<K, S>, key);
  }

  private chainOf(key: K): KeyChain<K, S> {
    let chain = this.chains.get(key);
    if (chain === undefined) {
      chain = this.fold.chain(key);
      this.chains.set(key, chain);
    }
    return chain;
  }

  watermark(time: number): void {
    this.time = time;
    for (;;) {
      // windows without records do not exist (V4): with no key inside, the next one is the first of a slice to come
      const end = this.inside > 0 ? onward(this.fired, this.slide) : this.entering.next;
      if (end - 1 > time || end === Infinity) break;
      this.fired = end;
      this.enter(end);
      this.fire({ start: end - this.size, end });
      if (this.sink.closed) return;
      this.leave(end);
    }
    for (let due = this.expiring.take(time); due !== undefined; due = this.expiring.take(time)) {
      for (const slice of due) {
        for (const cell of slice.list) this.forget(cell);
        this.drop(slice);
      }
    }
    this.late?.forget(time);
  }

  private enter(end: number): void {
    const slices = this.entering.take(end);
    if (slices === undefined) return;
    if (slices.length > 1) slices.sort(byStart);
    for (const slice of slices) {
      const cells = slice.cells as Map<K, Cell<K, S>>;
      slice.cells = undefined;
      slice.inside = true;
      this.leaving.add(slice.last, slice);
      cells.forEach((cell, key) => {
        const chain = this.chainOf(key);
        this.fold.enter(chain, cell, this.chains);
        if (chain.first !== undefined) return;
        chain.first = cell;
        this.inside++;
        this.own(cell);
      });
    }
  }

  private fire(window: TimeWindow): void {
    const { ranked } = this;
    let kept = 0;
    for (let i = 0; i < ranked.length; i++) {
      const slice = ranked[i] as Slice<K, S>;
      // the oldest slice of a window owns all keys that are in it
      const owns = i === 0 ? this.fireAll(slice.list, window) : this.fireOwners(slice, window);
      if (this.sink.closed) return;
      if (owns) ranked[kept++] = slice;
      else slice.ranked = false;
    }
    ranked.length = kept;
  }

  private fireAll(cells: ReadonlyArray<Cell<K, S>>, window: TimeWindow): true {
    for (let i = 0; i < cells.length && !this.sink.closed; i++) {
      this.put((cells[i] as Cell<K, S>).chain as KeyChain<K, S>, window);
    }
    return true;
  }

  /** Fires the keys that are in no older slice of the window, by their first appearance; are there any? */
  private fireOwners({ list, owners }: Slice<K, S>, window: TimeWindow): boolean {
    let any = 0;
    for (let word = 0; word < owners.length; word++) {
      for (let bits = owners[word] as number; bits !== 0; bits &= bits - 1) {
        const bit = 31 - Math.clz32(bits & -bits);
        const cell = list[32 * word + bit] as Cell<K, S>;
        const chain = cell.chain as KeyChain<K, S>;
        // a record behind the watermark may have given its key an older slice
        if (chain.first !== cell) {
          owners[word] = (owners[word] as number) & ~(1 << bit);
          continue;
        }
        this.put(chain, window);
        if (this.sink.closed) return true;
      }
      any |= owners[word] as number;
    }
    return any !== 0;
  }

  private put(chain: KeyChain<K, S>, window: TimeWindow): void {
    this.sink.result(chain.key, window, this.aggregate.result(this.fold.stateOf(chain)), ON_TIME, window.end - 1, undefined);
  }

  private leave(end: number): void {
    const slices = this.leaving.take(end);
    if (slices === undefined) return;
    if (slices.length > 1) slices.sort(byStart);
    for (const slice of slices) {
      slice.inside = false;
      this.ranked.shift(); // the oldest one, as each slice with keys is ranked when it has become the oldest
      for (const cell of slice.list) {
        const chain = cell.chain as KeyChain<K, S>;
        const { next } = cell;
        this.fold.leave(chain, cell);
        chain.first = next;
        if (next === undefined) this.inside--;
        else this.own(next);
        if (this.late === undefined) this.forget(cell);
      }
      if (this.late === undefined) this.drop(slice);
    }
  }

  /** From now on the key of this cell has its oldest records of the window in it. */
  private own(cell: Cell<K, S>): void {
    const { slice, place } = cell;
    const { owners } = slice;
    owners[place >> 5] = (owners[place >> 5] as number) | (1 << (place & 31));
    if (slice.ranked) return;
    slice.ranked = true;
    const { ranked } = this;
    let low = 0;
    for (let high = ranked.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((ranked[middle] as Slice<K, S>).start < slice.start) low = middle + 1;
      else high = middle;
    }
    ranked.splice(low, 0, slice);
  }

  /** A cell is part of no window any more. */
  private forget(cell: Cell<K, S>): void {
    const chain = cell.chain as KeyChain<K, S>;
    const { previous, next } = cell;
    if (previous !== undefined) previous.next = next;
    if (next !== undefined) next.previous = previous;
    else chain.last = previous;
    if (chain.last === undefined) this.chains.delete(chain.key);
  }

  private drop(slice: Slice<K, S>): void {
    this.slices.delete(slice.start);
    const slot = Math.floor((slice.start - this.offset) / this.slide) & (RECENT - 1);
    if (this.recent[slot] === slice) this.recent[slot] = undefined;
  }

  /** Fires the windows of a cell that have fired and are not over, from the latest start back, each with all it holds. */
  private fireAgain(late: LateFirings<K>, slice: Slice<K, S>, cell: LongCell<K, S>, key: K): void {
    const { aggregate, fold, size, slide } = this;
    let end = Math.min(slice.last, this.reached());
    // what is right of the cell, from the window with the most of it to that with the least: folds up to each slice
    const right = [{ state: fold.copy(cell.state), end: slice.end, born: cell.born }];
    for (let at = cell.next; at !== undefined && at.slice.end <= end; at = at.next) {
      const { state, born } = right[right.length - 1] as { state: S; born: number };
      right.push({
        state: aggregate.merge(fold.copy(state), at.state),
        end: at.slice.end,
        born: Math.min(born, (at as LongCell<K, S>).born),
      });
    }
    let left: S | undefined;
    let leftBorn = Infinity;
    let at = cell.previous;
    for (; end >= slice.first && end - 1 + this.lateness > this.time; end = onward(end, -slide)) {
      while ((right[right.length - 1] as { end: number }).end > end) right.pop();
      for (; at !== undefined && at.slice.start >= end - size; at = at.previous) {
        left = aggregate.merge(left === undefined ? aggregate.create() : left, at.state);
        leftBorn = Math.min(leftBorn, (at as LongCell<K, S>).born);
      }
      const { state, born } = right[right.length - 1] as { state: S; born: number };
      const whole = left === undefined ? state : aggregate.merge(fold.copy(left), state);
      const index = late.count(key, end, end - 1 + this.lateness, Math.min(born, leftBorn) < end);
      const pane: Pane = { index, onTimeIndex: index, timing: 'late', last: false, retraction: false };
      this.sink.result(key, { start: end - size, end }, aggregate.result(whole), pane, end - 1, undefined);
      if (this.sink.closed) return;
    }
  }

  clock(_time: number): void {}
  end(): void {} // the final watermark has fired all
}

function byStart(a: { readonly start: number }, b: { readonly start: number }): number {
  return a.start - b.start;
}

/** How often windows have fired for keys with late records; as much as that of them, and as long as they are kept. */
class LateFirings<K> {
  private readonly counts = new Map<number, Map<K, number>>(); // by end
  private readonly gone = new TimerQueue<number>();

  /** The index of the next firing of a window; `before`: it has fired when its time came. */
  count(key: K, end: number, gone: number, before: boolean): number {
    let counts = this.counts.get(end);
    if (counts === undefined) {
      counts = new Map();
      this.counts.set(end, counts);
      this.gone.add(gone, end);
    }
    const index = counts.get(key) ?? (before ? 1 : 0);
    counts.set(key, index + 1);
    return index;
  }

  forget(time: number): void {
    for (let due = this.gone.take(time); due !== undefined; due = this.gone.take(time)) {
      for (const end of due) this.counts.delete(end);
    }
  }
}

import { MIN_TIMESTAMP, type StreamRecord } from '../element/element.js';
import { TimeBuffer } from './TimeBuffer.js';

/** The times that a key waits for, and whether it still does: one that has been cancelled stays, and may be set again. */
type Times = TimeBuffer<boolean>;

/** One key: its state, while it has some, and the timers that it waits for. */
class Cell<K, S> {
  state: S | undefined = undefined;
  has = false;
  /** How many live timers there are, of both domains. */
  waiting = 0;
  event: Times | null = null;
  clock: Times | null = null;
  constructor(readonly key: K) {}
}

/** Where a process core puts what comes out. */
export interface ProcessSink<B, K> {
  /** Nobody listens any more: stop. */
  readonly closed: boolean;
  result(value: B, timestamp: number, key: K): void;
}

/** What the user's functions are called with, and what they give. */
export type Handler<I, S, B, C> = (input: I, state: S, context: C) => Iterable<B> | undefined;

/**
 * One domain of timers, event time or the clock's: one timer for each key and time.
 *
 * They lie in the order of their times twice: with their keys those of all, and those of each key, to find one again. What
 * comes first of all comes first of its key. A cancelled one stays until its time, or until there are more of them than of
 * others.
 */
class TimerDomain<K, S> {
  private readonly timers = new TimeBuffer<Cell<K, S>>();
  private dead = 0;

  constructor(private readonly clock: boolean) {}

  set(cell: Cell<K, S>, time: number): void {
    let times = this.of(cell);
    if (times === null) {
      times = new TimeBuffer();
      if (this.clock) cell.clock = times;
      else cell.event = times;
    }
    const at = times.from(time);
    const live = times.at(at);
    if (live === undefined || times.timeAt(at) !== time) {
      times.add(time, true);
      this.timers.add(time, cell);
    } else {
      if (live) return;
      times.replace(at, true);
      this.dead--;
    }
    cell.waiting++;
  }

  cancel(cell: Cell<K, S>, time: number): void {
    const times = this.of(cell);
    const at = times?.from(time) ?? 0;
    if (times?.timeAt(at) !== time || times.at(at) !== true) return;
    times.replace(at, false);
    cell.waiting--;
    // a key that sets its timer anew with each record must not leave one behind each time
    if (++this.dead > 64 && this.dead * 2 > this.timers.size) this.sweep();
  }

  /** The earliest timer, `Infinity` if there is none. */
  get next(): number {
    const { timers } = this;
    for (let cell = timers.first; cell !== undefined; cell = timers.first) {
      if (this.of(cell)?.first === true) break;
      this.take(cell);
    }
    return timers.next;
  }

  /**
   * Fires what is due, in time order; within a time, in the order in which the timers were set. What is set meanwhile and is
   * due as well takes its place, also before others of the same time that are still to come.
   */
  fire(limit: number, onTimer: (cell: Cell<K, S>, time: number) => boolean): void {
    const { timers } = this;
    for (let cell = timers.first; cell !== undefined; cell = timers.first) {
      const time = timers.next;
      if (time > limit) return;
      if (this.take(cell) && !onTimer(cell, time)) return;
    }
  }

  /** Takes the first timer, of this key; false if it is dead. */
  private take(cell: Cell<K, S>): boolean {
    this.timers.shift();
    const live = this.of(cell)?.shift() === true;
    if (live) cell.waiting--;
    else this.dead--;
    return live;
  }

  clear(): void {
    this.timers.clear();
    this.dead = 0;
  }

  /** Lets go of the dead ones. */
  private sweep(): void {
    const cells = new Set<Cell<K, S>>();
    this.timers.keep((cell, time) => {
      const times = this.of(cell);
      const live = times?.at(times.from(time)) === true;
      if (!live) cells.add(cell);
      return live;
    });
    for (const cell of cells) this.of(cell)?.keep((live) => live);
    this.dead = 0;
  }

  private of(cell: Cell<K, S>): Times | null {
    return this.clock ? cell.clock : cell.event;
  }
}

/**
 * Keyed state and timers as a plain state machine. It is told of records, watermarks and the clock, calls the user's functions
 * and hands what they give to a sink.
 *
 * A key is remembered while it has state or timers. Timers fire in time order: those of event time when a watermark reaches
 * them, before it is sent on; those of the clock when it is told. One that is set for a time that has passed waits for the
 * next watermark, even an equal one.
 */
export class ProcessCore<K, S, B, C> {
  /** The watermark, as the user's functions see it. */
  time: number = MIN_TIMESTAMP;
  /** The timestamp that they see: the record's, the event timer's, or none. */
  timestamp: number = MIN_TIMESTAMP;
  private readonly cells = new Map<K, Cell<K, S>>();
  private readonly eventTimers = new TimerDomain<K, S>(false);
  private readonly clockTimers = new TimerDomain<K, S>(true);
  private current: Cell<K, S> | null = null;

  constructor(
    /** The operator, for error messages. */
    private readonly name: string,
    private readonly create: () => S,
    private readonly onTimer: Handler<number, S, B, C> | undefined,
    private readonly sink: ProcessSink<B, K>,
    private readonly context: C,
  ) {}

  /** How many keys have state or timers. */
  get keys(): number {
    return this.cells.size;
  }
  /** The earliest timer of the clock, `Infinity` if there is none. */
  get nextTimer(): number {
    return this.clockTimers.next;
  }

  record<A>(record: StreamRecord<A, K>, onRecord: Handler<A, S, B, C>): void {
    const { value, timestamp, key } = record;
    let cell = this.cells.get(key);
    if (cell === undefined) {
      cell = new Cell(key);
      this.cells.set(key, cell);
    }
    this.call(onRecord, value, cell, timestamp);
  }

  /** The watermark is at `time`: fires event timers. To be told of equal ones, too. */
  watermark(time: number): void {
    this.time = time;
    this.eventTimers.fire(time, this.fireEvent);
  }

  /** The clock is at `time`: fires its timers. */
  clock(time: number): void {
    this.clockTimers.fire(time, this.fireClock);
  }

  /** Lets go of everything. */
  free(): void {
    this.cells.clear();
    this.eventTimers.clear();
    this.clockTimers.clear();
    this.current = null;
  }

  // for the context: all of them of the key at hand
  get key(): K {
    return this.cell().key;
  }
  setEvent(time: number): void {
    this.eventTimers.set(this.cell(), time);
  }
  setClock(time: number): void {
    this.clockTimers.set(this.cell(), time);
  }
  cancelEvent(time: number): void {
    this.eventTimers.cancel(this.cell(), time);
  }
  cancelClock(time: number): void {
    this.clockTimers.cancel(this.cell(), time);
  }
  clearState(): void {
    const cell = this.cell();
    cell.state = undefined;
    cell.has = false;
  }

  private cell(): Cell<K, S> {
    if (this.current === null) throw new Error(`${this.name}: its context was used outside of a call of onRecord or onTimer`);
    return this.current;
  }

  private readonly fireEvent = (cell: Cell<K, S>, time: number): boolean => this.fire(cell, time, time);
  private readonly fireClock = (cell: Cell<K, S>, time: number): boolean => this.fire(cell, time, MIN_TIMESTAMP);

  private fire(cell: Cell<K, S>, time: number, timestamp: number): boolean {
    const { onTimer } = this;
    if (onTimer === undefined) this.release(cell);
    else this.call(onTimer, time, cell, timestamp);
    return !this.sink.closed;
  }

  private call<I>(handler: Handler<I, S, B, C>, input: I, cell: Cell<K, S>, timestamp: number): void {
    if (!cell.has) {
      cell.state = this.create();
      cell.has = true;
    }
    this.current = cell;
    this.timestamp = timestamp;
    const items = handler(input, cell.state as S, this.context);
    if (items !== undefined && items !== null) {
      // a generator runs in here, so the key stays at hand until it is done
      for (const value of items) {
        this.sink.result(value, timestamp, cell.key);
        if (this.sink.closed) return;
      }
    }
    this.current = null;
    if (!cell.has || cell.state === undefined) this.release(cell);
  }

  /** Forgets a key that has neither state nor timers; a state of `undefined` is none. */
  private release(cell: Cell<K, S>): void {
    if (cell.has && cell.state !== undefined) return;
    if (cell.waiting > 0) return;
    this.cells.delete(cell.key);
  }
}

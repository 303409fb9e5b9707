import { Effect, Stream } from 'effect';
import type { Total } from './pipeline.js';
import { BOUND, EVERY, type Event } from './records.js';
import { type Checksum, count, emptyChecksum, type Implementation } from './workload.js';

// Effect's streams, which have no event time: the windows of B1 are written by hand, in the state of one stage.

type Closed = ReadonlyArray<{ readonly end: number; readonly totals: ReadonlyMap<string, Total> }>;

const NONE: Closed = [];

class Windows {
  private readonly open = new Map<number, Map<string, Total>>();
  private seen = 0;
  private max = -Infinity;
  private watermark = -Infinity;

  constructor(
    private readonly size: number,
    private readonly found: Checksum,
  ) {}

  /** What the record closes. */
  add({ key, value, ts }: Event): Closed {
    if (ts > this.max) this.max = ts;
    const end = Math.floor(ts / this.size) * this.size + this.size;
    if (end - 1 <= this.watermark) {
      this.found.late++;
    } else {
      let totals = this.open.get(end);
      if (totals === undefined) {
        totals = new Map();
        this.open.set(end, totals);
      }
      const total = totals.get(key);
      if (total === undefined) {
        totals.set(key, { n: 1, sum: value });
      } else {
        total.n++;
        total.sum += value;
      }
    }
    return ++this.seen % EVERY === 0 && this.max - BOUND - 1 > this.watermark ? this.close(this.max - BOUND - 1) : NONE;
  }

  close(watermark: number): Closed {
    this.watermark = watermark;
    const closed = [...this.open].filter(([end]) => end - 1 <= watermark).map(([end, totals]) => ({ end, totals }));
    for (const { end } of closed) this.open.delete(end);
    return closed;
  }
}

function windows(size: number): (events: ReadonlyArray<Event>) => Checksum {
  return (events) => {
    const found = emptyChecksum();
    return Stream.fromIterable(events).pipe(
      Stream.mapAccum(
        () => new Windows(size, found),
        (state, event: Event) => [state, state.add(event)] as const,
        { onHalt: (state) => state.close(Infinity) },
      ),
      Stream.runFold(
        () => found,
        (_, { end, totals }) => {
          for (const { n, sum } of totals.values()) count(found, n + sum, end);
          return found;
        },
      ),
      Effect.runSync,
    );
  };
}

/** Stamp, map and filter, as B4 asks for. */
function stages(events: ReadonlyArray<Event>): Checksum {
  const found = emptyChecksum();
  return Stream.fromIterable(events).pipe(
    Stream.map((event) => ({ value: event, timestamp: event.ts })),
    Stream.map(({ value, timestamp }) => ({ value: value.value * 2, timestamp })),
    Stream.filter(({ value }) => value % 3 !== 0),
    Stream.runFold(
      () => found,
      (_, { value, timestamp }) => {
        count(found, value, timestamp);
        return found;
      },
    ),
    Effect.runSync,
  );
}

export const effectWindows = (size: number): Implementation => ({ name: 'effect', run: windows(size), slow: true });
export const effectStages: Implementation = { name: 'effect', run: stages, slow: true };

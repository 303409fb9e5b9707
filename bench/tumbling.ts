import { from, mergeMap, scan } from 'rxjs';
import { assigners, tumblingWindow, windowBy } from 'tidemark';
import { struct, type Total, tidemark, total } from './pipeline.js';
import { BOUND, EVERY, type Event } from './records.js';
import { type Checksum, count, emptyChecksum, type Implementation } from './workload.js';

// Count and sum per key in tumbling windows: the work of B1, B5 and B6.

/** A hand-written loop with nothing in it that the work does not need: the limit. */
function loop(size: number, events: ReadonlyArray<Event>): Checksum {
  const found = emptyChecksum();
  const open = new Map<number, Map<string, Total>>();
  let max = -Infinity;
  let watermark = -Infinity;
  let smallest = Infinity; // of the ends of open windows
  let lastEnd = NaN;
  let last: Map<string, Total> | undefined;

  function close(): void {
    while (smallest - 1 <= watermark && open.size > 0) {
      const totals = open.get(smallest);
      if (totals !== undefined) for (const { n, sum } of totals.values()) count(found, n + sum, smallest);
      open.delete(smallest);
      if (lastEnd === smallest) lastEnd = NaN;
      smallest = Infinity;
      for (const end of open.keys()) if (end < smallest) smallest = end;
    }
  }
  for (let i = 0; i < events.length; ) {
    const { key, value, ts } = events[i++] as Event;
    if (ts > max) max = ts;
    const end = Math.floor(ts / size) * size + size;
    if (end - 1 <= watermark) {
      found.late++;
    } else {
      if (end !== lastEnd) {
        lastEnd = end;
        last = open.get(end);
        if (last === undefined) {
          last = new Map();
          open.set(end, last);
          if (end < smallest) smallest = end;
        }
      }
      const total = last?.get(key);
      if (total !== undefined) {
        total.n++;
        total.sum += value;
      } else {
        last?.set(key, { n: 1, sum: value });
      }
    }
    if (i % EVERY === 0 && max - BOUND - 1 > watermark) {
      watermark = max - BOUND - 1;
      close();
    }
  }
  watermark = Infinity;
  close();
  return found;
}

interface Scanned {
  readonly open: Map<string, Total & { readonly end: number }>;
  seen: number;
  max: number;
  watermark: number;
  closed: ReadonlyArray<Total & { readonly end: number }>;
}
const NONE: ReadonlyArray<Total & { readonly end: number }> = [];

/** The stock idiom: state in `scan`, one entry a window and key, results flattened out of it. */
function scanned(size: number, events: ReadonlyArray<Event>): Checksum {
  const found = emptyChecksum();
  const end: Event = { key: '', value: 0, ts: Infinity };
  from([...events, end])
    .pipe(
      scan(
        (state: Scanned, event) => {
          state.closed = NONE;
          if (event === end) {
            state.closed = [...state.open.values()];
            return state;
          }
          state.max = Math.max(state.max, event.ts);
          const windowEnd = Math.floor(event.ts / size) * size + size;
          if (windowEnd - 1 <= state.watermark) {
            found.late++;
          } else {
            const id = `${windowEnd} ${event.key}`;
            const entry = state.open.get(id);
            if (entry === undefined) state.open.set(id, { n: 1, sum: event.value, end: windowEnd });
            else {
              entry.n++;
              entry.sum += event.value;
            }
          }
          if (++state.seen % EVERY === 0) {
            state.watermark = Math.max(state.watermark, state.max - BOUND - 1);
            const closed = [...state.open].filter(([, entry]) => entry.end - 1 <= state.watermark);
            for (const [id] of closed) state.open.delete(id);
            state.closed = closed.map(([, entry]) => entry);
          }
          return state;
        },
        { open: new Map(), seen: 0, max: -Infinity, watermark: -Infinity, closed: NONE },
      ),
      mergeMap(({ closed }) => closed),
    )
    .subscribe((entry) => count(found, entry.n + entry.sum, entry.end));
  return found;
}

export function tumblingImplementations(size: number): ReadonlyArray<Implementation> {
  return [
    { name: 'loop', run: (events) => loop(size, events) },
    { name: 'tidemark', run: tidemark((lateTo) => tumblingWindow(size, total, { lateTo })) },
    { name: 'tidemark-struct', run: tidemark((lateTo) => tumblingWindow(size, struct, { lateTo })) },
    { name: 'tidemark-general', run: tidemark((lateTo) => windowBy(assigners.tumbling(size), total, { lateTo })) },
    { name: 'stock-scan', run: (events) => scanned(size, events) },
  ];
}

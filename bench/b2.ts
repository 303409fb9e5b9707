import { assigners, slidingWindow, windowBy } from 'tidemark';
import { merging, removing, struct, type Total, tidemark, total } from './pipeline.js';
import { BOUND, EVERY, type Event } from './records.js';
import { type Checksum, count, emptyChecksum, type Workload } from './workload.js';

const SIZE = 60_000;
const SLIDE = 1_000;

/** Panes of a slide; totals of the window, to which panes are added when they enter it, and subtracted when they leave. */
function loop(events: ReadonlyArray<Event>): Checksum {
  const found = emptyChecksum();
  const panes = new Map<number, Map<string, Total>>();
  const totals = new Map<string, Total>();
  let max = -Infinity;
  let watermark = -Infinity;
  let next = NaN; // the end of the window that fires next
  let newest = -Infinity; // the end of the newest pane
  let lastEnd = NaN;
  let last: Map<string, Total> | undefined;

  function close(): void {
    while (next - 1 <= watermark && next < newest + SIZE) {
      const entering = panes.get(next);
      if (entering !== undefined) for (const [key, { n, sum }] of entering) put(totals, key, n, sum);
      for (const { n, sum } of totals.values()) count(found, n + sum, next);
      const gone = next - SIZE + SLIDE;
      const leaving = panes.get(gone);
      if (leaving !== undefined) {
        for (const [key, { n, sum }] of leaving) {
          const all = totals.get(key) as Total;
          if (all.n === n) {
            totals.delete(key);
          } else {
            all.n -= n;
            all.sum -= sum;
          }
        }
        panes.delete(gone);
        if (lastEnd === gone) lastEnd = NaN;
      }
      next += SLIDE;
    }
  }
  for (let i = 0; i < events.length; ) {
    const { key, value, ts } = events[i++] as Event;
    if (ts > max) max = ts;
    const end = Math.floor(ts / SLIDE) * SLIDE + SLIDE;
    if (end - SLIDE + SIZE - 1 <= watermark) {
      found.late++;
    } else {
      if (end !== lastEnd) {
        lastEnd = end;
        last = panes.get(end);
        if (last === undefined) {
          last = new Map();
          panes.set(end, last);
          if (end > newest) newest = end;
          if (!(next <= end) && watermark === -Infinity) next = end;
        }
      }
      put(last as Map<string, Total>, key, 1, value);
      if (end < next) put(totals, key, 1, value);
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

function put(totals: Map<string, Total>, key: string, n: number, sum: number): void {
  const known = totals.get(key);
  if (known === undefined) {
    totals.set(key, { n, sum });
  } else {
    known.n += n;
    known.sum += sum;
  }
}

export const b2: Workload = {
  name: 'B2',
  what: '1,000 keys, sliding 60 s by 1 s, count and sum',
  keys: 1_000,
  implementations: [
    { name: 'loop', run: loop },
    { name: 'tidemark', run: tidemark((lateTo) => slidingWindow(SIZE, SLIDE, removing, { lateTo })) },
    { name: 'tidemark-struct', run: tidemark((lateTo) => slidingWindow(SIZE, SLIDE, struct, { lateTo })) },
    { name: 'tidemark-merge', run: tidemark((lateTo) => slidingWindow(SIZE, SLIDE, merging, { lateTo })) },
    // an accumulator a window: neither merges nor subtracts
    {
      name: 'tidemark-general',
      run: tidemark((lateTo) => windowBy(assigners.sliding(SIZE, SLIDE), total, { lateTo })),
      slow: true,
    },
  ],
};

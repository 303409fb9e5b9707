import { from } from 'rxjs';
import { assignWatermarks, processWith } from 'tidemark';
import { everyNth } from './everyNth.js';
import { BOUND, EVERY, type Event } from './records.js';
import { type Checksum, count, emptyChecksum, type Workload } from './workload.js';

// A timer a record: 5 s after it, what its key has seen by then.

const DELAY = 5_000;

interface Seen {
  n: number;
}

/** A calendar of milliseconds instead of a heap, as times are dense; timers of the past in a list of their own. */
function loop(events: ReadonlyArray<Event>): Checksum {
  const found = emptyChecksum();
  const keys = new Map<string, Seen>();
  const calendar = new Map<number, Seen[]>();
  let past: Array<{ readonly time: number; readonly seen: Seen }> = [];
  let max = -Infinity;
  let min = Infinity;
  let latest = -Infinity;
  let watermark = -Infinity;

  function advance(to: number): void {
    for (const { time, seen } of past) count(found, seen.n, time);
    past = [];
    for (let time = watermark === -Infinity ? min : watermark + 1; time <= to; time++) {
      const due = calendar.get(time);
      if (due === undefined) continue;
      calendar.delete(time);
      for (const { n } of due) count(found, n, time);
    }
    watermark = to;
  }
  for (let i = 0; i < events.length; ) {
    const { key, ts } = events[i++] as Event;
    if (ts > max) max = ts;
    let seen = keys.get(key);
    if (seen === undefined) {
      seen = { n: 0 };
      keys.set(key, seen);
    }
    seen.n++;
    const time = ts + DELAY;
    if (time < min) min = time;
    if (time > latest) latest = time;
    if (time <= watermark) {
      if (!past.some((other) => other.time === time && other.seen === seen)) past.push({ time, seen });
    } else {
      const due = calendar.get(time);
      if (due === undefined) calendar.set(time, [seen]);
      else if (!due.includes(seen)) due.push(seen);
    }
    if (i % EVERY === 0 && max - BOUND - 1 > watermark) advance(max - BOUND - 1);
  }
  advance(latest);
  return found;
}

function tidemark(events: ReadonlyArray<Event>): Checksum {
  const found = emptyChecksum();
  from(events)
    .pipe(
      assignWatermarks(everyNth(), { timestamp: (event) => event.ts, key: (event) => event.key, interval: Infinity }),
      processWith({
        create: (): Seen => ({ n: 0 }),
        onRecord(_event, state, { timestamp, timers }) {
          state.n++;
          timers.eventTime(timestamp + DELAY);
        },
        onTimer: (_timestamp, { n }) => [n],
      }),
    )
    .subscribe((element) => {
      if (element._tag === 'Record') count(found, element.value, element.timestamp);
    });
  return found;
}

export const processTimers: Workload = {
  name: 'PROCESS',
  what: 'a process function, 1,000 keys, a timer a record',
  keys: 1_000,
  implementations: [
    { name: 'loop', run: loop },
    { name: 'tidemark', run: tidemark },
  ],
};

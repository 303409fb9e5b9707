import { debounceTime, from } from 'rxjs';
import { assignWatermarks, counters, dedupe, type EventStream, sortByEventTime, withEventTime } from 'tidemark';
import { everyNth } from './everyNth.js';
import { BOUND, EVERY, type Event } from './records.js';
import { type Checksum, count, emptyChecksum, type Workload } from './workload.js';

// The order of event time: sorting, duplicates, and RxJS's debounceTime driven by it.

/** Calls `sorted` with the records in order, each once the watermark has reached it; a sorted array between. */
export function sortLoop(events: ReadonlyArray<Event>, found: Checksum, sorted: (event: Event) => void): void {
  let waiting: Event[] = [];
  let max = -Infinity;
  let watermark = -Infinity;
  for (let i = 0; i < events.length; ) {
    const event = events[i++] as Event;
    if (event.ts > max) max = event.ts;
    if (event.ts <= watermark) found.late++;
    else waiting.push(event);
    if (i % EVERY === 0 && max - BOUND - 1 > watermark) {
      watermark = max - BOUND - 1;
      waiting = release(waiting, watermark, sorted);
    }
  }
  release(waiting, Infinity, sorted);
}

function release(waiting: Event[], watermark: number, sorted: (event: Event) => void): Event[] {
  waiting.sort((a, b) => a.ts - b.ts);
  let n = 0;
  for (; n < waiting.length; n++) {
    const event = waiting[n] as Event;
    if (event.ts > watermark) break;
    sorted(event);
  }
  return waiting.slice(n);
}

/** The events as a stream; late ones are counted where they are dropped. */
function run(
  events: ReadonlyArray<Event>,
  keyed: boolean,
  operator: (source: EventStream<Event, string | undefined>, seen: ReturnType<typeof counters>) => EventStream<Event, unknown>,
): Checksum {
  const found = emptyChecksum();
  const seen = counters();
  const key = (event: Event): string | undefined => (keyed ? event.key : undefined);
  const source = from(events).pipe(assignWatermarks(everyNth(), { timestamp: (event) => event.ts, key, interval: Infinity }));
  operator(source, seen).subscribe((element) => {
    if (element._tag === 'Record') count(found, element.value.value, element.timestamp);
  });
  found.late = seen.late;
  return found;
}

export const sort: Workload = {
  name: 'SORT',
  what: 'records in the order of their times',
  keys: 1_000,
  implementations: [
    {
      name: 'loop',
      run: (events) => {
        const found = emptyChecksum();
        sortLoop(events, found, ({ value, ts }) => count(found, value, ts));
        return found;
      },
    },
    { name: 'tidemark', run: (events) => run(events, false, (source, seen) => source.pipe(sortByEventTime({ counters: seen }))) },
  ],
};

const WITHIN = 5_000;

/** Names and times of what has passed, dropped by the second. */
function dedupeLoop(events: ReadonlyArray<Event>): Checksum {
  const found = emptyChecksum();
  const passed = new Map<string, Map<number, number[]>>();
  const seconds = new Map<number, Event[]>();
  let swept = Math.floor((events[0]?.ts ?? 0) / 1_000) - 60;
  let max = -Infinity;
  let watermark = -Infinity;
  for (let i = 0; i < events.length; ) {
    const event = events[i++] as Event;
    const { key, value, ts } = event;
    if (ts > max) max = ts;
    if (ts <= watermark) {
      found.late++;
    } else {
      let ofKey = passed.get(key);
      if (ofKey === undefined) {
        ofKey = new Map();
        passed.set(key, ofKey);
      }
      const times = ofKey.get(value);
      if (times === undefined || times.every((time) => Math.abs(time - ts) > WITHIN)) {
        if (times === undefined) ofKey.set(value, [ts]);
        else times.push(ts);
        const second = Math.ceil((ts + WITHIN) / 1_000);
        const due = seconds.get(second);
        if (due === undefined) seconds.set(second, [event]);
        else due.push(event);
        count(found, value, ts);
      }
    }
    if (i % EVERY === 0 && max - BOUND - 1 > watermark) {
      watermark = max - BOUND - 1;
      for (; (swept + 1) * 1_000 <= watermark; swept++) {
        for (const gone of seconds.get(swept + 1) ?? []) {
          const ofKey = passed.get(gone.key);
          const left = ofKey?.get(gone.value)?.filter((time) => time !== gone.ts) ?? [];
          if (left.length > 0) ofKey?.set(gone.value, left);
          else ofKey?.delete(gone.value);
        }
        seconds.delete(swept + 1);
      }
    }
  }
  return found;
}

const nameOf = (event: Event): number => event.value;

export const duplicates: Workload = {
  name: 'DEDUPE',
  what: 'one of each value and key within 5 s',
  keys: 100,
  implementations: [
    { name: 'loop', run: dedupeLoop },
    {
      name: 'tidemark',
      run: (events) => run(events, true, (source, seen) => source.pipe(dedupe(nameOf, { within: WITHIN, counters: seen }))),
    },
  ],
};

/** The last record before each gap; when the stream ends what waits comes out at its end. */
function debounceLoop(wait: number, keyed: boolean): (events: ReadonlyArray<Event>) => Checksum {
  return (events) => {
    const found = emptyChecksum();
    const latest = new Map<string, Event>();
    let last = -Infinity;
    sortLoop(events, found, (event) => {
      const key = keyed ? event.key : '';
      const before = latest.get(key);
      if (before !== undefined && event.ts - before.ts > wait) count(found, before.value, before.ts + wait);
      latest.set(key, event);
      last = event.ts;
    });
    for (const { value, ts } of latest.values()) count(found, value, Math.min(ts + wait, last));
    return found;
  };
}

function debounce(wait: number, perKey: boolean): (events: ReadonlyArray<Event>) => Checksum {
  return (events) =>
    run(events, perKey, (source, seen) =>
      source.pipe(withEventTime((values$, scheduler) => values$.pipe(debounceTime(wait, scheduler)), { perKey, counters: seen })),
    );
}

export const debounced: Workload = {
  name: 'DEBOUNCE',
  what: 'debounceTime(3) in event time, one for all',
  keys: 1_000,
  implementations: [
    { name: 'loop', run: debounceLoop(3, false) },
    { name: 'tidemark', run: debounce(3, false) },
  ],
};

export const debouncedByKey: Workload = {
  name: 'DEBOUNCE-KEYS',
  what: 'debounceTime(500) in event time, one for each of 1,000 keys',
  keys: 1_000,
  implementations: [
    { name: 'loop', run: debounceLoop(500, true) },
    { name: 'tidemark', run: debounce(500, true) },
  ],
};

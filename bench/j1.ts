import { Subject } from 'rxjs';
import { intervalJoinWith, type StreamElement, watermark } from 'tidemark';
import { BOUND, EVERY, type Event } from './records.js';
import { type Checksum, count, emptyChecksum, type Workload } from './workload.js';

// Pairs of records at most 2 s apart: every other record is of the right stream.

const WITHIN = 2_000;

/** The records of one side and key, in the order of their time. */
type Shelf = Event[];

function place(shelf: Shelf, event: Event): void {
  let at = shelf.length;
  while (at > 0 && (shelf[at - 1] as Event).ts > event.ts) at--;
  if (at === shelf.length) shelf.push(event);
  else shelf.splice(at, 0, event);
}

/** A hand-written loop: two lists a key, looked through from the end, cleaned at each watermark that has moved far enough. */
function loop(events: ReadonlyArray<Event>): Checksum {
  const found = emptyChecksum();
  const keys = new Map<string, [Shelf, Shelf]>();
  let max = -Infinity;
  let mark = -Infinity;
  let cleaned = -Infinity;
  for (let i = 0; i < events.length; ) {
    const event = events[i] as Event;
    const { key, value, ts } = event;
    const side = i++ & 1;
    if (ts > max) max = ts;
    if (ts < mark) found.late++;
    else {
      let shelves = keys.get(key);
      if (shelves === undefined) {
        shelves = [[], []];
        keys.set(key, shelves);
      }
      place(shelves[side] as Shelf, event);
      const others = shelves[1 - side] as Shelf;
      for (let at = others.length - 1; at >= 0; at--) {
        const other = others[at] as Event;
        if (other.ts < ts - WITHIN) break;
        if (other.ts <= ts + WITHIN && other.ts + WITHIN > mark) count(found, value + other.value, Math.max(ts, other.ts));
      }
    }
    if (i % EVERY === 0 && max - BOUND - 1 > mark) {
      mark = max - BOUND - 1;
      if (mark < cleaned + WITHIN) continue;
      cleaned = mark;
      for (const [name, [left, right]] of keys) {
        for (const shelf of [left, right]) {
          let over = 0;
          while (over < shelf.length && (shelf[over] as Event).ts + WITHIN <= mark) over++;
          if (over > 0) shelf.splice(0, over);
        }
        if (left.length === 0 && right.length === 0) keys.delete(name);
      }
    }
  }
  return found;
}

function tidemark(events: ReadonlyArray<Event>): Checksum {
  const found = emptyChecksum();
  const sides = [new Subject<StreamElement<Event, string>>(), new Subject<StreamElement<Event, string>>()] as const;
  const late = (): void => {
    found.late++;
  };
  sides[0]
    .pipe(intervalJoinWith(sides[1], { lower: -WITHIN, upper: WITHIN, lateTo: { left: late, right: late } }))
    .subscribe((element) => {
      if (element._tag === 'Record') count(found, element.value[0].value + element.value[1].value, element.timestamp);
    });
  let max = -Infinity;
  for (let i = 0; i < events.length; ) {
    const value = events[i] as Event;
    const { key, ts } = value;
    sides[(i++ & 1) as 0 | 1].next({ _tag: 'Record', value, timestamp: ts, key });
    if (ts > max) max = ts;
    if (i % EVERY === 0) for (const side of sides) side.next(watermark(max - BOUND - 1));
  }
  for (const side of sides) side.complete();
  return found;
}

export const j1: Workload = {
  name: 'J1',
  what: '1,000 keys, pairs at most 2 s apart',
  keys: 1_000,
  implementations: [
    { name: 'loop', run: loop },
    { name: 'tidemark', run: tidemark },
  ],
};

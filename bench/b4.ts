import { filter, from, map } from 'rxjs';
import { assignWatermarks, filterValue, mapValue, type Watermark } from 'tidemark';
import { everyNth } from './everyNth.js';
import { BOUND, EVERY, type Event } from './records.js';
import { type Checksum, count, emptyChecksum, type Workload } from './workload.js';

// Stamp, map and filter, record by record.

const timeOf = (event: Event): number => event.ts;
const double = (event: Event): number => event.value * 2;
const third = (n: number): boolean => n % 3 !== 0;

/** Where the loop leaves its elements. */
export const kept: { stamped: unknown; mapped: unknown } = { stamped: undefined, mapped: undefined };

/** The same functions and the same elements, one a stage that makes one, without operators between. */
function loop(events: ReadonlyArray<Event>): Checksum {
  const found = emptyChecksum();
  let max = -Infinity;
  let watermark = -Infinity;
  for (let i = 0; i < events.length; ) {
    const event = events[i++] as Event;
    const stamped: Received<Event> = { _tag: 'Record', value: event, timestamp: timeOf(event), key: undefined };
    kept.stamped = stamped; // seen from outside, or the engine would not make them at all
    if (stamped.timestamp > max) max = stamped.timestamp;
    const mapped: Received<number> = {
      _tag: 'Record',
      value: double(stamped.value),
      timestamp: stamped.timestamp,
      key: undefined,
    };
    kept.mapped = mapped;
    if (third(mapped.value)) receive(found, mapped);
    if (i % EVERY === 0 && max - BOUND - 1 > watermark) {
      watermark = max - BOUND - 1;
      receive(found, { _tag: 'Watermark', timestamp: watermark, idle: false });
    }
  }
  return found;
}

interface Received<A> {
  readonly _tag: 'Record';
  readonly value: A;
  readonly timestamp: number;
  readonly key: undefined;
}

function receive(found: Checksum, element: Received<number> | Watermark): void {
  if (element._tag === 'Record') count(found, element.value, element.timestamp);
}

function tidemark(events: ReadonlyArray<Event>): Checksum {
  const found = emptyChecksum();
  from(events)
    .pipe(assignWatermarks(everyNth(), { timestamp: timeOf, interval: Infinity }), mapValue(double), filterValue(third))
    .subscribe((element) => receive(found, element));
  return found;
}

/** Three operators of RxJS, without watermarks: what a pipe of that length costs at all. */
function stock(events: ReadonlyArray<Event>): Checksum {
  const found = emptyChecksum();
  from(events)
    .pipe(
      map((event) => ({ value: event, timestamp: timeOf(event) })),
      map(({ value, timestamp }) => ({ value: double(value), timestamp })),
      filter(({ value }) => third(value)),
    )
    .subscribe(({ value, timestamp }) => count(found, value, timestamp));
  return found;
}

export const b4: Workload = {
  name: 'B4',
  what: 'assign, map and filter',
  keys: 1_000,
  implementations: [
    { name: 'loop', run: loop },
    { name: 'tidemark', run: tidemark },
    { name: 'stock-three', run: stock },
  ],
  others: async () => [(await import('./effect.js')).effectStages],
};

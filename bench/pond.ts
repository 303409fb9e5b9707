import { count as counted, duration, stream, sum, type Time, Trigger, timeEvent, window } from 'pondjs';
import { sortLoop } from './order.js';
import type { Event } from './records.js';
import { type Checksum, count, emptyChecksum, type Implementation } from './workload.js';

/** Later than all records: whatever is open ends. */
const LAST: Event = { key: '', value: 0, ts: 4e12 };

/**
 * A window of Pond's ends with the first record of a later one, and nothing is late. So it is given the records in order and
 * without the late ones, by the loop that sorts; and as its streams do not group, there is one for each key.
 */
function windows(size: number): (events: ReadonlyArray<Event>) => Checksum {
  return (events) => {
    const found = emptyChecksum();
    const keys = new Map<string, ReturnType<typeof aggregated>>();
    sortLoop(events, found, (event) => {
      let events$ = keys.get(event.key);
      if (events$ === undefined) {
        events$ = aggregated(size, found);
        keys.set(event.key, events$);
      }
      events$.addEvent(eventOf(event));
    });
    for (const events$ of keys.values()) events$.addEvent(eventOf(LAST));
    return found;
  };
}

/** The stream of a key. */
function aggregated(size: number, found: Checksum) {
  return stream<Time>()
    .groupByWindow({ window: window(duration(`${size / 1_000}s`)), trigger: Trigger.onDiscardedWindow })
    .aggregate({ n: ['value', counted()], sum: ['value', sum()] })
    .output((total) => count(found, total.get('n') + total.get('sum'), +total.getKey().end()));
}

function eventOf({ value, ts }: Event): ReturnType<typeof timeEvent> {
  return timeEvent({ time: ts, data: { value } });
}

export const pondWindows = (size: number): Implementation => ({ name: 'pond', run: windows(size), slow: true });

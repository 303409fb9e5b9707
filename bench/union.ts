import { merge, Subject } from 'rxjs';
import { type StreamElement, union } from 'tidemark';
import { BOUND, EVERY, type Event } from './records.js';
import { type Checksum, count, emptyChecksum, type Workload } from './workload.js';

// Records dealt to inputs in turn, each of which has watermarks of its own.

const INPUTS = 16;

/** Hands each input's elements to `put`, in the order of their arrival. */
function deal(events: ReadonlyArray<Event>, put: (input: number, element: StreamElement<Event>) => void): void {
  const max = new Array<number>(INPUTS).fill(-Infinity);
  const seen = new Array<number>(INPUTS).fill(0);
  for (let i = 0; i < events.length; i++) {
    const input = i % INPUTS;
    const value = events[i] as Event;
    if (value.ts > (max[input] as number)) max[input] = value.ts;
    put(input, { _tag: 'Record', value, timestamp: value.ts, key: undefined });
    seen[input] = (seen[input] as number) + 1;
    if ((seen[input] as number) % EVERY === 0) {
      put(input, { _tag: 'Watermark', timestamp: (max[input] as number) - BOUND - 1, idle: false });
    }
  }
}

function receive(found: Checksum, element: StreamElement<Event>): void {
  count(found, element._tag === 'Record' ? element.value.value : 1, element.timestamp);
}

function loop(events: ReadonlyArray<Event>): Checksum {
  const found = emptyChecksum();
  const times = new Array<number>(INPUTS).fill(-Infinity);
  let last = -Infinity;
  deal(events, (input, element) => {
    if (element._tag === 'Record') {
      receive(found, element);
    } else if (element.timestamp > (times[input] as number)) {
      times[input] = element.timestamp;
      const least = Math.min(...times);
      if (least > last) {
        last = least;
        receive(found, { _tag: 'Watermark', timestamp: least, idle: false });
      }
    }
  });
  return found;
}

function tidemark(events: ReadonlyArray<Event>): Checksum {
  const found = emptyChecksum();
  const inputs = Array.from({ length: INPUTS }, () => new Subject<StreamElement<Event>>());
  const subscription = union(...inputs).subscribe((element) => receive(found, element));
  deal(events, (input, element) => inputs[input]?.next(element));
  subscription.unsubscribe();
  return found;
}

/** Without one sense of time: the watermarks of the inputs are dropped behind it, and the loop's counted instead. */
function stock(events: ReadonlyArray<Event>): Checksum {
  const found = emptyChecksum();
  const inputs = Array.from({ length: INPUTS }, () => new Subject<StreamElement<Event>>());
  const times = new Array<number>(INPUTS).fill(-Infinity);
  let last = -Infinity;
  const subscription = merge(...inputs).subscribe((element) => {
    if (element._tag === 'Record') receive(found, element);
  });
  deal(events, (input, element) => {
    inputs[input]?.next(element);
    if (element._tag === 'Record') return;
    times[input] = Math.max(times[input] as number, element.timestamp);
    const least = Math.min(...times);
    if (least > last) {
      last = least;
      receive(found, { _tag: 'Watermark', timestamp: least, idle: false });
    }
  });
  subscription.unsubscribe();
  return found;
}

export const unionOf16: Workload = {
  name: 'UNION',
  what: 'a union of 16 inputs',
  keys: 1_000,
  implementations: [
    { name: 'loop', run: loop },
    { name: 'tidemark', run: tidemark },
    { name: 'stock-merge', run: stock },
  ],
};

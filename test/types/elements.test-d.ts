// Compiled by `npm run check`, never run: elements narrow by guard, by tag and by `match` (P113).
import { filter, map, type Observable } from 'rxjs';
import {
  type EventStream,
  isRecord,
  isWatermark,
  match,
  matchW,
  type StreamElement,
  type StreamRecord,
  type Watermark,
} from 'tidemark';
import { type Emits, same } from './expect.js';

declare const words$: EventStream<string, number>;

const records = words$.pipe(filter(isRecord));
same<Emits<typeof records>, StreamRecord<string, number>>(true);
const watermarks = words$.pipe(filter(isWatermark));
same<Emits<typeof watermarks>, Watermark>(true);

words$.subscribe((element) => {
  if (isRecord(element)) same<typeof element, StreamRecord<string, number>>(true);
  else same<typeof element, Watermark>(true);
  if (isWatermark(element)) same<typeof element, Watermark>(true);
  else same<typeof element, StreamRecord<string, number>>(true);
});

// the tag tells the two apart, and there is no third
function size(element: StreamElement<string>): number {
  switch (element._tag) {
    case 'Record':
      return element.value.length;
    case 'Watermark':
      return element.idle ? -1 : 0;
    default:
      return element satisfies never;
  }
}
same<ReturnType<typeof size>, number>(true);

// for any value and key
function recordsOf<A, K>(source: EventStream<A, K>): Observable<StreamRecord<A, K>> {
  return source.pipe(filter(isRecord));
}
function watermarksOf<A, K>(source: EventStream<A, K>): Observable<Watermark> {
  return source.pipe(filter(isWatermark));
}
function valuesOf<A, K>(elements: ReadonlyArray<StreamElement<A, K>>): ReadonlyArray<A> {
  return elements.filter(isRecord).map((element) => element.value);
}
same<Emits<ReturnType<typeof recordsOf<string, 1>>>, StreamRecord<string, 1>>(true);
same<Emits<ReturnType<typeof watermarksOf<string, 1>>>, Watermark>(true);
same<ReturnType<typeof valuesOf<string, 1>>, readonly string[]>(true);

const matched = words$.pipe(
  map(
    match(
      (word, timestamp, key) => word.length + timestamp + key,
      (timestamp) => timestamp,
    ),
  ),
);
same<Emits<typeof matched>, number>(true);
const either = words$.pipe(
  map(
    matchW(
      (word) => word,
      (timestamp, idle) => (idle ? null : timestamp),
    ),
  ),
);
same<Emits<typeof either>, string | number | null>(true);
words$.pipe(
  map(
    match(
      (word) => word,
      // @ts-expect-error `match` has one result type, `matchW` two
      (timestamp) => timestamp,
    ),
  ),
);

import fc from 'fast-check';
import {
  idle,
  keyedRecord,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  type StreamElement,
  type StreamRecord,
  type Watermark,
  watermark,
} from 'tidemark';

/** Few keys, so that they meet. */
export const key: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c');

/** Times in a narrow range around 0, so that windows of a few ms are shared and negative ones are ordinary. */
export const time: fc.Arbitrary<number> = fc.integer({ min: -40, max: 60 });

/** Any time an element may have. */
export const anyTime: fc.Arbitrary<number> = fc.oneof(time, fc.maxSafeInteger(), fc.constantFrom(MIN_TIMESTAMP, MAX_TIMESTAMP));

/** Any element of a keyed stream of numbers. */
export const anyElement: fc.Arbitrary<StreamElement<number, string>> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.integer(), anyTime, key).map(([value, at, k]) => keyedRecord(value, at, k)) },
  { weight: 1, arbitrary: anyTime.map(watermark) },
  { weight: 1, arbitrary: anyTime.map(idle) },
);

/**
 * A stream as it may come in: records whose value is their index, so that each can be told from all others, among
 * watermarks that rise, repeat, fall back, come with idleness, and now and then end time.
 */
export const stream: fc.Arbitrary<StreamElement<number, string>[]> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.record({ at: time, key }) },
      { weight: 2, arbitrary: time.map(watermark) as fc.Arbitrary<Watermark> },
      { weight: 1, arbitrary: time.map(idle) as fc.Arbitrary<Watermark> },
    ),
    { maxLength: 40 },
  )
  .chain((items) => fc.tuple(fc.constant(items), fc.option(fc.nat(items.length), { freq: 8, nil: undefined })))
  .map(([items, end]) => {
    const all: Array<(typeof items)[number]> = items.slice();
    if (end !== undefined) all.splice(end, 0, watermark(MAX_TIMESTAMP));
    return all.map((item, i) => ('_tag' in item ? item : keyedRecord(i, item.at, item.key)));
  });

/** The records of a stream. */
export function recordsOf<A, K>(elements: ReadonlyArray<StreamElement<A, K>>): StreamRecord<A, K>[] {
  return elements.flatMap((element) => (element._tag === 'Record' ? [element] : []));
}

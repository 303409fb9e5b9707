import fc from 'fast-check';
import { idle, keyedRecord, MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamElement, type StreamRecord, watermark } from 'tidemark';

/** Few keys, so that they meet. */
export const key: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c');

/** Any time an element may have. */
export const anyTime: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: -50, max: 50 }),
  fc.maxSafeInteger(),
  fc.constantFrom(MIN_TIMESTAMP, MAX_TIMESTAMP),
);

/** Any element of a keyed stream of numbers. */
export const anyElement: fc.Arbitrary<StreamElement<number, string>> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.integer(), anyTime, key).map(([value, at, k]) => keyedRecord(value, at, k)) },
  { weight: 1, arbitrary: anyTime.map(watermark) },
  { weight: 1, arbitrary: anyTime.map(idle) },
);

/** What a stream is made of: a record or a watermark, `at` ms from where event time has got to after `step` more ms. */
interface Happening {
  readonly step: number;
  readonly at: number;
  readonly of: 'record' | 'watermark' | 'idle' | 'end';
  readonly key: string;
}

/** Event time goes on by `step`, and what happens is up to `spread` ms from it. */
const happenings = (step: number, spread: number, maxLength: number): fc.Arbitrary<Happening[]> =>
  fc.array(
    fc.record({
      step: fc.nat(step),
      at: fc.integer({ min: -spread, max: spread }),
      of: fc.oneof(
        { weight: 30, arbitrary: fc.constant<Happening['of']>('record') },
        { weight: 9, arbitrary: fc.constant<Happening['of']>('watermark') },
        { weight: 3, arbitrary: fc.constant<Happening['of']>('idle') },
        { weight: 1, arbitrary: fc.constant<Happening['of']>('end') },
      ),
      key,
    }),
    { maxLength },
  );

/**
 * A stream as it may come in: records whose value is their index, so that each can be told from all others, among
 * watermarks that rise, repeat, fall back, come with idleness, and now and then end time too early. In some streams time
 * goes on as it does in life, so that windows fill, close and are re-fired one after the other; in others all is at random.
 */
export const stream: fc.Arbitrary<StreamElement<number, string>[]> = fc
  .oneof({ weight: 3, arbitrary: happenings(4, 12, 40) }, { weight: 1, arbitrary: happenings(0, 50, 40) })
  .map((all) => {
    let now = -20;
    return all.map(({ step, at, of, key: k }, i) => {
      now += step;
      if (of === 'record') return keyedRecord(i, now + at, k);
      if (of === 'end') return watermark(MAX_TIMESTAMP);
      return of === 'idle' ? idle(now + at - 8) : watermark(now + at - 8);
    });
  });

/** The records of a stream. */
export function recordsOf<A, K>(elements: ReadonlyArray<StreamElement<A, K>>): StreamRecord<A, K>[] {
  return elements.flatMap((element) => (element._tag === 'Record' ? [element] : []));
}

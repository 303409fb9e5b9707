import { filter, from, type Observable, of } from 'rxjs';
import {
  aggregates,
  assignWatermarks,
  boundedOutOfOrderness,
  isRecord,
  isWatermark,
  type StreamElement,
  type StreamRecord,
  toValues,
  tumblingWindow,
  type Watermark,
} from 'tidemark';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { r, W } from './notation.js';

// what is said about types here is checked by the compiler; that the values agree, by the run
describe('types', () => {
  it('P113 guards narrow the union inside RxJS’s filter, for any value, and the tag is exhaustive', () => {
    const records = <A>(source: Observable<StreamElement<A>>): Observable<StreamRecord<A>> => source.pipe(filter(isRecord));
    const source = of<StreamElement<string>[]>(r(1, 'a'), W(5));
    const watermarks = source.pipe(filter(isWatermark));
    expectTypeOf(records(source)).toEqualTypeOf<Observable<StreamRecord<string>>>();
    expectTypeOf(watermarks).toEqualTypeOf<Observable<Watermark>>();
    const seen: unknown[] = [];
    records(source).subscribe((element) => seen.push(element.value));
    watermarks.subscribe((element) => seen.push(element.timestamp));
    const tag = (element: StreamElement<string>): string => {
      switch (element._tag) {
        case 'Record':
          return element.value;
        case 'Watermark':
          return String(element.timestamp);
        default:
          return element satisfies never;
      }
    };
    source.subscribe((element) => seen.push(tag(element)));
    expect(seen).toEqual(['a', 5, 'a', '5']);
  });

  it('P114 the basic job needs four slots of a pipe and no annotation', () => {
    const counted = from([{ u: 'ann', v: 1, at: 5 }]).pipe(
      assignWatermarks(boundedOutOfOrderness(0), { timestamp: (e) => e.at, key: (e) => e.u }),
      tumblingWindow(
        10,
        aggregates.sum((e) => e.v),
      ),
      toValues(),
    );
    const seen: unknown[] = [];
    counted.subscribe((result) => {
      expectTypeOf(result.key).toEqualTypeOf<string>();
      expectTypeOf(result.value).toEqualTypeOf<number>();
      seen.push(result.key, result.value);
    });
    expect(seen).toEqual(['ann', 1]);
  });

  it('P115 a timestamp that may be missing does not compile, unless a policy says what then', () => {
    const source = from<{ ts?: number }[]>([{ ts: 1 }, {}]);
    const bounded = boundedOutOfOrderness<{ ts?: number }>(0);
    // @ts-expect-error the field may be undefined
    const refused = source.pipe(assignWatermarks(bounded, { timestamp: (e) => e.ts }));
    const accepted = source.pipe(assignWatermarks(bounded, { timestamp: (e) => e.ts, onInvalidTimestamp: 'drop' }));
    const seen: unknown[] = [];
    refused.subscribe({ error: () => seen.push('error') });
    accepted.pipe(toValues()).subscribe((value) => seen.push(value));
    expect(seen).toEqual(['error', { ts: 1 }]);
  });
});

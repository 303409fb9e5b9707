import { pipe } from 'rxjs';
import { filterValue, type StreamElement, watermark } from 'tidemark';
import { describe, it } from 'vitest';
import { checklist, IN, type In, refusesNonFunctions } from '../helpers/checklist.js';
import { marbles } from '../helpers/marbles.js';

describe('filterValue', () => {
  checklist({
    operator: filterValue<number, string>((value) => value !== 3),
    output: (element): In | undefined => (element._tag === 'Record' && element.value === 3 ? undefined : element),
    twice: pipe(
      filterValue<number, string>((value) => value !== 3),
      filterValue((value) => value !== 3),
    ),
    throwing: (fail) =>
      filterValue<number, string>((value) => {
        fail(value);
        return true;
      }),
    statuses: true,
  });
  refusesNonFunctions('filterValue', 'predicate', filterValue);

  it(
    'watermark: one that follows a record left out still passes',
    marbles((m) => {
      const none = m.cold<In>('  aVbIWc|', IN).pipe(filterValue(() => false));
      m.expect(none).toBeObservable('-V-IW-|', IN);
    }),
  );

  it(
    'gives the predicate the value and the time',
    marbles((m) => {
      const source = m.cold<In>('abc|', IN);
      m.expect(source.pipe(filterValue((value, timestamp) => value === 1 || timestamp === 30))).toBeObservable('a-c|', IN);
    }),
  );

  it(
    'narrows by a guard',
    marbles((m) => {
      type Shape = { readonly kind: 'circle'; readonly r: number } | { readonly kind: 'dot' };
      const isCircle = (shape: Shape): shape is Shape & { readonly kind: 'circle' } => shape.kind === 'circle';
      const source = m.cold<StreamElement<Shape>>('abW|', {
        a: { _tag: 'Record', value: { kind: 'circle', r: 2 }, timestamp: 1, key: undefined },
        b: { _tag: 'Record', value: { kind: 'dot' }, timestamp: 2, key: undefined },
        W: watermark(2),
      });
      const circles = source.pipe(filterValue(isCircle));
      m.expect(circles).toBeObservable('a-W|', {
        a: { _tag: 'Record', value: { kind: 'circle', r: 2 }, timestamp: 1, key: undefined },
        W: watermark(2),
      });
    }),
  );

  it.each([
    [0, '-'],
    ['', '-'],
    [null, '-'],
    [undefined, '-'],
    [false, '-'],
    [NaN, '-'],
    [0n, '-'],
    ['0', 'v'],
    [[], 'v'],
    [-1, 'v'],
  ])('Boolean keeps what is truthy: %s', (value, out) =>
    marbles((m) => {
      const v = { _tag: 'Record', value, timestamp: 1, key: undefined } as const;
      m.expect(m.cold<StreamElement<unknown>>('v|', { v }).pipe(filterValue(Boolean))).toBeObservable(`${out}|`, { v });
    })(),
  );
});

import * as O from 'fp-ts/lib/Option.js';
import { pipe } from 'rxjs';
import { filterMapValue, keyedRecord } from 'tidemark';
import { describe, it } from 'vitest';
import { checklist, IN, type In, refusesNonFunctions, withValue } from '../helpers/checklist.js';
import { marbles } from '../helpers/marbles.js';

const small = (value: number): O.Option<number> => (value === 3 ? O.none : O.some(value * 10));

describe('filterMapValue', () => {
  checklist({
    operator: filterMapValue<number, number, string>(small),
    output: (element): In | undefined =>
      element._tag === 'Record' && element.value === 3 ? undefined : withValue(element, (value) => value * 10),
    twice: pipe(filterMapValue<number, number, string>(small), filterMapValue(small)),
    outputTwice: (element) => withValue(element, (value) => value * 100),
    throwing: (fail) =>
      filterMapValue<number, number, string>((value) => {
        fail(value);
        return small(value);
      }),
    statuses: true,
  });
  refusesNonFunctions('filterMapValue', 'f', filterMapValue);

  it(
    'watermark: one that follows a record left out still passes',
    marbles((m) => {
      const none = m.cold<In>('  aVbIWc|', IN).pipe(filterMapValue(() => O.none));
      m.expect(none).toBeObservable('-V-IW-|', { V: IN.V, I: IN.I, W: IN.W });
    }),
  );

  it(
    'gives f the value and the time, keeps time and key, and some(undefined) is a value',
    marbles((m) => {
      const result = m
        .cold<In>('ab|', IN)
        .pipe(filterMapValue((value, at) => O.some(value === 1 ? `${value}@${at}` : undefined)));
      m.expect(result).toBeObservable('ab|', { a: keyedRecord('1@10', 10, 'k'), b: keyedRecord(undefined, 20, 'k') });
    }),
  );
});

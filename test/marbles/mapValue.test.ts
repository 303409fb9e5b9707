import { pipe } from 'rxjs';
import { keyedRecord, mapValue, record } from 'tidemark';
import { describe, it } from 'vitest';
import { checklist, type In, refusesNonFunctions, withValue } from '../helpers/checklist.js';
import { marbles } from '../helpers/marbles.js';

const tenfold = (value: number): number => value * 10;

describe('mapValue', () => {
  checklist({
    operator: mapValue<number, number, string>(tenfold),
    output: (element) => withValue(element, tenfold),
    twice: pipe(mapValue<number, number, string>(tenfold), mapValue(tenfold)),
    outputTwice: (element) => withValue(element, (value) => value * 100),
    throwing: (fail) =>
      mapValue<number, number, string>((value) => {
        fail(value);
        return tenfold(value);
      }),
    statuses: true,
  });
  refusesNonFunctions('mapValue', 'project', mapValue);

  it(
    'gives project the value and the time, and keeps time and key',
    marbles((m) => {
      const source = m.cold<In>('ab|', { a: keyedRecord(1, 10, 'k'), b: keyedRecord(2, -5, 'l') });
      m.expect(source.pipe(mapValue((value, timestamp) => `${value}@${timestamp}`))).toBeObservable('ab|', {
        a: keyedRecord('1@10', 10, 'k'),
        b: keyedRecord('2@-5', -5, 'l'),
      });
    }),
  );

  it(
    'maps to undefined too',
    marbles((m) => {
      m.expect(m.cold('a|', { a: record(1, 10) }).pipe(mapValue(() => undefined))).toBeObservable('a|', {
        a: record(undefined, 10),
      });
    }),
  );
});

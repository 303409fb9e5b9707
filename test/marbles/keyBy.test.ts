import { pipe } from 'rxjs';
import { keyBy, keyedRecord, record, type StreamElement } from 'tidemark';
import { describe, it } from 'vitest';
import { checklist, type In, refusesNonFunctions } from '../helpers/checklist.js';
import { marbles } from '../helpers/marbles.js';

const parity = (value: number): string => (value % 2 === 0 ? 'even' : 'odd');
const rekeyed = (element: In): StreamElement<number, string> =>
  element._tag === 'Record' ? keyedRecord(element.value, element.timestamp, parity(element.value)) : element;

describe('keyBy', () => {
  checklist({
    operator: keyBy<number, string>(parity),
    output: rekeyed,
    twice: pipe(
      keyBy((value: number) => value),
      keyBy(parity),
    ),
    throwing: (fail) =>
      keyBy<number, string>((value) => {
        fail(value);
        return parity(value);
      }),
    statuses: true,
  });
  refusesNonFunctions('keyBy', 'key', keyBy);

  it(
    'gives the key function the value and the time; value and time stay',
    marbles((m) => {
      const source = m.cold('ab|', { a: record('x', 10), b: record('y', 20) });
      m.expect(source.pipe(keyBy((value, timestamp) => `${value}${timestamp}`))).toBeObservable('ab|', {
        a: keyedRecord('x', 10, 'x10'),
        b: keyedRecord('y', 20, 'y20'),
      });
    }),
  );
});

import fc from 'fast-check';
import { from, pipe } from 'rxjs';
import { keyedRecord, lastPerKey, type StreamElement, type StreamRecord } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { stream } from '../helpers/arbitraries.js';
import { sortedOnTime, sortedRows } from '../helpers/sortedRows.js';
import { r, through, W } from '../pitfalls/notation.js';

const operator = () => lastPerKey<number, string>({ within: 5 });

describe('lastPerKey', () => {
  sortedRows({
    operator: operator(),
    output: (element) => element,
    twice: pipe(operator(), operator()),
    outputTwice: (element) => element,
  });

  it.each([-1, 0.5, NaN])('arguments: refuses a within of %s when it is built', (within) => {
    expect(() => lastPerKey({ within })).toThrow(
      new RangeError(`lastPerKey: within is ${within}, it must be a whole number of ms ≥ 0 or Infinity`),
    );
  });

  it('the last in event time, once the key has been silent for long enough; the watermark is held behind it', () => {
    const input = [r(3), r(1), W(5), r(13), W(13), W(22), W(23), r(30)];
    expect(through(lastPerKey({ within: 10 }), input)).toEqual([...['W(2)', 'W(12)', '13@13', 'W(23)', '30@30', 'W(MAX)', '|']]);
    expect(through(lastPerKey(), input)).toEqual(['W(2)', 'W(12)', '30@30', 'W(MAX)', '|']);
  });

  it('at the end the last of all keys, in the order of their times', () => {
    const input = [keyedRecord('a', 9, 'k'), keyedRecord('b', 3, 'l'), keyedRecord('c', 3, 'l')];
    expect(through(lastPerKey(), input)).toEqual(['l:c@3', 'k:a@9', 'W(MAX)', '|']);
  });

  it('law: the same as a walk over the sorted records, and never behind the watermark', () => {
    fc.assert(
      fc.property(stream, fc.option(fc.nat(12), { nil: Infinity }), (elements, within) => {
        const sorted = sortedOnTime(elements);
        const expected = sorted.filter(
          (record, i) =>
            !sorted.slice(i + 1).some((later) => later.key === record.key && later.timestamp <= record.timestamp + within),
        );
        const out: StreamElement<number, string>[] = [];
        from(elements)
          .pipe(lastPerKey({ within }))
          .subscribe((element) => out.push(element));
        const records: StreamRecord<number, string>[] = [];
        let time = -Infinity;
        for (const element of out) {
          if (element._tag === 'Watermark') time = element.timestamp;
          else {
            expect(element.timestamp).toBeGreaterThan(time);
            records.push(element);
          }
        }
        const byValue = (a: StreamRecord<number, string>, b: StreamRecord<number, string>): number => a.value - b.value;
        expect(records.sort(byValue)).toStrictEqual([...expected].sort(byValue));
      }),
    );
  });
});

import fc from 'fast-check';
import { from, pipe } from 'rxjs';
import { firstPerKey, type StreamRecord } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { recordsOf, stream } from '../helpers/arbitraries.js';
import { sortedOnTime, sortedRows } from '../helpers/sortedRows.js';
import { r, through, W } from '../pitfalls/notation.js';

const operator = () => firstPerKey<number, string>({ within: 5 });

describe('firstPerKey', () => {
  sortedRows({
    operator: operator(),
    output: (element) => element,
    twice: pipe(operator(), operator()),
    outputTwice: (element) => element,
  });

  it.each([-1, 0.5, NaN])('arguments: refuses a within of %s when it is built', (within) => {
    expect(() => firstPerKey({ within })).toThrow(
      new RangeError(`firstPerKey: within is ${within}, it must be a whole number of ms ≥ 0 or Infinity`),
    );
  });

  it('the earliest in event time, not in arrival; once, or again after `within`', () => {
    const input = [r(3), r(1), r(2), W(2), r(11), r(12), W(20), r(21)];
    expect(through(firstPerKey(), input)).toEqual(['1@1', 'W(2)', 'W(20)', 'W(MAX)', '|']);
    expect(through(firstPerKey({ within: 10 }), input)).toEqual(['1@1', 'W(2)', '12@12', 'W(20)', 'W(MAX)', '|']);
  });

  it('law: the same as a walk over the sorted records', () => {
    fc.assert(
      fc.property(stream, fc.option(fc.nat(12), { nil: Infinity }), (elements, within) => {
        const firsts = new Map<string, number>();
        const expected: StreamRecord<number, string>[] = [];
        for (const record of sortedOnTime(elements)) {
          const first = firsts.get(record.key);
          if (first !== undefined && record.timestamp <= first + within) continue;
          firsts.set(record.key, record.timestamp);
          expected.push(record);
        }
        const out: StreamRecord<number, string>[] = [];
        from(elements)
          .pipe(firstPerKey({ within }))
          .subscribe((element) => element._tag === 'Record' && out.push(element));
        expect(out).toStrictEqual(expected);
        expect(recordsOf(out)).toHaveLength(expected.length);
      }),
    );
  });
});

import fc from 'fast-check';
import { from, pipe } from 'rxjs';
import { changes, type StreamRecord } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { stream } from '../helpers/arbitraries.js';
import { sortedOnTime, sortedRows } from '../helpers/sortedRows.js';
import { r, through, W } from '../pitfalls/notation.js';

describe('changes', () => {
  sortedRows({
    operator: changes<number, string>(),
    output: (element) => element,
    twice: pipe(changes<number, string>(), changes<number, string>()),
    outputTwice: (element) => element,
    throwing: (fail) =>
      changes<number, string>((value) => {
        fail(value);
        return value;
      }),
  });
  for (const [value, Kind] of [
    [5, RangeError],
    ['name', TypeError],
  ] as const) {
    it(`arguments: refuses a by of ${value} when it is built`, () => {
      expect(() => changes(value as never)).toThrow(Kind);
    });
  }
  it.each([-1, 0.5, NaN])('arguments: refuses a within of %s when it is built', (within) => {
    expect(() => changes(String, { within })).toThrow(
      new RangeError(`changes: within is ${within}, it must be a whole number of ms ≥ 0 or Infinity`),
    );
  });

  it('compares with the record before it in event time; a forgotten key begins anew', () => {
    const input = [r(3, 'b'), r(1, 'a'), r(2, 'a'), r(4, 'b'), W(9), r(15, 'b'), W(30)];
    expect(through(changes(), input)).toEqual(['a@1', 'b@3', 'W(9)', 'W(30)', 'W(MAX)', '|']);
    expect(through(changes(String, { within: 10 }), input)).toEqual(['a@1', 'b@3', 'W(9)', 'b@15', 'W(30)', 'W(MAX)', '|']);
  });

  it('law: the same as a walk over the sorted records', () => {
    const by = (value: number): number => value % 2;
    fc.assert(
      fc.property(stream, fc.option(fc.nat(12), { nil: Infinity }), (elements, within) => {
        const before = new Map<string, StreamRecord<number, string>>();
        const expected = sortedOnTime(elements).filter((record) => {
          const last = before.get(record.key);
          before.set(record.key, record);
          return last === undefined || by(last.value) !== by(record.value) || record.timestamp > last.timestamp + within;
        });
        const out: unknown[] = [];
        from(elements)
          .pipe(changes(by, { within }))
          .subscribe((element) => element._tag === 'Record' && out.push(element));
        expect(out).toStrictEqual(expected);
      }),
    );
  });
});

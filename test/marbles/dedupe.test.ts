import fc from 'fast-check';
import { from, type OperatorFunction, pipe } from 'rxjs';
import { counters, dedupe, MissingTimestampError, record, type StreamElement, watermark } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { recordsOf, stream } from '../helpers/arbitraries.js';
import { type In, refusesNonFunctions } from '../helpers/checklist.js';
import { sortedRows } from '../helpers/sortedRows.js';
import { r, through, W } from '../pitfalls/notation.js';

const self = (value: number): number => value;
const operator = (): OperatorFunction<In, In> => dedupe<number, string>(self, { within: 5 });

describe('dedupe', () => {
  sortedRows({
    operator: operator(),
    output: (element) => element,
    twice: pipe(operator(), operator()),
    outputTwice: (element) => element,
    prompt: true,
    throwing: (fail) =>
      dedupe<number, string>(
        (value) => {
          fail(value);
          return value;
        },
        { within: 5 },
      ),
  });
  refusesNonFunctions('dedupe', 'by', (by) => dedupe(by, { within: 1 }));

  it.each([-1, 0.5, NaN])('arguments: refuses a within of %s when it is built', (within) => {
    expect(() => dedupe(self, { within })).toThrow(
      new RangeError(`dedupe: within is ${within}, it must be a whole number of ms ≥ 0 or Infinity`),
    );
  });

  it('duplicates are at most `within` apart, before or after, from one that has passed', () => {
    const input = [r(10, 1), r(15, 1), r(16, 1), r(5, 1), r(4, 1), r(10, 2)];
    expect(through(dedupe(self, { within: 5 }), input)).toEqual(['1@10', '1@16', '1@4', '2@10', 'W(MAX)', '|']);
  });

  it('late: at the watermark or behind it nobody knows', () => {
    const seen = counters();
    const late: number[] = [];
    const config = { within: 5, counters: seen, lateTo: ({ timestamp }: { timestamp: number }) => late.push(timestamp) };
    expect(through(dedupe(self, config), [r(10, 1), W(12), r(12, 3), r(13, 1), W(15), r(16, 1)])).toEqual([
      ...['1@10', 'W(12)', 'W(15)', '1@16', 'W(MAX)', '|'],
    ]);
    expect([late, seen.late, seen.records, seen.discarded]).toEqual([[12], 1, 4, 1]); // 13 is a duplicate of 10
  });

  it('a record without a time is an error', () => {
    for (const time of [Infinity, -Infinity]) {
      let error: unknown;
      from([watermark(1), record(1, time)])
        .pipe(dedupe(self, { within: 1 }))
        .subscribe({ error: (cause) => (error = cause) });
      expect(error).toBeInstanceOf(MissingTimestampError);
    }
  });

  it('law: the same as asking everything that has passed', () => {
    const by = (value: number): number => value % 3;
    fc.assert(
      fc.property(stream, fc.nat(12), (elements, within) => {
        const passed: StreamElement<number, string>[] = [];
        let time = -Infinity;
        for (const element of elements) {
          if (element._tag === 'Watermark') time = Math.max(time, element.timestamp);
          else if (element.timestamp > time) {
            const twin = recordsOf(passed).some(
              (other) =>
                other.key === element.key &&
                by(other.value) === by(element.value) &&
                Math.abs(other.timestamp - element.timestamp) <= within,
            );
            if (!twin) passed.push(element);
          }
        }
        const out: In[] = [];
        from(elements)
          .pipe(dedupe(by, { within }))
          .subscribe((element) => out.push(element));
        expect(recordsOf(out)).toStrictEqual(passed);
      }),
    );
  });
});

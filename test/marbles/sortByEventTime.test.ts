import fc from 'fast-check';
import { from, type OperatorFunction, pipe } from 'rxjs';
import {
  counters,
  MissingTimestampError,
  record,
  type SortConfig,
  type StreamRecord,
  sideOutput,
  sortByEventTime,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { recordsOf, stream } from '../helpers/arbitraries.js';
import type { In } from '../helpers/checklist.js';
import { sortedRows } from '../helpers/sortedRows.js';
import { MAX, r, through, W } from '../pitfalls/notation.js';

const sort = (config?: SortConfig<number, string>): OperatorFunction<In, In> => sortByEventTime<number, string>(config);

describe('sortByEventTime', () => {
  sortedRows({
    operator: sort(),
    output: (element) => element,
    twice: pipe(sort(), sort()),
    outputTwice: (element) => element,
  });

  it('sorts by time, and keeps the order of arrival of equal times', () => {
    const input = [r(3, 'c'), r(1, 'a'), r(3, 'd'), r(2, 'b'), r(3, 'e'), W(2), r(9, 'f'), r(3, 'g'), W(8)];
    expect(through(sortByEventTime(), input)).toEqual([
      ...['a@1', 'b@2', 'W(2)', 'c@3', 'd@3', 'e@3', 'g@3', 'W(8)', 'f@9', 'W(MAX)', '|'],
    ]);
  });

  it('throws: what the late output throws is the error, unchanged', () => {
    const cause = { not: 'an Error' };
    const fail = (): never => {
      throw cause;
    };
    let error: unknown;
    from([W(5), r(5)])
      .pipe(sortByEventTime({ lateTo: fail }))
      .subscribe({ error: (thrown) => (error = thrown) });
    expect(error).toBe(cause);
  });

  it('late: at the watermark or behind it; counted, and to be had', () => {
    const late = sideOutput<StreamRecord<number>>();
    const seen = counters();
    const words: string[] = [];
    late.subscribe({ next: ({ value }) => words.push(`late ${value}`), complete: () => words.push('late |') });
    expect(through(sortByEventTime({ lateTo: late, counters: seen }), [W(5), r(5), r(6), r(4), W(MAX), r(7)])).toEqual([
      ...['W(5)', '6@6', 'W(MAX)', '|'],
    ]);
    expect(words).toEqual(['late 5', 'late 4', 'late 7', 'late |']);
    expect(seen).toMatchObject({ records: 4, late: 3 });
  });

  it('a full buffer lets its earliest go, and what is earlier still is late', () => {
    const seen = counters();
    const config = { maxBuffer: 2, counters: seen };
    expect(through(sortByEventTime(config), [r(5), r(3), r(7), r(3, 33), r(2), r(4), W(9)])).toEqual([
      ...['3@3', '33@3', '4@4', '5@5', '7@7', 'W(9)', 'W(MAX)', '|'],
    ]);
    expect(seen).toMatchObject({ records: 6, late: 1 });
  });

  it('a record without a time is an error', () => {
    for (const time of [Infinity, -Infinity]) {
      let error: unknown;
      from([watermark(1), record('a', time)])
        .pipe(sortByEventTime())
        .subscribe({ error: (cause) => (error = cause) });
      expect(error).toBeInstanceOf(MissingTimestampError);
    }
  });

  it.each([0, -1, 1.5, NaN])('arguments: refuses a maxBuffer of %s when it is built', (maxBuffer) => {
    expect(() => sortByEventTime({ maxBuffer })).toThrow(
      new RangeError(`sortByEventTime: maxBuffer is ${maxBuffer}, it must be a whole number ≥ 1 or Infinity`),
    );
  });

  it('law: what comes out is sorted, nothing is lost, and no record is behind a watermark that came before it', () => {
    fc.assert(
      fc.property(stream, fc.option(fc.integer({ min: 1, max: 5 }), { nil: Infinity }), (elements, maxBuffer) => {
        const late: number[] = [];
        const out: In[] = [];
        from(elements)
          .pipe(sort({ maxBuffer, lateTo: ({ value }) => late.push(value) }))
          .subscribe((element) => out.push(element));
        let time = -Infinity;
        let last = -Infinity;
        for (const element of out) {
          if (element._tag === 'Watermark') {
            time = element.timestamp;
            continue;
          }
          expect(element.timestamp).toBeGreaterThanOrEqual(last);
          expect(element.timestamp).toBeGreaterThan(time);
          last = element.timestamp;
        }
        const values = recordsOf(out).map(({ value }) => value);
        expect([...values, ...late].sort((a, b) => a - b)).toEqual(recordsOf(elements).map(({ value }) => value));
      }),
    );
  });
});

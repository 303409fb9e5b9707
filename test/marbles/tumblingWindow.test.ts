import {
  aggregates,
  assignWatermarks,
  boundedOutOfOrderness,
  MAX_TIMESTAMP,
  mapValue,
  record,
  tumblingWindow,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { windowed } from '../helpers/elements.js';
import { marbles } from '../helpers/marbles.js';
import { windowRows } from '../helpers/windowRows.js';

windowRows('tumblingWindow', (size, aggregate, config) => tumblingWindow(size, aggregate, config));

describe('tumblingWindow', () => {
  it(
    'watermark: closes a window when the tick after its last millisecond arrives',
    marbles((m) => {
      const source = m.hot('a 9ms b 9ms c 399ms |', {
        a: { at: 1_000, v: 1 },
        b: { at: 4_999, v: 2 },
        c: { at: 6_000, v: 3 },
      });
      const result = source.pipe(
        assignWatermarks(boundedOutOfOrderness(1_000), { timestamp: (e) => e.at, interval: 200 }),
        mapValue((e) => e.v),
        tumblingWindow(5_000, aggregates.sum()),
      );
      // the tick at 200 says 6000 - 1000 - 1 = 4999, the one at 400 nothing new; completion flushes
      m.expect(result).toBeObservable('200ms (xW) 216ms (yZ|)', {
        x: record(windowed(0, 5_000, 3), 4_999),
        W: watermark(4_999),
        y: record(windowed(5_000, 10_000, 3), 9_999),
        Z: watermark(MAX_TIMESTAMP),
      });
    }),
  );

  it(
    'boundary: by size alone it collects',
    marbles((m) => {
      const source = m.hot('ab|', { a: record(1, 1), b: record(2, 2) });
      m.expect(source.pipe(tumblingWindow(10))).toBeObservable('--(xZ|)', {
        x: record(windowed(0, 10, [1, 2]), 9),
        Z: watermark(MAX_TIMESTAMP),
      });
    }),
  );

  it('arguments: errors name this operator', () => {
    expect(() => tumblingWindow(0)).toThrow(/^tumblingWindow: size is 0, it must be a whole number/);
    expect(() => tumblingWindow(10, aggregates.count(), { allowedLateness: -1 })).toThrow(/^tumblingWindow: allowedLateness/);
  });
});

import {
  aggregates,
  assignWatermarks,
  boundedOutOfOrderness,
  keyedRecord,
  MAX_TIMESTAMP,
  mapValue,
  record,
  tumblingWindow,
  watermark,
} from 'tidemark';
import { describe, it } from 'vitest';
import { keyedWindow, windowed } from '../helpers/elements.js';
import { marbles } from '../helpers/marbles.js';

describe('tumblingWindow', () => {
  it(
    'closes a window when the tick after its last millisecond arrives',
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
    'fires equal ends in the order in which the keys appeared in the window',
    marbles((m) => {
      const source = m.cold('abcd(W|)', {
        a: keyedRecord(1, 25, 'a'),
        b: keyedRecord(1, 5, 'b'),
        c: keyedRecord(1, 15, 'a'),
        d: keyedRecord(1, 5, 'a'),
        W: watermark(29),
      });
      m.expect(source.pipe(tumblingWindow(10, aggregates.count()))).toBeObservable('----(bacdWZ|)', {
        b: record(keyedWindow('b', 0, 10, 1), 9),
        a: record(keyedWindow('a', 0, 10, 1), 9),
        c: record(keyedWindow('a', 10, 20, 1), 19),
        d: record(keyedWindow('a', 20, 30, 1), 29),
        W: watermark(29),
        Z: watermark(MAX_TIMESTAMP),
      });
    }),
  );

  it(
    'fires a processing-time window [0, 1000) in frame 1000',
    marbles((m) => {
      const source = m.hot('a 998ms b 5ms c 10ms |', { a: record('a', 7), b: record('b', 7), c: record('c', 7) });
      const result = source.pipe(tumblingWindow(1_000, aggregates.collect(), { clock: 'processing' }));
      m.expect(result).toBeObservable('1000ms x 15ms (yZ|)', {
        x: record(windowed(0, 1_000, ['a', 'b']), 999),
        y: record(windowed(1_000, 2_000, ['c']), 1_999),
        Z: watermark(MAX_TIMESTAMP),
      });
    }),
  );
});

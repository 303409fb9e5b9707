import { Subject } from 'rxjs';
import {
  aggregates,
  counters,
  keyedRecord,
  MAX_TIMESTAMP,
  record,
  type StreamElement,
  type StreamRecord,
  sideOutput,
  slidingWindow,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { keyedWindow, latePane, windowed } from '../helpers/elements.js';
import { marbles } from '../helpers/marbles.js';
import { play } from '../helpers/play.js';
import { ProbeScheduler } from '../helpers/probeScheduler.js';
import { windowRows } from '../helpers/windowRows.js';

const { collect, count } = aggregates;
const Z = watermark(MAX_TIMESTAMP);
type In = StreamElement<string>;

// a slide of the size makes tumbling windows
windowRows('slidingWindow', (size, aggregate, config) => slidingWindow(size, size, aggregate, config));

describe('slidingWindow: windows that overlap', () => {
  it(
    'V1 boundary: each fires at its own end, with the records that it holds',
    marbles((m) => {
      const source = m.hot<In>('ab 8ms T 9ms U 9ms V 9ms W 9ms |', {
        a: record('a', 7),
        b: record('b', 12),
        T: watermark(8),
        U: watermark(9),
        V: watermark(13),
        W: watermark(14),
      });
      m.expect(source.pipe(slidingWindow(10, 5, collect()))).toBeObservable('10ms T 9ms (xU) 6ms V 9ms (yW) 6ms (zZ|)', {
        T: watermark(8),
        x: record(windowed(0, 10, ['a']), 9),
        U: watermark(9),
        V: watermark(13),
        y: record(windowed(5, 15, ['a', 'b']), 14),
        W: watermark(14),
        z: record(windowed(10, 20, ['b']), 19),
        Z,
      });
    }),
  );

  it('T3 boundary: a slide that does not divide the size, negative times and offsets floor', () => {
    const windowsOf = (at: number, offset = 0): string[] =>
      play(() => slidingWindow(10, 4, count(), { offset }), [record('a', at), '|'])
        .flat()
        .flatMap((word) => word.match(/^\[.*\)/) ?? []);
    expect(windowsOf(9)).toEqual(['[0,10)', '[4,14)', '[8,18)']);
    expect(windowsOf(10)).toEqual(['[4,14)', '[8,18)']);
    expect(windowsOf(-1)).toEqual(['[-8,2)', '[-4,6)']);
    expect(windowsOf(-1, -3)).toEqual(['[-7,3)', '[-3,7)']);
    expect(windowsOf(0, 3)).toEqual(['[-9,1)', '[-5,5)', '[-1,9)']);
  });

  it(
    'V1 boundary: equal ends by the first appearance of the key, panes in the order of time',
    marbles((m) => {
      const source = m.hot<StreamElement<string, string>>('abc(W|)', {
        a: keyedRecord('1', 7, 'late pane'),
        b: keyedRecord('2', 3, 'early pane'),
        c: keyedRecord('3', 8, 'early pane'),
        W: watermark(9),
      });
      m.expect(source.pipe(slidingWindow(10, 5, count()))).toBeObservable('---(uxyWvwZ|)', {
        u: record(keyedWindow('early pane', -5, 5, 1), 4),
        x: record(keyedWindow('early pane', 0, 10, 2), 9),
        y: record(keyedWindow('late pane', 0, 10, 1), 9),
        W: watermark(9),
        v: record(keyedWindow('late pane', 5, 15, 1), 14),
        w: record(keyedWindow('early pane', 5, 15, 1), 14),
        Z,
      });
    }),
  );

  for (const [kind, aggregate] of [
    ['shared', count()],
    ['by themselves', aggregates.mapResult((all: ReadonlyArray<string>) => all.length)(collect<string>())],
  ] as const) {
    it(
      `V3 late: windows folded ${kind}: one record fires several again, from the latest start back`,
      marbles((m) => {
        const source = m.hot<In>('a 9ms W 9ms b', { a: record('a', 7), W: watermark(20), b: record('b', 8) });
        const result = source.pipe(slidingWindow(10, 5, aggregate, { allowedLateness: 100 }));
        m.expect(result, '^ 25ms !').toBeObservable('10ms (xyW) 5ms (zw)', {
          x: record(windowed(0, 10, 1), 9),
          y: record(windowed(5, 15, 1), 14),
          W: watermark(20),
          z: record(windowed(5, 15, 2, latePane(1)), 14),
          w: record(windowed(0, 10, 2, latePane(1)), 9),
        });
      }),
    );

    it(
      `V2 late: windows folded ${kind}: the late ones of a record are skipped; it is late only for all, and then once`,
      marbles((m) => {
        const seen = counters();
        const lateTo = sideOutput<StreamRecord<string>>();
        const source = m.hot<In>('U 9ms a 9ms W 9ms b 9ms |', {
          U: watermark(9),
          a: record('a', 7), // [0, 10) is over, [5, 15) is not
          W: watermark(14),
          b: record('b', 8),
        });
        m.expect(lateTo).toBeObservable('30ms b 9ms |', { b: record('b', 8) });
        m.expect(source.pipe(slidingWindow(10, 5, aggregate, { lateTo, counters: seen }))).toBeObservable(
          'U 19ms (xW) 16ms (Z|)',
          { U: watermark(9), x: record(windowed(5, 15, 1), 14), W: watermark(14), Z },
        );
        m.scheduler.schedule(() => expect(seen).toMatchObject({ records: 2, late: 1, unassigned: 0, discarded: 0 }), 50);
      }),
    );

    it(`V2 late: windows folded ${kind}: in a gap a record is unassigned, and late once its own time is over`, () => {
      const seen = counters();
      const late: string[] = [];
      const config = { counters: seen, allowedLateness: 2, lateTo: ({ value }: StreamRecord<string>) => late.push(value) };
      const words = play<string>(
        () => slidingWindow(5, 10, aggregate, config),
        [record('a', 4), record('b', 7), watermark(7), record('c', 7), watermark(9), record('d', 7), '|'],
      );
      expect(words).toEqual([[], [], ['[0,5) 1 onTime 0', 'W(7)'], [], ['W(9)'], [], ['W(MAX)', '|']]);
      expect(late).toEqual(['d']);
      expect(seen).toMatchObject({ records: 4, late: 1, unassigned: 2, discarded: 0 });
    });
  }

  it(
    'T6 boundary: by the clock a record is in the windows of its arrival, each of which fires in the frame of its end',
    marbles((m) => {
      const source = m.hot<In>('7ms a', { a: record('a', 0) });
      const result = source.pipe(slidingWindow(10, 5, count(), { clock: 'processing' }));
      m.expect(result, '^ 30ms !').toBeObservable('10ms x 4ms y', {
        x: record(windowed(0, 10, 1), 9),
        y: record(windowed(5, 15, 1), 14),
      });
    }),
  );

  it('timers: by the clock there is one wake-up at a time, and none after the last window', () => {
    const scheduler = new ProbeScheduler();
    const source = new Subject<In>();
    source.pipe(slidingWindow(10, 5, count(), { clock: 'processing', scheduler })).subscribe();
    source.next(record('a', 0));
    expect(scheduler.pending).toBe(1);
    scheduler.advanceTo(5);
    expect(scheduler.pending).toBe(1);
    scheduler.advanceTo(10);
    expect(scheduler.pending).toBe(0);
  });

  it('C4 arguments: slide and offset are checked against each other, when the operator is built', () => {
    for (const slide of [0, -1, NaN, 1.5, Infinity]) {
      expect(() => slidingWindow(10, slide, count())).toThrow(RangeError);
      expect(() => slidingWindow(10, slide, count())).toThrow(`slide is ${slide}, it must be a whole number of ms`);
    }
    expect(() => slidingWindow(10, 5, count(), { offset: 5 })).toThrow(/offset is 5, it must be .*\|offset\| < 5/);
    expect(() => slidingWindow(10, 5, count(), { offset: -4 })).not.toThrow();
    expect(() => slidingWindow(5, 10, count(), { offset: 9 })).not.toThrow();
  });
});

import { Subject } from 'rxjs';
import {
  aggregates,
  counters,
  cumulativeWindow,
  MAX_TIMESTAMP,
  record,
  type StreamElement,
  type StreamRecord,
  sideOutput,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { latePane, windowed } from '../helpers/elements.js';
import { marbles } from '../helpers/marbles.js';
import { play } from '../helpers/play.js';
import { ProbeScheduler } from '../helpers/probeScheduler.js';
import { windowRows } from '../helpers/windowRows.js';

const { collect, count } = aggregates;
const Z = watermark(MAX_TIMESTAMP);
type In = StreamElement<string>;

// one step of the whole size makes tumbling windows
windowRows('cumulativeWindow', (size, aggregate, config) => cumulativeWindow(size, size, aggregate, config));

describe('cumulativeWindow: windows that grow', () => {
  it(
    'V1 boundary: one result a step, each with everything since the start, then anew',
    marbles((m) => {
      const source = m.hot<In>('abc 7ms U 9ms V 9ms W 9ms |', {
        a: record('a', 2),
        b: record('b', 7),
        c: record('c', 15), // the first of the next fifteen
        U: watermark(4),
        V: watermark(8),
        W: watermark(14),
      });
      m.expect(source.pipe(cumulativeWindow(5, 15, collect()))).toBeObservable('10ms (xU) 6ms V 9ms (yzW) 5ms (uvwZ|)', {
        x: record(windowed(0, 5, ['a']), 4),
        U: watermark(4),
        V: watermark(8),
        y: record(windowed(0, 10, ['a', 'b']), 9),
        z: record(windowed(0, 15, ['a', 'b']), 14),
        W: watermark(14),
        u: record(windowed(15, 20, ['c']), 19),
        v: record(windowed(15, 25, ['c']), 24),
        w: record(windowed(15, 30, ['c']), 29),
        Z,
      });
    }),
  );

  it('T3 boundary: a record is in the windows that end after it; negative times and offsets floor', () => {
    const windowsOf = (at: number, offset = 0): string[] =>
      play(() => cumulativeWindow(5, 15, count(), { offset }), [record('a', at), '|'])
        .flat()
        .flatMap((word) => word.match(/^\[.*\)/) ?? []);
    expect(windowsOf(4)).toEqual(['[0,5)', '[0,10)', '[0,15)']);
    expect(windowsOf(5)).toEqual(['[0,10)', '[0,15)']);
    expect(windowsOf(14)).toEqual(['[0,15)']);
    expect(windowsOf(-1)).toEqual(['[-15,0)']);
    expect(windowsOf(-11)).toEqual(['[-15,-10)', '[-15,-5)', '[-15,0)']);
    expect(windowsOf(1, 2)).toEqual(['[-13,2)']);
    expect(windowsOf(2, 2)).toEqual(['[2,7)', '[2,12)', '[2,17)']);
    expect(windowsOf(0, -14)).toEqual(['[-14,1)']);
  });

  it(
    'V2 late: steps that are over are skipped; a record is late when its whole window is, and then once',
    marbles((m) => {
      const seen = counters();
      const lateTo = sideOutput<StreamRecord<string>>();
      const source = m.hot<In>('U 9ms a 9ms W 9ms b 9ms |', {
        U: watermark(9),
        a: record('a', 2), // [0, 5) and [0, 10) are over, [0, 15) is not
        W: watermark(14),
        b: record('b', 3),
      });
      m.expect(lateTo).toBeObservable('30ms b 9ms |', { b: record('b', 3) });
      m.expect(source.pipe(cumulativeWindow(5, 15, count(), { lateTo, counters: seen }))).toBeObservable(
        'U 19ms (xW) 16ms (Z|)',
        {
          U: watermark(9),
          x: record(windowed(0, 15, 1), 14),
          W: watermark(14),
          Z,
        },
      );
      m.scheduler.schedule(() => expect(seen).toMatchObject({ records: 2, late: 1, unassigned: 0, discarded: 0 }), 50);
    }),
  );

  it(
    'V3 late: within the lateness a record fires the longest window first',
    marbles((m) => {
      const source = m.hot<In>('a 9ms W 9ms b', { a: record('a', 2), W: watermark(9), b: record('b', 3) });
      m.expect(source.pipe(cumulativeWindow(5, 15, count(), { allowedLateness: 5 })), '^ 25ms !').toBeObservable(
        '10ms (xyW) 5ms z',
        {
          x: record(windowed(0, 5, 1), 4),
          y: record(windowed(0, 10, 1), 9),
          W: watermark(9),
          z: record(windowed(0, 10, 2, latePane(1)), 9), // [0, 5) went at 4 + 5
        },
      );
    }),
  );

  it('timers: by the clock each step fires in the frame of its end, with one wake-up at a time', () => {
    const scheduler = new ProbeScheduler();
    const source = new Subject<In>();
    const seen: number[] = [];
    source
      .pipe(cumulativeWindow(5, 15, count(), { clock: 'processing', scheduler }))
      .subscribe(({ timestamp }) => seen.push(scheduler.now(), timestamp));
    source.next(record('a', 0));
    for (const at of [4, 5, 9, 10, 14]) {
      scheduler.advanceTo(at);
      expect(scheduler.pending).toBe(1);
    }
    scheduler.advanceTo(15);
    expect(seen).toEqual([5, 4, 10, 9, 15, 14]);
    expect(scheduler.pending).toBe(0);
  });

  it('C4 arguments: the size is a multiple of the step, when the operator is built', () => {
    for (const step of [0, -1, NaN, 1.5, Infinity]) {
      expect(() => cumulativeWindow(step, 15, count())).toThrow(RangeError);
      expect(() => cumulativeWindow(step, 15, count())).toThrow(`step is ${step}, it must be a whole number of ms`);
    }
    expect(() => cumulativeWindow(4, 15, count())).toThrow(/size is 15, it must be a multiple of step \(4\)/);
    expect(() => cumulativeWindow(20, 10, count())).toThrow(RangeError);
  });
});

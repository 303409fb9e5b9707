import { asyncScheduler, map, Subject } from 'rxjs';
import {
  aggregates,
  assigners,
  counters,
  keyedRecord,
  MAX_TIMESTAMP,
  type MergingAssigner,
  record,
  type StreamElement,
  type StreamRecord,
  sideOutput,
  type TimeWindow,
  toValues,
  type WindowAssigner,
  watermark,
  windowBy,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { sessions, sliding } from '../helpers/assigners.js';
import { keyedWindow, latePane, windowed } from '../helpers/elements.js';
import { marbles } from '../helpers/marbles.js';
import { windowRows } from '../helpers/windowRows.js';

const { collect, count } = aggregates;
const Z = watermark(MAX_TIMESTAMP);
type In = StreamElement<string>;

windowRows('windowBy', (size, aggregate, { offset = 0, clock = 'event', ...config } = {}) =>
  windowBy(assigners.tumbling(size, { offset, clock }), aggregate, config),
);

describe('windowBy: windows that overlap or leave gaps', () => {
  it(
    'V1 boundary: each overlapping window fires at its own end, with the records that it holds',
    marbles((m) => {
      const source = m.hot<In>('ab 8ms U 9ms V 9ms W', {
        a: record('a', 7),
        b: record('b', 12),
        U: watermark(9),
        V: watermark(13),
        W: watermark(14),
      });
      m.expect(source.pipe(windowBy(sliding(10, 5), collect())), '^ 30ms !').toBeObservable('10ms (xU) 6ms V 9ms (zW)', {
        x: record(windowed(0, 10, ['a']), 9),
        U: watermark(9),
        V: watermark(13),
        z: record(windowed(5, 15, ['a', 'b']), 14),
        W: watermark(14),
      });
    }),
  );

  it(
    'V1 late: one record that fires several windows again does so from the latest start back',
    marbles((m) => {
      const source = m.hot<In>('a 9ms W 9ms b', { a: record('a', 7), W: watermark(20), b: record('b', 8) });
      const result = source.pipe(windowBy(sliding(10, 5), count(), { allowedLateness: 100 }));
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
    'V2 late: of its windows the late ones are skipped; only if all are late is the record, and then once',
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
      m.expect(source.pipe(windowBy(sliding(10, 5), collect(), { lateTo, counters: seen }))).toBeObservable(
        'U 19ms (xW) 16ms (Z|)',
        {
          U: watermark(9),
          x: record(windowed(5, 15, ['a']), 14),
          W: watermark(14),
          Z,
        },
      );
      asyncScheduler.schedule(() => expect(seen).toMatchObject({ records: 2, late: 1, unassigned: 0 }), 50);
    }),
  );

  it(
    'V2 late: a record in no window is counted as unassigned; once its own time is over, it is late',
    marbles((m) => {
      const seen = counters();
      const lateTo = sideOutput<StreamRecord<string>>();
      const source = m.hot<In>('ab 8ms U 9ms c 9ms V 9ms d |', {
        a: record('a', 4),
        b: record('b', 7), // between [0, 5) and [10, 15)
        U: watermark(7),
        c: record('c', 7), // at the watermark, but within the lateness
        V: watermark(9),
        d: record('d', 7),
      });
      const result = source.pipe(windowBy(sliding(5, 10), collect(), { lateTo, counters: seen, allowedLateness: 2 }));
      m.expect(lateTo).toBeObservable('40ms d|', { d: record('d', 7) });
      m.expect(result).toBeObservable('10ms (xU) 16ms V 10ms (Z|)', {
        x: record(windowed(0, 5, ['a']), 4),
        U: watermark(7),
        V: watermark(9),
        Z,
      });
      asyncScheduler.schedule(() => expect(seen).toMatchObject({ records: 4, late: 1, unassigned: 2 }), 50);
    }),
  );
});

describe('windowBy: windows that merge', () => {
  it(
    'V5 boundary: a session ends one gap after its last record; touching ones merge',
    marbles((m) => {
      const source = m.hot<In>('abc 7ms U 9ms V 9ms |', {
        a: record('a', 0),
        b: record('b', 10), // exactly one gap later
        c: record('c', 21), // one more than a gap later
        U: watermark(18),
        V: watermark(19),
      });
      m.expect(source.pipe(windowBy(sessions(10), collect()))).toBeObservable('10ms U 9ms (xV) 6ms (yZ|)', {
        U: watermark(18),
        x: record(windowed(0, 20, ['a', 'b']), 19),
        V: watermark(19),
        y: record(windowed(21, 31, ['c']), 30),
        Z,
      });
    }),
  );

  it(
    'V5 boundary: a record between two sessions makes them one, in the place of the older',
    marbles((m) => {
      const source = m.hot<StreamElement<string, string>>('abcd 6ms W', {
        a: keyedRecord('a', 16, 'k'),
        b: keyedRecord('b', 16, 'other'),
        c: keyedRecord('c', 0, 'k'),
        d: keyedRecord('d', 8, 'k'), // [8, 18) touches neither end, overlaps both
        W: watermark(25),
      });
      m.expect(source.pipe(windowBy(sessions<string>(10), count())), '^ 10ms !').toBeObservable('10ms (xyW)', {
        x: record(keyedWindow('k', 0, 26, 3), 25),
        y: record(keyedWindow('other', 16, 26, 1), 25),
        W: watermark(25),
      });
    }),
  );

  it(
    'V5 late: lateness is judged after merging; what is behind and merges with nothing is late',
    marbles((m) => {
      const lateTo = sideOutput<StreamRecord<string>>();
      const source = m.hot<In>('ab 8ms W 9ms cd 8ms |', {
        a: record('a', 5),
        b: record('b', 14), // one session [5, 24)
        W: watermark(20),
        c: record('c', 8), // [8, 18) is over by itself, but part of [5, 24)
        d: record('d', -8), // [-8, 2) is over and touches nothing
      });
      m.expect(lateTo).toBeObservable('21ms d 8ms |', { d: record('d', -8) });
      m.expect(source.pipe(windowBy(sessions(10), collect(), { lateTo }))).toBeObservable('10ms W 19ms (xZ|)', {
        W: watermark(20),
        x: record(windowed(5, 24, ['a', 'b', 'c']), 23),
        Z,
      });
    }),
  );

  it(
    'V5: after a merge no timer of the old windows fires',
    marbles((m) => {
      const source = m.hot<In>('ab 8ms T 9ms U 9ms V', {
        a: record('a', 0),
        b: record('b', 8),
        T: watermark(9),
        U: watermark(16),
        V: watermark(17),
      });
      m.expect(source.pipe(windowBy(sessions(10), collect())), '^ 31ms !').toBeObservable('10ms T 9ms U 9ms (xV)', {
        T: watermark(9),
        U: watermark(16),
        x: record(windowed(0, 18, ['a', 'b']), 17),
        V: watermark(17),
      });
    }),
  );

  it('C4 arguments: a merging assigner needs an aggregate that merges', () => {
    const assigner = sessions(10) as unknown as WindowAssigner<unknown>;
    expect(() =>
      windowBy(
        assigner,
        aggregates.fold(
          () => 0,
          (n: number) => n + 1,
        ),
      ),
    ).toThrow(/windowBy: aggregate is .*merge/);
  });
});

describe('windowBy: assigners of one’s own', () => {
  it('C1 throws: an assigner that fails is one error, unchanged, and the source is let go', () => {
    const cause = { from: 'assign' };
    const broken: WindowAssigner<string> = {
      ...assigners.tumbling(10),
      assign: () => {
        throw cause;
      },
    };
    const seen: unknown[] = [];
    const source = new Subject<In>();
    source.pipe(windowBy(broken, count())).subscribe({ next: (e) => seen.push(e), error: (error) => seen.push(error) });
    source.next(record('a', 1));
    source.next(record('b', 2));
    expect(seen).toHaveLength(1);
    expect(seen[0]).toBe(cause);
    expect(source.observed).toBe(false);
  });

  it(
    'V2 late: global windows are never late, and MAX neither fires nor cleans them',
    marbles((m) => {
      const everything: WindowAssigner<unknown> = {
        kind: 'global',
        assign: () => [{ start: -Infinity, end: Infinity }],
        maxTimestamp: () => MAX_TIMESTAMP,
        keyOf: () => 0,
      };
      const lateTo = sideOutput<StreamRecord<string>>();
      const source = m.hot<In>('aWb|', { a: record('a', 1), W: watermark(100), b: record('b', 2) });
      m.expect(lateTo).toBeObservable('---|');
      const result = source.pipe(windowBy(everything, collect<string>(), { lateTo, allowDataLoss: true }));
      m.expect(result).toBeObservable('-W-(Z|)', { W: watermark(100), Z });
    }),
  );

  it(
    'boundary: windows of any shape, told apart by keyOf',
    marbles((m) => {
      interface Lane extends TimeWindow {
        readonly lane: string;
      }
      const lanes: WindowAssigner<string, Lane> = {
        kind: 'event',
        assign: (value, timestamp) => {
          const start = Math.floor(timestamp / 10) * 10;
          return [{ start, end: start + 10, lane: value.charAt(0) }];
        },
        maxTimestamp: (window) => window.end - 1,
        keyOf: (window) => `${window.lane}${window.end}`,
      };
      const source = m.hot<In>('abc|', { a: record('a1', 1), b: record('b1', 2), c: record('a2', 3) });
      const shown = source.pipe(
        windowBy(lanes, collect<string>()),
        toValues(),
        map(({ window, value }) => `${window.lane}: ${value}`),
      );
      m.expect(shown).toBeObservable('---(xy|)', { x: 'a: a1,a2', y: 'b: b1' });
    }),
  );

  it('V5: the merge function of an assigner sees the open windows of one key only', () => {
    const calls: number[] = [];
    const plain = sessions(10);
    const spying: MergingAssigner<string> = {
      ...plain,
      merge: (windows) => {
        calls.push(windows.length);
        return plain.merge(windows);
      },
    };
    const source = new Subject<StreamElement<string, string>>();
    source.pipe(windowBy(spying, count())).subscribe();
    source.next(keyedRecord('a', 0, 'a'));
    source.next(keyedRecord('b', 100, 'a'));
    source.next(keyedRecord('c', 200, 'b'));
    source.next(watermark(50)); // closes the first of them
    source.next(keyedRecord('d', 300, 'a'));
    expect(calls).toEqual([1, 2, 1, 2]);
  });
});

import { Subject } from 'rxjs';
import {
  aggregates,
  counters,
  keyedRecord,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  MissingTimestampError,
  record,
  type StreamElement,
  type StreamRecord,
  sessionWindow,
  sideOutput,
  triggers,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { contractRows } from '../helpers/contractRows.js';
import { keyedWindow, latePane, windowed } from '../helpers/elements.js';
import { marbles } from '../helpers/marbles.js';
import { play } from '../helpers/play.js';
import { ProbeScheduler } from '../helpers/probeScheduler.js';

const { collect, count } = aggregates;
const Z = watermark(MAX_TIMESTAMP);
type In = StreamElement<string>;

contractRows({
  name: 'sessionWindow',
  operator: (aggregate) => sessionWindow(10, aggregate),
  firedBy: 'watermark',
  pair: windowed(1, 12, ['a', 'b']),
  at: 11,
  flushes: true,
});

describe('sessionWindow: windows that grow together', () => {
  it(
    'V5 boundary: a session ends one gap after its last record; one gap apart is together, one more is not',
    marbles((m) => {
      const source = m.hot<In>('abc 7ms U 9ms V 9ms W 9ms |', {
        a: record('a', 0),
        b: record('b', 10),
        c: record('c', 21),
        U: watermark(18),
        V: watermark(19),
        W: watermark(20),
      });
      m.expect(source.pipe(sessionWindow(10, collect()))).toBeObservable('10ms U 9ms (xV) 6ms W 9ms (yZ|)', {
        U: watermark(18),
        x: record(windowed(0, 20, ['a', 'b']), 19),
        V: watermark(19),
        W: watermark(20),
        y: record(windowed(21, 31, ['c']), 30),
        Z,
      });
    }),
  );

  it(
    'V5 boundary: a record between two makes them one, in the place of the older; keys keep apart',
    marbles((m) => {
      const source = m.hot<StreamElement<string, string>>('abcd 6ms W', {
        a: keyedRecord('a', 16, 'k'),
        b: keyedRecord('b', 16, 'other'),
        c: keyedRecord('c', 0, 'k'),
        d: keyedRecord('d', 8, 'k'),
        W: watermark(25),
      });
      m.expect(source.pipe(sessionWindow(10, count())), '^ 11ms !').toBeObservable('10ms (xyW)', {
        x: record(keyedWindow('k', 0, 26, 3), 25),
        y: record(keyedWindow('other', 16, 26, 1), 25),
        W: watermark(25),
      });
    }),
  );

  it('V5 boundary: one record may join any number of sessions', () => {
    const gap = (value: string): number => (value === 'joins all' ? 100 : 10);
    const steps = [record('a', 0), record('b', 20), record('c', 40), record('joins all', -50), '|'] as const;
    const one = (): ReturnType<typeof sessionWindow<string, number, undefined>> => sessionWindow(gap, count());
    expect(play<string>(one, steps).at(-1)).toEqual(['[-50,50) 4 onTime 0', 'W(MAX)', '|']);
  });

  it('V5 boundary: a gap that each record gives; a shorter one inside does not end a session early', () => {
    const steps = [record('9', 0), record('1', 3), record('2', 20), watermark(7), watermark(8), '|'] as const;
    expect(play<string>(() => sessionWindow((value) => Number(value), collect()), steps)).toEqual([
      [],
      [],
      [],
      ['W(7)'],
      ['[0,9) 9,1 onTime 0', 'W(8)'],
      ['[20,22) 2 onTime 0', 'W(MAX)', '|'],
    ]);
  });

  it(
    'V5: no timer of a part fires after a merge',
    marbles((m) => {
      const source = m.hot<In>('ab 8ms T 9ms U 9ms V', {
        a: record('a', 0),
        b: record('b', 8),
        T: watermark(9),
        U: watermark(16),
        V: watermark(17),
      });
      m.expect(source.pipe(sessionWindow(10, collect())), '^ 31ms !').toBeObservable('10ms T 9ms U 9ms (xV)', {
        T: watermark(9),
        U: watermark(16),
        x: record(windowed(0, 18, ['a', 'b']), 17),
        V: watermark(17),
      });
    }),
  );

  it(
    'V2 late: judged after merging; what is behind and touches nothing goes to the late output, and is counted',
    marbles((m) => {
      const seen = counters();
      const lateTo = sideOutput<StreamRecord<string>>();
      const source = m.hot<In>('ab 8ms W 9ms cd 8ms |', {
        a: record('a', 5),
        b: record('b', 14), // one session [5, 24)
        W: watermark(20),
        c: record('c', 8), // [8, 18) is over by itself, but part of [5, 24)
        d: record('d', -8), // [-8, 2) is over and touches nothing
      });
      m.expect(lateTo).toBeObservable('21ms d 8ms |', { d: record('d', -8) });
      m.expect(source.pipe(sessionWindow(10, collect(), { lateTo, counters: seen }))).toBeObservable('10ms W 19ms (xZ|)', {
        W: watermark(20),
        x: record(windowed(5, 24, ['a', 'b', 'c']), 23),
        Z,
      });
      m.scheduler.schedule(() => expect(seen).toMatchObject({ records: 4, late: 1, unassigned: 0, discarded: 0 }), 50);
    }),
  );

  it(
    'V3 late: within the lateness a record inside fires at once; one that makes the session longer waits for its new end',
    marbles((m) => {
      const source = m.hot<In>('a 9ms V 9ms b 9ms c 9ms W', {
        a: record('a', 0),
        V: watermark(12), // past [0, 10)
        b: record('b', 0),
        c: record('c', 8), // [0, 18)
        W: watermark(17),
      });
      const result = source.pipe(sessionWindow(10, collect(), { allowedLateness: 5 }));
      m.expect(result, '^ 45ms !').toBeObservable('10ms (xV) 6ms y 19ms (zW)', {
        x: record(windowed(0, 10, ['a']), 9),
        V: watermark(12),
        y: record(windowed(0, 10, ['a', 'b'], latePane(1)), 9),
        z: record(windowed(0, 18, ['a', 'b', 'c']), 17),
        W: watermark(17),
      });
    }),
  );

  it('V5 late: after a session has gone, a record inside its old bounds begins a new one', () => {
    const steps = [record('a', 0), watermark(9), record('b', 8), watermark(17), '|'] as const;
    expect(play<string>(() => sessionWindow(10, collect()), steps)).toEqual([
      [],
      ['[0,10) a onTime 0', 'W(9)'],
      [],
      ['[8,18) b onTime 0', 'W(17)'],
      ['W(MAX)', '|'],
    ]);
  });

  it(
    'T6 timers: by the clock a session ends one gap after the last arrival, in that frame',
    marbles((m) => {
      const source = m.hot<In>('a 7ms b 9ms c 12ms d', {
        a: record('a', MIN_TIMESTAMP), // at 0
        b: record('b', MIN_TIMESTAMP), // at 8
        c: record('c', MIN_TIMESTAMP), // at 18: exactly a gap later
        d: record('d', MIN_TIMESTAMP), // at 31: more than a gap later
      });
      const result = source.pipe(sessionWindow(10, collect(), { clock: 'processing' }));
      m.expect(result, '^ 50ms !').toBeObservable('28ms x 12ms y', {
        x: record(windowed(0, 28, ['a', 'b', 'c']), 27),
        y: record(windowed(31, 41, ['d']), 40),
      });
    }),
  );

  it('timers: one wake-up at a time, and none left after completion, error, unsubscription or the last session', () => {
    for (const end of ['complete', 'error', 'unsubscribe', 'the last session'] as const) {
      const scheduler = new ProbeScheduler();
      const source = new Subject<In>();
      const subscription = source
        .pipe(sessionWindow(10, count(), { clock: 'processing', scheduler }))
        .subscribe({ error: () => {} });
      expect(scheduler.pending).toBe(0);
      source.next(record('a', 0));
      scheduler.advanceTo(5);
      source.next(record('b', 0));
      expect(scheduler.pending).toBe(1);
      scheduler.advanceTo(10); // the end of the first part: nothing
      expect(scheduler.pending).toBe(1);
      if (end === 'complete') source.complete();
      else if (end === 'error') source.error(new Error('boom'));
      else if (end === 'unsubscribe') subscription.unsubscribe();
      else scheduler.advanceTo(15);
      expect([end, scheduler.pending]).toEqual([end, 0]);
    }
  });

  it(
    'C1 throws: a gap function that fails, or gives no gap, is one error',
    marbles((m) => {
      const cause = new Error('gap');
      const source = m.hot<In>('-a-b', { a: record('a', 1), b: record('b', 2) });
      const failing = (): number => {
        throw cause;
      };
      m.expect(source.pipe(sessionWindow(failing, count()))).toBeObservable('-#', {}, cause);
      m.expect(source.pipe(sessionWindow(() => 0, count()))).toBeObservable(
        '-#',
        {},
        new RangeError('dynamicSession: gap is 0, it must be a whole number of ms ≥ 1'),
      );
      m.expect(source).toHaveSubscriptions(['^!', '^!']);
    }),
  );

  it('T2: a record at MIN or MAX is refused with the cause and the cure', () => {
    for (const timestamp of [MIN_TIMESTAMP, MAX_TIMESTAMP]) {
      const errors: unknown[] = [];
      const source = new Subject<In>();
      source.pipe(sessionWindow(10, count())).subscribe({ error: (error: unknown) => errors.push(error) });
      source.next(record('a', timestamp));
      expect(errors[0]).toBeInstanceOf(MissingTimestampError);
      expect(errors[0]).toMatchObject({ operator: 'sessionWindow', timestamp, value: 'a', message: /reassignWatermarks/ });
    }
  });

  it('C4 arguments: gap, clock, aggregate and trigger, when the operator is built', () => {
    for (const gap of [0, -1, NaN, 1.5, Infinity]) {
      expect(() => sessionWindow(gap, count())).toThrow(RangeError);
      expect(() => sessionWindow(gap, count())).toThrow(`gap is ${gap}, it must be a whole number of ms`);
    }
    expect(() => sessionWindow('ten' as never, count())).toThrow(/gap is "ten"/);
    expect(() => sessionWindow(10, count(), { clock: 'cuckoo' as never })).toThrow(/clock is "cuckoo"/);
    expect(() => sessionWindow(10, count(), { allowedLateness: -1 })).toThrow(/allowedLateness is -1/);
    const fold = aggregates.fold(
      () => 0,
      (n: number) => n + 1,
    );
    expect(() => sessionWindow(10, fold as never)).toThrow(/sessionWindow: aggregate is .*merge/);
    const single = triggers.delta(() => 1, 0);
    expect(() => sessionWindow(10, count(), { trigger: single as never })).toThrow(/sessionWindow: trigger is .*can merge/);
  });
});

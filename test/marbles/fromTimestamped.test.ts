import { from, Subject, type Timestamp, take, timestamp } from 'rxjs';
import {
  ascendingTimestamps,
  fromTimestamped,
  MAX_TIMESTAMP,
  reassignWatermarks,
  record,
  type StreamElement,
  watermark,
} from 'tidemark';
import { describe, expect, it, vi } from 'vitest';
import { marbles } from '../helpers/marbles.js';

const Z = watermark(MAX_TIMESTAMP);
const at = (value: string, time: number): Timestamp<string> => ({ value, timestamp: time });
const stamped = { a: at('a', 5), b: at('b', 3), c: at('c', 7.5) };
const records = { a: record('a', 5), b: record('b', 3), c: record('c', 7), Z };

describe('fromTimestamped', () => {
  it(
    'never: says nothing and stays subscribed',
    marbles((m) => {
      const source = m.cold<Timestamp<string>>('-');
      m.expect(fromTimestamped(source)).toBeObservable('-');
      m.expect(source).toHaveSubscriptions('^');
    }),
  );

  it(
    'empty: gives MAX and completes',
    marbles((m) => {
      m.expect(fromTimestamped(m.cold<Timestamp<string>>('--|'))).toBeObservable('--(Z|)', { Z });
    }),
  );

  it(
    'error: passes at once, without MAX',
    marbles((m) => {
      const source = m.cold('-a-#', stamped);
      m.expect(fromTimestamped(source)).toBeObservable('-a-#', records);
      m.expect(source).toHaveSubscriptions('^--!');
    }),
  );

  it(
    'unsubscribe: lets go of the source in that frame',
    marbles((m) => {
      const source = m.hot('-a-b-c', stamped);
      m.expect(fromTimestamped(source), '---!').toBeObservable('-a-', records);
      m.expect(source).toHaveSubscriptions('^--!');
    }),
  );

  it(
    'throws: a time that is none is one error that names the record, and lets go of the source',
    marbles((m) => {
      const source = m.cold('-a-x-c', { ...stamped, x: at('x', NaN) });
      const failed = vi.fn();
      fromTimestamped(source).subscribe({ error: failed });
      m.expect(source).toHaveSubscriptions('^--!');
      m.flush();
      expect(failed.mock.calls).toHaveLength(1);
      expect(failed.mock.calls[0]?.[0]).toMatchObject({
        _tag: 'InvalidTimestamp',
        operator: 'fromTimestamped',
        of: 'timestamp',
        value: 'x',
        index: 1,
      });
    }),
  );

  it(
    'synchronous: an iterable',
    marbles((m) => {
      m.expect(fromTimestamped([stamped.a, stamped.b])).toBeObservable('(abZ|)', records);
    }),
  );

  it('synchronous: an endless iterable is left when downstream closes', () => {
    let given = 0;
    function* endless(): Generator<Timestamp<number>> {
      for (;;) yield { value: given, timestamp: given++ };
    }
    const seen: Array<StreamElement<number>> = [];
    fromTimestamped(endless())
      .pipe(take(2))
      .subscribe((element) => seen.push(element));
    expect([seen, given]).toStrictEqual([[record(0, 0), record(1, 1)], 2]);
  });

  it('re-entrant: what is pushed while a record is handled comes after it', () => {
    const source = new Subject<Timestamp<string>>();
    const log: unknown[] = [];
    fromTimestamped(source).subscribe((element) => {
      if (element === undefined || log.push(element) > 1) return;
      source.next(stamped.b);
      source.complete();
      log.push('handled');
    });
    source.next(stamped.a);
    expect(log).toStrictEqual([records.a, 'handled', records.b, Z]);
  });

  it(
    'watermark: there is none before the end, and reassignWatermarks makes some',
    marbles((m) => {
      m.expect(fromTimestamped(m.cold('ac|', stamped))).toBeObservable('ac(Z|)', records);
      const marks = reassignWatermarks<string, undefined>(ascendingTimestamps(), { interval: 'record' });
      const all = { a: records.a, V: watermark(4), c: records.c, W: watermark(6), Z };
      m.expect(fromTimestamped(m.cold('a----c----|', stamped)).pipe(marks)).toBeObservable('(aV)-(cW)-(Z|)', all);
    }),
  );

  it(
    'regressing: a falling time passes, it says nothing about the others',
    marbles((m) => {
      m.expect(fromTimestamped(m.cold('cab|', stamped))).toBeObservable('cab(Z|)', records);
    }),
  );

  it(
    'idle: silence is not marked',
    marbles((m) => {
      m.expect(fromTimestamped(m.cold('a 60s b|', stamped))).toBeObservable('a 60s b(Z|)', records);
    }),
  );

  it(
    'completion: times stay in the order in which they come, a fraction is floored',
    marbles((m) => {
      m.expect(fromTimestamped(m.cold('abc|', stamped))).toBeObservable('abc(Z|)', records);
    }),
  );

  it(
    'takes what timestamp() gives',
    marbles((m) => {
      const result = fromTimestamped(m.cold('--x|', { x: 'x' }).pipe(timestamp(m.scheduler)));
      m.expect(result).toBeObservable('--x(Z|)', { x: record('x', 2), Z });
    }),
  );

  it('arguments: refuses what is no input at once, as from() does', () => {
    expect(() => fromTimestamped(5 as never)).toThrow(TypeError);
    expect(() => from(5 as never)).toThrow(TypeError);
  });
});

import { type Observable, type Subscription, take, toArray } from 'rxjs';
import {
  type EventStream,
  fromSource,
  InvalidTimestampError,
  idle,
  keyedRecord,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  record,
  type SourceConfig,
  type SourceContext,
  type StreamElement,
  watermark,
} from 'tidemark';
import { describe, expect, it, vi } from 'vitest';
import { marbles } from '../helpers/marbles.js';
import { ProbeScheduler } from '../helpers/probeScheduler.js';

/** What a source does: a call of the context each. */
type Call = (context: SourceContext<number>) => void;
const at =
  (timestamp: number, value = 0): Call =>
  (context) =>
    context.collectWithTimestamp(value, timestamp);
const plain =
  (value = 0): Call =>
  (context) =>
    context.collect(value);
const wm =
  (timestamp: number): Call =>
  (context) =>
    context.emitWatermark(timestamp);
const quiet: Call = (context) => context.markIdle();

/** A source that makes the calls of a marble observable, and ends as it does. */
function scripted<K = undefined>(calls: Observable<Call>, config?: SourceConfig<number, K>): EventStream<number, K> {
  return fromSource<number, K>(
    (context) =>
      calls.subscribe({
        next: (call) => call(context),
        error: (cause) => context.error(cause),
        complete: () => context.complete(),
      }),
    config,
  );
}

const Z = watermark(MAX_TIMESTAMP);

describe('fromSource', () => {
  it(
    'never: says nothing and stays subscribed',
    marbles((m) => {
      const calls = m.hot<Call>('-');
      m.expect(scripted(calls)).toBeObservable('-');
      m.expect(calls).toHaveSubscriptions('^');
    }),
  );

  it.each(['event', 'processing', 'ingestion'] as const)('empty: gives MAX and completes (%s time)', (time) =>
    marbles((m) => {
      const calls = m.cold<Call>('--|');
      m.expect(scripted(calls, { time })).toBeObservable('--(Z|)', { Z });
      m.expect(calls).toHaveSubscriptions('^-!');
    })(),
  );

  it(
    'error: passes at once, without MAX',
    marbles((m) => {
      const calls = m.cold<Call>('-a-#', { a: at(5) });
      m.expect(scripted(calls)).toBeObservable('-a-#', { a: record(0, 5) });
      m.expect(calls).toHaveSubscriptions('^--!');
    }),
  );

  it(
    'unsubscribe: tears the source down at once',
    marbles((m) => {
      const calls = m.hot<Call>('-a-b-c', { a: at(1), b: at(2), c: at(3) });
      m.expect(scripted(calls), '---!').toBeObservable('-a-', { a: record(0, 1) });
      m.expect(calls).toHaveSubscriptions('^--!');
    }),
  );

  it(
    'throws: what run throws is the error, after what it gave before',
    marbles((m) => {
      const result = fromSource<number>((context) => {
        context.collectWithTimestamp(1, 5);
        throw new Error('broken');
      });
      m.expect(result).toBeObservable('(a#)', { a: record(1, 5) }, new Error('broken'));
    }),
  );

  it(
    'throws: what key throws is one error, and tears the source down',
    marbles((m) => {
      const calls = m.cold<Call>('-a-b-c', { a: at(1, 1), b: at(2, 2), c: at(3, 3) });
      const key = (value: number): number => {
        if (value === 2) throw new Error('broken');
        return value;
      };
      m.expect(scripted(calls, { key })).toBeObservable('-a-#', { a: keyedRecord(1, 1, 1) }, new Error('broken'));
      m.expect(calls).toHaveSubscriptions('^--!');
    }),
  );

  it(
    'synchronous: a source that ends within run',
    marbles((m) => {
      const result = fromSource<string>((context) => {
        context.collectWithTimestamp('a', 1_000);
        context.emitWatermark(999);
        context.complete();
        context.collectWithTimestamp('b', 2_000);
        context.emitWatermark(1_999);
        context.markIdle();
        context.error(new Error('too late'));
      });
      m.expect(result).toBeObservable('(aWZ|)', { a: record('a', 1_000), W: watermark(999), Z });
    }),
  );

  it('synchronous: an endless source hears that downstream has closed', () => {
    const seen: Array<StreamElement<number>> = [];
    let given = 0;
    let torn = 0;
    fromSource<number>((context) => {
      while (!context.closed) context.collectWithTimestamp(given, given++);
      return () => torn++;
    })
      .pipe(take(2))
      .subscribe((element) => seen.push(element));
    expect(seen).toStrictEqual([record(0, 0), record(1, 1)]);
    expect({ given, torn }).toStrictEqual({ given: 2, torn: 1 });
  });

  it('re-entrant: calls made while a record is handled downstream wait until that is done', () => {
    const log: unknown[] = [];
    let context: SourceContext<number> | undefined;
    const source$ = fromSource<number>((given) => {
      context = given;
    });
    source$.subscribe({
      next: (element) => {
        log.push(element);
        if (element._tag !== 'Record' || element.value !== 1) return;
        context?.collectWithTimestamp(2, 2);
        context?.emitWatermark(2);
        context?.complete();
        log.push(`closed: ${context?.closed}`);
        context?.collectWithTimestamp(3, 3);
        log.push('handled');
      },
      complete: () => log.push('complete'),
    });
    context?.collectWithTimestamp(1, 1);
    expect(log).toStrictEqual([record(1, 1), 'closed: true', 'handled', record(2, 2), watermark(2), Z, 'complete']);
  });

  it('re-entrant: a failure within a step is known at once, and comes after it', () => {
    const cause = new Error('broken');
    const log: unknown[] = [];
    let context: SourceContext<number> | undefined;
    fromSource<number>((given) => {
      context = given;
    }).subscribe({
      next: (element) => {
        context?.error(cause);
        context?.collect(2);
        log.push(element, context?.closed);
      },
      error: (error) => log.push(error),
    });
    context?.collect(1);
    expect(log).toStrictEqual([record(1, MIN_TIMESTAMP), true, cause]);
  });

  it('re-entrant: nothing of a record goes on if downstream closes at the return from idleness before it', () => {
    const key = vi.fn((value: number) => value);
    const seen: unknown[] = [];
    fromSource<number, number>(
      (context) => {
        context.markIdle();
        context.collectWithTimestamp(1, 5);
      },
      { key },
    )
      .pipe(take(2))
      .subscribe((element) => seen.push(element));
    expect(seen).toStrictEqual([idle(), watermark(MIN_TIMESTAMP)]);
    expect(key).not.toHaveBeenCalled();
  });

  it(
    'watermark: rises strictly, one that does not is mended at once',
    marbles((m) => {
      const calls = m.cold<Call>('ab-cd-efg-(h|)', {
        a: wm(5),
        b: wm(5),
        c: at(3),
        d: wm(4),
        e: wm(6),
        f: wm(MIN_TIMESTAMP),
        g: wm(6.9),
        h: wm(MAX_TIMESTAMP),
      });
      m.expect(scripted(calls)).toBeObservable('V--c--W---(Z|)', { V: watermark(5), c: record(0, 3), W: watermark(6), Z });
    }),
  );

  it(
    'regressing: a falling watermark after idleness makes the source active, where it was',
    marbles((m) => {
      const calls = m.cold<Call>('abc', { a: wm(5), b: quiet, c: wm(4) });
      m.expect(scripted(calls)).toBeObservable('VIA', { V: watermark(5), I: idle(5), A: watermark(5) });
    }),
  );

  it(
    'idle: is said once; a record has the return before it, a watermark is the return (source/manual-context-idle)',
    marbles((m) => {
      const calls = m.cold<Call>('-a-b-c-d-----e-f-g-h', {
        a: at(1_000, 1),
        b: quiet,
        c: quiet,
        d: at(2_000, 2),
        e: quiet,
        f: wm(1_999),
        g: quiet,
        h: at(3_000, 3),
      });
      m.expect(scripted(calls)).toBeObservable('-a-I---(Ad)--I-W-J-(Bh)', {
        a: record(1, 1_000),
        I: idle(),
        A: watermark(MIN_TIMESTAMP),
        d: record(2, 2_000),
        W: watermark(1_999),
        J: idle(1_999),
        B: watermark(1_999),
        h: record(3, 3_000),
      });
    }),
  );

  it(
    'idle: is moot once MAX was given',
    marbles((m) => {
      const calls = m.cold<Call>('abc', { a: wm(MAX_TIMESTAMP), b: quiet, c: at(5) });
      m.expect(scripted(calls, { idleTimeout: 5 })).toBeObservable('Z-c', { Z, c: record(0, 5) });
    }),
  );

  it(
    'idle: a check each timeout fails if nothing has come since the one before',
    marbles((m) => {
      // checks at 10 (a record since the start), 20 (nothing since 10: idle); b restarts them: 32, idle
      const calls = m.hot<Call>('--a 19ms b 19ms -', { a: at(1), b: at(2) });
      m.expect(scripted(calls, { idleTimeout: 10 }), '^ 60ms !').toBeObservable('--a 17ms I-(Ab) 6ms I', {
        a: record(0, 1),
        I: idle(),
        A: watermark(MIN_TIMESTAMP),
        b: record(0, 2),
      });
    }),
  );

  it(
    'idle: elements given within run speak for the first check',
    marbles((m) => {
      const result = fromSource<number>(
        (context) => {
          context.collectWithTimestamp(1, 5);
          context.emitWatermark(4);
        },
        { idleTimeout: 10 },
      );
      m.expect(result, '^ 50ms !').toBeObservable('(aW) 16ms I', { a: record(1, 5), W: watermark(4), I: idle(4) });
    }),
  );

  it(
    'completion: MAX is given once',
    marbles((m) => {
      m.expect(scripted(m.cold<Call>('a-|', { a: wm(MAX_TIMESTAMP) }))).toBeObservable('Z-|', { Z });
    }),
  );

  it('completion: what run returned is called at the end, the failure, and on unsubscription, once each', () => {
    const ends: Array<(context: SourceContext<number>, subscription: Subscription) => void> = [
      (context) => context.complete(),
      (context) => context.error(new Error('broken')),
      (_context, subscription) => subscription.unsubscribe(),
    ];
    for (const end of ends) {
      const teardown = vi.fn();
      let context: SourceContext<number> | undefined;
      const scheduler = new ProbeScheduler();
      const subscription = fromSource<number>(
        (given) => {
          context = given;
          return teardown;
        },
        { time: 'ingestion', idleTimeout: 5, scheduler },
      ).subscribe({ error: () => {} });
      expect([context?.closed, scheduler.pending, teardown.mock.calls.length]).toStrictEqual([false, 2, 0]);
      if (context !== undefined) end(context, subscription);
      expect([context?.closed, scheduler.pending, teardown.mock.calls.length]).toStrictEqual([true, 0, 1]);
    }
  });

  it('completion: a source that ends within run schedules nothing, and MAX ends the timers', () => {
    const scheduler = new ProbeScheduler();
    const config = { time: 'ingestion', idleTimeout: 5, scheduler } as const;
    fromSource<number>((context) => context.complete(), config).subscribe();
    expect(scheduler.delays).toStrictEqual([]);
    fromSource<number>((context) => context.emitWatermark(MAX_TIMESTAMP), config).subscribe();
    expect(scheduler.pending).toBe(0);
  });

  it(
    'arguments: the key is given to each record',
    marbles((m) => {
      const calls = m.cold<Call>('ab|', { a: at(1, 7), b: plain(8) });
      const config: SourceConfig<number, string> = { key: (value) => `k${value}` };
      m.expect(scripted(calls, config)).toBeObservable('ab(Z|)', {
        a: keyedRecord(7, 1, 'k7'),
        b: keyedRecord(8, MIN_TIMESTAMP, 'k8'),
        Z,
      });
    }),
  );

  it(
    'arguments: a timestamp is floored, and one that is none is an error that names record and cause',
    marbles((m) => {
      const calls = m.cold<Call>('abc', { a: at(5.7, 1), b: at(-0.5, 2), c: at(NaN, 3) });
      const error = new InvalidTimestampError('fromSource', 'timestamp', NaN, 3, 2, '');
      const result = scripted(calls);
      m.expect(result).toBeObservable(
        'ab#',
        { a: record(1, 5), b: record(2, -1) },
        expect.objectContaining({ name: error.name }),
      );
    }),
  );

  it.each([undefined, NaN, '5', 2 ** 60, MIN_TIMESTAMP])('arguments: refuses a timestamp of %s in the stream', (timestamp) => {
    const failed = vi.fn();
    fromSource<string>((context) => context.collectWithTimestamp('v', timestamp as number)).subscribe({ error: failed });
    const error = failed.mock.calls[0]?.[0] as InvalidTimestampError;
    expect(error).toMatchObject({ _tag: 'InvalidTimestamp', operator: 'fromSource', of: 'timestamp', value: 'v', index: 0 });
    expect(error.received).toBe(timestamp);
  });

  it.each([undefined, NaN, '5', 2 ** 60])('arguments: refuses a watermark of %s in the stream', (timestamp) => {
    const failed = vi.fn();
    fromSource<string>((context) => {
      context.collect('v');
      context.emitWatermark(timestamp as number);
    }).subscribe({ error: failed });
    expect(failed.mock.calls[0]?.[0]).toMatchObject({ _tag: 'InvalidTimestamp', of: 'watermark', value: 'v', index: 0 });
  });

  it.each([
    [undefined, {}, TypeError, 'fromSource: run is undefined, it must be a function'],
    [() => {}, { key: 5 }, RangeError, 'fromSource: key is 5, it must be a function'],
    [() => {}, { interval: 0 }, RangeError, 'fromSource: interval is 0, it must be a whole number of ms ≥ 1 or Infinity'],
    [
      () => {},
      { interval: 2 ** 31 },
      RangeError,
      'fromSource: interval is 2147483648, it must be at most 2147483647 ms, or Infinity',
    ],
    [() => {}, { idleTimeout: -1 }, RangeError, 'fromSource: idleTimeout is -1, it must be a whole number of ms ≥ 1 or Infinity'],
    [() => {}, { time: 'wall' }, TypeError, `fromSource: time is "wall", it must be 'event', 'processing' or 'ingestion'`],
    [
      () => {},
      { time: 'toString' },
      TypeError,
      `fromSource: time is "toString", it must be 'event', 'processing' or 'ingestion'`,
    ],
  ])('arguments: refuses %s with %o when it is built', (run, config, Kind, message) => {
    expect(() => fromSource(run as () => void, config as SourceConfig<unknown>)).toThrow(new Kind(message));
  });

  it('arguments: each subscription has a state of its own', () => {
    const runs: number[] = [];
    const source$ = fromSource<number>((context) => {
      context.emitWatermark(runs.push(0) === 1 ? 9 : 5);
      context.complete();
    });
    const seen: unknown[] = [];
    source$.pipe(toArray()).subscribe((all) => seen.push(all));
    source$.pipe(toArray()).subscribe((all) => seen.push(all));
    expect(seen).toStrictEqual([
      [watermark(9), Z],
      [watermark(5), Z],
    ]);
  });

  it(
    'passes records and watermarks of event time as they are (source/manual-context)',
    marbles((m) => {
      const calls = m.cold<Call>('aVbWZ', {
        a: at(1_000, 1),
        V: wm(999),
        b: at(1_999, 2),
        W: wm(1_998),
        Z: wm(MAX_TIMESTAMP),
      });
      m.expect(scripted(calls)).toBeObservable('aVbWZ', {
        a: record(1, 1_000),
        V: watermark(999),
        b: record(2, 1_999),
        W: watermark(1_998),
        Z,
      });
    }),
  );

  it(
    'strips timestamps, watermarks and idleness in processing time (processing/source-context, source-context-max)',
    marbles((m) => {
      const calls = m.cold<Call>('aWbIM-|', { a: at(NaN, 1), W: wm(5), b: plain(2), I: quiet, M: wm(MAX_TIMESTAMP) });
      m.expect(scripted(calls, { time: 'processing', idleTimeout: 2 })).toBeObservable('a-b---(Z|)', {
        a: record(1, MIN_TIMESTAMP),
        b: record(2, MIN_TIMESTAMP),
        Z,
      });
    }),
  );

  it(
    'stamps with the clock in ingestion time, a watermark after the record past the one due or at a tick (ingestion/automatic-source-context)',
    marbles((m) => {
      const calls = m.hot<Call>('10ms a 188ms b 150ms c 49ms d 399ms |', {
        a: plain(1),
        b: plain(2),
        c: plain(3),
        d: plain(4),
      });
      // 0 after the record at 10, 200 after the one at 350, 600 at the tick: 400 and 800 are not *past* what is due
      const expected = '10ms (aV) 185ms b 150ms (cW) 46ms d 199ms X 199ms (Z|)';
      m.expect(scripted(calls, { time: 'ingestion', interval: 200 })).toBeObservable(expected, {
        a: record(1, 10),
        V: watermark(0),
        b: record(2, 199),
        c: record(3, 350),
        W: watermark(200),
        d: record(4, 400),
        X: watermark(600),
        Z,
      });
    }),
  );

  it(
    'ignores timestamps and watermarks but MAX in ingestion time (ingestion/ignores-source-timestamps)',
    marbles((m) => {
      const calls = m.hot<Call>('50ms a 9ms W 39ms b 9ms Z 89ms -', {
        a: at(7_777, 1),
        W: wm(9_999),
        b: at(1, 2),
        Z: wm(MAX_TIMESTAMP),
      });
      const result = scripted(calls, { time: 'ingestion', interval: 100 });
      m.expect(result, '^ 400ms !').toBeObservable('50ms (aV) 46ms b 9ms Z', {
        a: record(1, 50),
        V: watermark(0),
        b: record(2, 100),
        Z,
      });
    }),
  );

  it(
    'finds silence at a tick in ingestion time, and leaves it with the next record',
    marbles((m) => {
      // ticks at 200, 300, 400: 240 ms after the record, so idle; the check of the timeout alone would say so at 450
      const calls = m.hot<Call>('110ms z 49ms a 349ms b', { z: plain(0), a: plain(1), b: plain(2) });
      const result = scripted(calls, { time: 'ingestion', interval: 100, idleTimeout: 150 });
      m.expect(result, '^ 750ms !').toBeObservable('100ms U 9ms z 49ms a 139ms V 99ms I 109ms (AbW) 185ms J', {
        z: record(0, 110),
        a: record(1, 160),
        U: watermark(100),
        V: watermark(300),
        I: idle(300),
        A: watermark(300),
        b: record(2, 510),
        W: watermark(500),
        J: idle(500),
      });
    }),
  );

  it(
    'watermark: in ingestion time the next one is due at the next multiple of the interval',
    marbles((m) => {
      const calls = m.hot<Call>('10ms a 190ms b 9ms |', { a: plain(1), b: plain(2) });
      const expected = '         10ms (aV) 187ms (bW) 6ms (Z|)'; // the tick at 200 is not past 200, the record at 201 is
      m.expect(scripted(calls, { time: 'ingestion', interval: 200 })).toBeObservable(expected, {
        a: record(1, 10),
        V: watermark(0),
        b: record(2, 201),
        W: watermark(200),
        Z,
      });
    }),
  );

  it(
    'idle: in ingestion time ticks say nothing until the next record',
    marbles((m) => {
      const calls = m.hot<Call>('10ms a 39ms I 299ms b 9ms |', { a: plain(1), I: quiet, b: plain(2) });
      const expected = '         10ms (aV) 36ms I 299ms (AbW) 5ms (Z|)';
      m.expect(scripted(calls, { time: 'ingestion', interval: 100 })).toBeObservable(expected, {
        a: record(1, 10),
        V: watermark(0),
        I: idle(0),
        A: watermark(0),
        b: record(2, 350),
        W: watermark(300),
        Z,
      });
    }),
  );

  it('gives the clock, which never goes back', () => {
    const scheduler = new ProbeScheduler(100);
    let context: SourceContext<number> | undefined;
    const subscription = fromSource<number>(
      (given) => {
        context = given;
      },
      { scheduler },
    ).subscribe();
    expect(context?.now()).toBe(100);
    scheduler.setTime(90);
    expect(context?.now()).toBe(100);
    scheduler.setTime(110);
    expect(context?.now()).toBe(110);
    subscription.unsubscribe();
  });

  it(
    'gives no watermarks in ingestion time with an interval of Infinity',
    marbles((m) => {
      const calls = m.hot<Call>('-----a-----|', { a: plain(1) });
      m.expect(scripted(calls, { time: 'ingestion', interval: Infinity })).toBeObservable('-----a-----(Z|)', {
        a: record(1, 5),
        Z,
      });
    }),
  );
});

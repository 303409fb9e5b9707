import { asyncScheduler, from, Subject, take } from 'rxjs';
import {
  ascendingTimestamps,
  boundedOutOfOrderness,
  boundedOutOfOrdernessTimestampExtractor,
  counters,
  fromGenerator,
  InvalidTimestampError,
  idle,
  keyedRecord,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  noWatermarks,
  type ReassignConfig,
  reassignWatermarks,
  record,
  type StreamElement,
  tumblingWindow,
  watermark,
  withIdleness,
  withMaxFutureSkew,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { windowed } from '../helpers/elements.js';
import { marbles } from '../helpers/marbles.js';
import { ProbeScheduler } from '../helpers/probeScheduler.js';

type In = StreamElement<string>;
const Z = watermark(MAX_TIMESTAMP);
const ascending = ascendingTimestamps<string>();
const EACH = { interval: 'record' } as const;
const TENS = { interval: 10 } as const;

describe('reassignWatermarks: the contract', () => {
  it(
    'never: a silent source gives nothing, however often the strategy is asked',
    marbles((m) => {
      const source = m.cold<In>('-');
      m.expect(source.pipe(reassignWatermarks(ascending, TENS)), '^ 59ms !').toBeObservable('-');
      m.expect(source).toHaveSubscriptions('^ 59ms !');
    }),
  );

  it(
    'W9 empty: the final watermark, then completion',
    marbles((m) => {
      m.expect(m.cold<In>('--|').pipe(reassignWatermarks(ascending, TENS))).toBeObservable('--(Z|)', { Z });
    }),
  );

  it(
    'W9 error: passes at once, without a watermark',
    marbles((m) => {
      const source = m.cold<In>('a--#', { a: record('a', 5) });
      m.expect(source.pipe(reassignWatermarks(ascending, TENS))).toBeObservable('a--#', { a: record('a', 5) });
      m.expect(source).toHaveSubscriptions('^--!');
    }),
  );

  it(
    'unsubscribe: the source is let go and the ticks end',
    marbles((m) => {
      const source = m.hot<In>('a 14ms b', { a: record('a', 5), b: record('b', 6) });
      m.expect(source.pipe(reassignWatermarks(ascending, TENS)), '^ 14ms !').toBeObservable('a 9ms W', {
        a: record('a', 5),
        W: watermark(4),
      });
      m.expect(source).toHaveSubscriptions('^ 14ms !');
    }),
  );

  it('C1 throws: the timestamp function and the generator, one error each, unchanged, and the source is let go', () => {
    const cause = { thrown: 'by the user' };
    const thrower = (): never => {
      throw cause;
    };
    const quiet = { onRecord() {}, onTick() {} };
    for (const [strategy, config] of [
      [ascending, { timestamp: thrower }],
      [fromGenerator<string>(() => ({ ...quiet, onRecord: thrower })), {}],
      [fromGenerator<string>(() => ({ ...quiet, onTick: thrower })), {}],
      [fromGenerator<string>(thrower), {}],
    ] as const) {
      const errors: unknown[] = [];
      const source = new Subject<In>();
      source
        .pipe(reassignWatermarks(strategy, { ...EACH, ...config }))
        .subscribe({ error: (error: unknown) => errors.push(error) });
      source.next(record('a', 1));
      source.next(record('b', 2));
      expect(errors).toHaveLength(1);
      expect(errors[0]).toBe(cause);
      expect(source.observed).toBe(false);
    }
  });

  it(
    'W3 synchronous: no tick, but asked at the end; after every record it is exact',
    marbles((m) => {
      const source = from<In[]>([record('a', 5), watermark(5), record('b', 9)]);
      const values = { a: record('a', 5), V: watermark(4), b: record('b', 9), W: watermark(8), Z };
      m.expect(source.pipe(reassignWatermarks(ascending, TENS))).toBeObservable('(abWZ|)', values);
      m.expect(source.pipe(reassignWatermarks(ascending, EACH))).toBeObservable('(aVbWZ|)', values);
    }),
  );

  it('C2 re-entrant: through two stages, a record pushed from inside one comes after the watermark that this one causes', () => {
    const source = new Subject<In>();
    const seen: string[] = [];
    source
      .pipe(
        reassignWatermarks(ascending, { ...EACH, timestamp: (_value, previous) => previous + 100 }),
        reassignWatermarks(ascending, EACH),
      )
      .subscribe((element) => {
        seen.push(element._tag === 'Record' ? `r${element.timestamp}` : `W${element.timestamp}`);
        if (seen.length === 1) {
          source.next(record('b', 2));
          source.complete();
        }
      });
    source.next(record('a', 1));
    expect(seen).toEqual(['r101', 'W100', 'r102', 'W101', 'WInfinity']);
  });

  it('C4 arguments: refused when the operator is built', () => {
    const build = (config: object) => () => reassignWatermarks(ascending, config as ReassignConfig<string>);
    expect(build({ interval: 0 })).toThrow(RangeError);
    expect(build({ interval: -1 })).toThrow(/^reassignWatermarks: interval/);
    expect(build({ timestamp: 5 })).toThrow(/timestamp is 5/);
    expect(build({})).not.toThrow();
  });
});

describe('reassignWatermarks: W11', () => {
  it(
    'W11 watermark: upstream’s are swallowed, new ones come at ticks',
    marbles((m) => {
      const source = m.hot<In>('aT 8ms b 9ms U 4ms |', {
        a: record('a', 50),
        T: watermark(49),
        b: record('b', 40),
        U: watermark(1_000),
      });
      m.expect(source.pipe(reassignWatermarks(boundedOutOfOrderness(20), TENS))).toBeObservable('a 9ms (bT) 11ms (Z|)', {
        a: record('a', 50),
        b: record('b', 40),
        T: watermark(29),
        Z,
      });
    }),
  );

  it(
    'W11 watermark: the new timestamp is made from the value and the old one; the key stays',
    marbles((m) => {
      const source = m.hot<StreamElement<string, number>>('ab|', {
        a: keyedRecord('xx', 50, 7),
        b: keyedRecord('y', MIN_TIMESTAMP, 8),
      });
      const timestamp = (value: string, previous: number) =>
        previous === MIN_TIMESTAMP ? value.length : previous + value.length;
      m.expect(source.pipe(reassignWatermarks(noWatermarks<string>(), { timestamp }))).toBeObservable('ab(Z|)', {
        a: keyedRecord('xx', 52, 7),
        b: keyedRecord('y', 1, 8),
        Z,
      });
    }),
  );

  it(
    'W11 watermark: a stamped strategy stamps by itself, from the old timestamp',
    marbles((m) => {
      const source = m.hot<In>('a 9ms |', { a: record('a', 50) });
      const extractor = boundedOutOfOrdernessTimestampExtractor<string>(10, (_value, previous) => previous * 2);
      m.expect(source.pipe(reassignWatermarks(extractor, EACH))).toBeObservable('(aW) 6ms (Z|)', {
        a: record('a', 100),
        W: watermark(90),
        Z,
      });
    }),
  );

  it(
    'W1 regressing: what the new generator says rises, whatever upstream’s watermarks did',
    marbles((m) => {
      const source = m.hot<In>('a 4ms T 4ms b 4ms c 4ms |', {
        a: record('a', 50),
        T: watermark(10),
        b: record('b', 40),
        c: record('c', 51),
      });
      m.expect(source.pipe(reassignWatermarks(ascending, EACH))).toBeObservable('(aT) 6ms b 4ms (cU) 1ms (Z|)', {
        a: record('a', 50),
        T: watermark(49),
        b: record('b', 40),
        c: record('c', 51),
        U: watermark(50),
        Z,
      });
    }),
  );

  it(
    'W11 idle: upstream’s idleness is swallowed; the strategy’s own counts',
    marbles((m) => {
      const strategy = withIdleness(50)(ascending);
      const source = m.hot<In>('Ia 98ms J', { I: idle(), a: record('a', 5), J: idle(5) });
      m.expect(source.pipe(reassignWatermarks(strategy, EACH)), '^ 150ms !').toBeObservable('-(aW) 46ms I', {
        a: record('a', 5),
        W: watermark(4),
        I: idle(4),
      });
    }),
  );

  it(
    'W11 completion: upstream’s MAX passes at once, and after it no watermark comes; records still do',
    marbles((m) => {
      const source = m.hot<In>('a 4ms Z 9ms b 9ms |', { a: record('a', 5), Z, b: record('b', 9) });
      m.expect(source.pipe(reassignWatermarks(ascending, TENS))).toBeObservable('a 4ms Z 9ms b 9ms |', {
        a: record('a', 5),
        Z,
        b: record('b', 9),
      });
    }),
  );

  it(
    'W6 idle: a stream that gave MAX is finished, which is neither active nor idle: no status follows',
    marbles((m) => {
      const source = m.hot<In>('a 4ms Z 94ms |', { a: record('a', 5), Z });
      m.expect(source.pipe(reassignWatermarks(withIdleness(20)(ascending), EACH))).toBeObservable('(aW)  1ms Z 94ms |', {
        a: record('a', 5),
        W: watermark(4),
        Z,
      });
    }),
  );

  it(
    'T2 watermark: records without a time get one, and can go through a window then',
    marbles((m) => {
      const source = m.hot<In>('ab|', { a: record('a', MIN_TIMESTAMP), b: record('bb', MAX_TIMESTAMP) });
      const stamped = source.pipe(reassignWatermarks(noWatermarks<string>(), { timestamp: (value) => value.length }));
      m.expect(stamped.pipe(tumblingWindow(10))).toBeObservable('--(xZ|)', { x: record(windowed(0, 10, ['a', 'bb']), 9), Z });
    }),
  );

  it('T1 error: a timestamp that is none names record, value and operator', () => {
    const errors: unknown[] = [];
    from<In[]>([record('a', 1), record('b', 2)])
      .pipe(reassignWatermarks(ascending, { timestamp: (value) => (value === 'b' ? NaN : 1.5) }))
      .subscribe({ error: (error: unknown) => errors.push(error) });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBeInstanceOf(InvalidTimestampError);
    expect(errors[0]).toMatchObject({ operator: 'reassignWatermarks', of: 'timestamp', received: NaN, value: 'b', index: 1 });
  });

  it(
    'W8 watermark: the skew guard holds here too, and counts',
    marbles((m) => {
      const seen = counters();
      const source = m.hot<In>('a 4ms b 4ms |', { a: record('a', 200), b: record('b', 50) });
      const guarded = withMaxFutureSkew(100)(ascending);
      m.expect(source.pipe(reassignWatermarks(guarded, { ...EACH, counters: seen }))).toBeObservable('a 4ms (bW) 1ms (Z|)', {
        a: record('a', 200),
        b: record('b', 50),
        W: watermark(49),
        Z,
      });
      asyncScheduler.schedule(() => expect(seen).toMatchObject({ records: 2, held: 1 }), 20);
    }),
  );

  it('W3 timers: none is left after completion, error, an error in a tick, unsubscription, take', () => {
    for (const end of ['complete', 'error', 'error in a tick', 'unsubscribe', 'take'] as const) {
      const scheduler = new ProbeScheduler();
      const source = new Subject<In>();
      const failing = fromGenerator<string>(() => ({
        onRecord() {},
        onTick() {
          if (end === 'error in a tick' && scheduler.now() > 0) throw new Error('boom');
        },
      }));
      const subscription = source
        .pipe(reassignWatermarks(failing, { ...TENS, scheduler }), end === 'take' ? take(1) : take(9))
        .subscribe({ error: () => {} });
      expect(scheduler.pending).toBe(1);
      if (end === 'complete') source.complete();
      else if (end === 'error') source.error(new Error('boom'));
      else if (end === 'unsubscribe') subscription.unsubscribe();
      else if (end === 'take') source.next(record('a', 1));
      else scheduler.advanceTo(10);
      expect([end, scheduler.pending, source.observed]).toEqual([end, 0, false]);
    }
  });
});

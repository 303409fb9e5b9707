import { from, type Observable } from 'rxjs';
import {
  ascendingTimestampExtractor,
  assignWatermarks,
  boundedOutOfOrdernessTimestampExtractor,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  MonotonyViolatedError,
  type PeriodicAssigner,
  type PunctuatedAssigner,
  periodicAssigner,
  punctuatedAssigner,
  reassignWatermarks,
  record,
  type StampedStrategy,
  watermark,
  withIdleness,
} from 'tidemark';
import { describe, expect, it, vi } from 'vitest';
import { marbles } from '../helpers/marbles.js';

interface Click {
  readonly at: number;
  readonly n: number;
}
const click = (at: number, n = at): Click => ({ at, n });
const on = (at: number, n = at) => record(click(at, n), at);
const Z = watermark(MAX_TIMESTAMP);
const TENS = { interval: 10 } as const;
const EACH = { interval: 'record' } as const;
const stamp = (value: Click): number => value.at;

/** As the assigners of Flink 1.x were written: a maximum that starts at 0. */
class MaxFromZero implements PeriodicAssigner<Click> {
  private max = 0;
  constructor(private readonly delay: number) {}
  extractTimestamp(value: Click): number {
    this.max = Math.max(this.max, value.at);
    return value.at;
  }
  getCurrentWatermark(): number | undefined {
    return this.max - this.delay;
  }
}

describe('periodicAssigner', () => {
  it(
    'W2 watermark: what it says at each tick, nothing taken off; even before the first record',
    marbles((m) => {
      const source = m.hot<Click>('15ms a 9ms b 9ms |', { a: click(5), b: click(3) });
      const assigner = periodicAssigner<Click>(() => new MaxFromZero(3));
      m.expect(source.pipe(assignWatermarks(assigner, TENS))).toBeObservable('10ms T 4ms a 4ms U 4ms b 9ms (Z|)', {
        T: watermark(-3),
        a: on(5),
        U: watermark(2),
        b: on(3),
        Z,
      });
    }),
  );

  it(
    'W3 watermark: undefined is none',
    marbles((m) => {
      const source = m.hot<Click>('15ms a 9ms |', { a: click(5) });
      const assigner = periodicAssigner<Click>(() => {
        let last: number | undefined;
        return { extractTimestamp: (value) => (last = value.at), getCurrentWatermark: () => last };
      });
      m.expect(source.pipe(assignWatermarks(assigner, TENS))).toBeObservable('15ms a 4ms W 4ms (Z|)', {
        a: on(5),
        W: watermark(5),
        Z,
      });
    }),
  );

  it(
    'W1 regressing: a watermark that falls is swallowed',
    marbles((m) => {
      const source = m.hot<Click>('a 9ms b 9ms c 9ms |', { a: click(5), b: click(3), c: click(6) });
      const lastOnly = periodicAssigner<Click>(() => {
        let last = MIN_TIMESTAMP;
        return { extractTimestamp: (value) => (last = value.at), getCurrentWatermark: () => last };
      });
      m.expect(source.pipe(assignWatermarks(lastOnly, EACH))).toBeObservable('(aT) 6ms b 9ms (cU) 6ms (Z|)', {
        a: on(5),
        T: watermark(5),
        b: on(3),
        c: on(6),
        U: watermark(6),
        Z,
      });
    }),
  );

  it('C3: state belongs to one subscription', () => {
    const result = from([click(5)]).pipe(
      assignWatermarks(
        periodicAssigner(() => new MaxFromZero(0)),
        EACH,
      ),
    );
    expect(run(result)).toStrictEqual([on(5), watermark(5), Z]);
    expect(run(result)).toStrictEqual([on(5), watermark(5), Z]);
  });

  it('W11: through reassignWatermarks it is given the previous timestamp, through assignWatermarks MIN', () => {
    const previous: number[] = [];
    const assigner = periodicAssigner<Click>(() => ({
      extractTimestamp(value, before) {
        previous.push(before);
        return value.at;
      },
      getCurrentWatermark: () => undefined,
    }));
    run(from([click(5)]).pipe(assignWatermarks(assigner)));
    run(from([record(click(5), 77)]).pipe(reassignWatermarks(assigner)));
    expect(previous).toEqual([MIN_TIMESTAMP, 77]);
  });
});

describe('punctuatedAssigner', () => {
  const everyThird = punctuatedAssigner<Click>(
    (): PunctuatedAssigner<Click> => ({
      extractTimestamp: (value) => value.at,
      checkAndGetNextWatermark: (value, extracted) => (value.n % 3 === 0 ? extracted : undefined),
    }),
  );

  it(
    'W4 watermark: right after the record that gives it; undefined and smaller ones are none',
    marbles((m) => {
      const source = m.hot<Click>('a 4ms b 4ms c 4ms d 4ms |', { a: click(1), b: click(9), c: click(6), d: click(10, 12) });
      m.expect(source.pipe(assignWatermarks(everyThird, TENS))).toBeObservable('a 4ms (bT) 1ms c 4ms (dU) 1ms (Z|)', {
        a: on(1),
        b: on(9),
        T: watermark(9),
        c: on(6),
        d: on(10, 12),
        U: watermark(10),
        Z,
      });
    }),
  );

  it(
    'W7 idle: without ticks idleness has a timer of its own',
    marbles((m) => {
      const source = m.hot<Click>('a', { a: click(3) });
      const result = source.pipe(assignWatermarks(withIdleness(50)(everyThird), { interval: Infinity }));
      m.expect(result, '^ 99ms !').toBeObservable('(aW) 46ms I', {
        a: on(3),
        W: watermark(3),
        I: { ...watermark(3), idle: true },
      });
    }),
  );
});

describe('ascendingTimestampExtractor', () => {
  const through = (onViolation: Parameters<typeof ascendingTimestampExtractor>[1]) =>
    from([click(5), click(4), click(6)]).pipe(assignWatermarks(ascendingTimestampExtractor(stamp, onViolation), EACH));
  const kept = [on(5), watermark(4), on(4), on(6), watermark(5), Z];

  it(
    'W2 watermark: max − 1 at each tick, nothing before the first record',
    marbles((m) => {
      const source = m.hot<Click>('15ms a 9ms b 9ms |', { a: click(5), b: click(7) });
      m.expect(source.pipe(assignWatermarks(ascendingTimestampExtractor(stamp), TENS))).toBeObservable(
        '15ms a 4ms T 4ms b 4ms U 4ms (Z|)',
        {
          a: on(5),
          T: watermark(4),
          b: on(7),
          U: watermark(6),
          Z,
        },
      );
    }),
  );

  it('W1 regressing: ignored, the record keeps its own time and the watermark stands', () => {
    expect(run(through('ignore'))).toStrictEqual(kept);
  });

  it('W1 regressing: logged by default, with both times, and otherwise as ignored', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    try {
      expect(run(through(undefined))).toStrictEqual(kept);
      expect(warn).toHaveBeenCalledTimes(1);
      expect(String(warn.mock.calls[0]?.[0])).toMatch(/4.*5/s);
    } finally {
      warn.mockRestore();
    }
  });

  it('W1 regressing: fails with both times', () => {
    const seen: unknown[] = [];
    through('fail').subscribe({ next: (e) => seen.push(e), error: (e: unknown) => seen.push(e) });
    expect(seen.slice(0, 2)).toStrictEqual([on(5), watermark(4)]);
    expect(seen).toHaveLength(3);
    expect(seen[2]).toBeInstanceOf(MonotonyViolatedError);
    expect(seen[2]).toMatchObject({ timestamp: 4, last: 5 });
  });

  it('W1 regressing: a handler of one’s own is told both times, and may throw its own error', () => {
    const told: number[][] = [];
    expect(run(through((timestamp, last) => told.push([timestamp, last])))).toStrictEqual(kept);
    expect(told).toEqual([[4, 5]]);
    const cause = new Error('mine');
    let error: unknown;
    through(() => {
      throw cause;
    }).subscribe({ error: (e: unknown) => (error = e) });
    expect(error).toBe(cause);
  });

  it('W2 regressing: equal times are no violation', () => {
    const result = from([click(5), click(5)]).pipe(assignWatermarks(ascendingTimestampExtractor(stamp, 'fail'), EACH));
    expect(run(result)).toStrictEqual([on(5), watermark(4), on(5), Z]);
  });

  it('C4 arguments: an unknown handler or no function is refused', () => {
    expect(() => ascendingTimestampExtractor(stamp, 'shout' as never)).toThrow(/onViolation is "shout"/);
    expect(() => ascendingTimestampExtractor('at' as never)).toThrow(TypeError);
  });
});

describe('boundedOutOfOrdernessTimestampExtractor', () => {
  it(
    'W2 watermark: max − delay at each tick, never backwards, nothing before the first record',
    marbles((m) => {
      const source = m.hot<Click>('15ms a 9ms b 9ms c 9ms |', { a: click(5), b: click(1), c: click(6) });
      const extractor = boundedOutOfOrdernessTimestampExtractor(2, stamp);
      m.expect(source.pipe(assignWatermarks(extractor, TENS))).toBeObservable('15ms a 4ms T 4ms b 9ms c 4ms U 4ms (Z|)', {
        a: on(5),
        T: watermark(3),
        b: on(1),
        c: on(6),
        U: watermark(4),
        Z,
      });
    }),
  );

  it('C4 arguments: a negative delay is refused when the strategy is made', () => {
    expect(() => boundedOutOfOrdernessTimestampExtractor(-1, stamp)).toThrow(RangeError);
    expect(() => boundedOutOfOrdernessTimestampExtractor(-1, stamp)).toThrow(/maxDelay is -1/);
    expect(() => boundedOutOfOrdernessTimestampExtractor(0.5, stamp)).toThrow(RangeError);
    expect(() => boundedOutOfOrdernessTimestampExtractor(0, 'at' as never)).toThrow(TypeError);
    expect(() => boundedOutOfOrdernessTimestampExtractor(0, stamp)).not.toThrow();
  });
});

describe('all four extractors', () => {
  const extractors: Record<string, StampedStrategy<Click>> = {
    periodicAssigner: periodicAssigner(() => new MaxFromZero(0)),
    punctuatedAssigner: punctuatedAssigner(() => ({
      extractTimestamp: (value) => value.at,
      checkAndGetNextWatermark: (_value, extracted) => extracted,
    })),
    ascendingTimestampExtractor: ascendingTimestampExtractor(stamp),
    boundedOutOfOrdernessTimestampExtractor: boundedOutOfOrdernessTimestampExtractor(0, stamp),
  };
  const WATERMARKS: Record<string, number> = { ascendingTimestampExtractor: 6 };

  for (const [name, strategy] of Object.entries(extractors)) {
    it(`W2 W9 completion: ${name} needs no config, takes one, and is asked once more at the end`, () => {
      const last = watermark(WATERMARKS[name] ?? 7);
      const plain = run(from([click(7)]).pipe(assignWatermarks(strategy)));
      expect(plain).toStrictEqual([on(7), last, Z]);
      const keyed = run(from([click(7)]).pipe(assignWatermarks(strategy, { key: (value) => value.n })));
      expect(keyed).toStrictEqual([{ ...on(7), key: 7 }, last, Z]);
      const overridden = run(from([click(7)]).pipe(assignWatermarks(strategy, { timestamp: () => 50 })));
      expect(overridden[0]).toStrictEqual(record(click(7), 50));
    });
  }
});

function run<A>(stream: Observable<A>): A[] {
  const seen: A[] = [];
  stream.subscribe((element) => seen.push(element));
  return seen;
}

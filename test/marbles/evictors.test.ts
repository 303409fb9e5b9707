import {
  type AlignedConfig,
  aggregates,
  assigners,
  counters,
  evictors,
  globalWindow,
  MIN_TIMESTAMP,
  record,
  sessionWindow,
  slidingWindow,
  triggers,
  tumblingWindow,
  watermark,
  windowBy,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { play, results } from '../helpers/play.js';

const { collect } = aggregates;
const { afterCount, afterWatermark, never, purging } = triggers;

/** A record of time `at`, which is its value too, or a value of its own. */
const r = (at: number, value = String(at)) => record(value, at);
const W = watermark;
type Config = AlignedConfig<string, undefined>;
const tens = (config: Config) => () => tumblingWindow<string, ReadonlyArray<string>, undefined>(10, collect(), config);
const early = afterWatermark({ early: afterCount(2) });
const apart = (older: string, newer: string) => Number(newer) - Number(older);

describe('evictors before the fold', () => {
  it('count: the last n stay; the others are gone for later firings, and counted if they were in none', () => {
    const seen = counters();
    const config: Config = { evict: evictors.count(2), allowedLateness: 50, counters: seen };
    expect(results<string>(tens(config), [r(1), r(2), r(3), W(9), r(4), W(100)])).toEqual([
      '[0,10) 2,3 onTime 0',
      '[0,10) 3,4 late 1',
    ]);
    expect(seen).toMatchObject({ records: 4, late: 0, discarded: 1 }); // 1; 2 was in a result
  });

  it('count: of none is an empty fold, as Flink calls its function for nothing', () => {
    const seen = counters();
    const config: Config = { evict: evictors.count(0), counters: seen };
    expect(results<string>(tens(config), [r(1), r(2), W(9)])).toEqual(['[0,10)  onTime 0']);
    expect(seen.discarded).toBe(2);
  });

  it('time: what is a size or more older than the newest goes; records without a time stay', () => {
    expect(results<string>(tens({ evict: evictors.time(5) }), [r(8), r(3), r(4), r(2), W(9)])).toEqual(['[0,10) 8,4 onTime 0']);
    expect(
      results<string>(
        () => globalWindow(afterCount(3), collect(), { evict: evictors.time(5) }),
        [r(MIN_TIMESTAMP, 'a'), r(MIN_TIMESTAMP, 'b'), r(MIN_TIMESTAMP, 'c')],
      ),
    ).toEqual(['a,b,c early 0']);
  });

  it('delta: what is the threshold or more from the last goes', () => {
    expect(results<string>(tens({ evict: evictors.delta(apart, 3) }), [r(1), r(3), r(2), r(5), W(9)])).toEqual([
      '[0,10) 3,5 onTime 0',
    ]);
  });

  it('V8: what stays is in the order of its arrival', () => {
    expect(results<string>(tens({ evict: evictors.count(3) }), [r(9), r(1), r(5), r(0), W(9)])).toEqual([
      '[0,10) 1,5,0 onTime 0',
    ]);
  });
});

describe('evictors after the fold', () => {
  it('count: the firing sees everything, the next one what stayed and what is new', () => {
    const seen = counters();
    const config: Config = { evict: evictors.count(1, { after: true }), trigger: early, counters: seen };
    expect(results<string>(tens(config), [r(1), r(2), r(3), r(4), W(9)])).toEqual([
      '[0,10) 1,2 early 0',
      '[0,10) 2,3,4 early 1',
      '[0,10) 4 onTime 2/0',
    ]);
    expect(seen.discarded).toBe(0);
  });

  it('what has been emptied does not fire until there is something new', () => {
    const config: Config = { evict: evictors.count(0, { after: true }), trigger: early };
    expect(results<string>(tens(config), [r(1), r(2), W(9)])).toEqual(['[0,10) 1,2 early 0']);
    expect(results<string>(tens(config), [r(1), r(2), r(3), W(9)])).toEqual(['[0,10) 1,2 early 0', '[0,10) 3 onTime 1/0']);
  });

  it('time and delta', () => {
    const steps = [r(1), r(6), r(3), r(7), W(9)] as const;
    expect(results<string>(tens({ evict: evictors.time(3, { after: true }), trigger: early }), steps)).toEqual([
      '[0,10) 1,6 early 0',
      '[0,10) 6,3,7 early 1',
      '[0,10) 6,7 onTime 2/0',
    ]);
    expect(results<string>(tens({ evict: evictors.delta(apart, 2, { after: true }), trigger: early }), steps)).toEqual([
      '[0,10) 1,6 early 0',
      '[0,10) 6,3,7 early 1',
      '[0,10) 6,7 onTime 2/0',
    ]);
  });
});

describe('evictors with other things', () => {
  it('discarding and purging panes: each firing evicts among what is new', () => {
    const seen = counters();
    for (const config of [{ panes: 'discarding', trigger: early }, { trigger: purging(early) }] as const) {
      seen.reset();
      const evict = evictors.count(1);
      expect(results<string>(tens({ ...config, evict, counters: seen }), [r(1), r(2), r(3), W(9)])).toEqual([
        '[0,10) 2 early 0',
        '[0,10) 3 onTime 1/0',
      ]);
      expect(seen.discarded).toBe(1);
    }
  });

  it('retracting panes withdraw what was put out, evicted or not', () => {
    const config: Config = { panes: 'retracting', trigger: early, evict: evictors.count(1) };
    expect(results<string>(tens(config), [r(1), r(2), r(3), W(9)])).toEqual([
      '[0,10) 2 early 0',
      '-[0,10) 2 early 0',
      '[0,10) 3 onTime 1/0',
    ]);
  });

  it('any aggregate: records are folded at each firing, also by one that cannot merge or subtract', () => {
    const text = aggregates.fold(
      () => '',
      (all: string, value: string) => `${all}<${value}>`,
    );
    expect(results<string>(() => tumblingWindow(10, text, { evict: evictors.count(2) }), [r(1), r(2), r(3), W(9)])).toEqual([
      '[0,10) <2><3> onTime 0',
    ]);
  });

  it('sliding windows evict each for itself', () => {
    expect(
      results<string>(() => slidingWindow(10, 5, collect(), { evict: evictors.count(1) }), [r(3), r(6), r(7), W(14)]),
    ).toEqual(['[-5,5) 3 onTime 0', '[0,10) 7 onTime 0', '[5,15) 7 onTime 0']);
  });

  it('sessions keep the records of all parts', () => {
    expect(
      results<string>(() => sessionWindow(10, collect(), { evict: evictors.count(3) }), [r(0), r(15), r(16), r(8), W(30)]),
    ).toEqual(['[0,26) 15,16,8 onTime 0']);
  });

  it('C5: after a merge, what is counted is what was in no result, wherever it stands', () => {
    const seen = counters();
    const config = { evict: evictors.count(2), trigger: early, counters: seen };
    const words = results<string>(() => sessionWindow(10, collect(), config), [r(0), r(15), r(16), r(8), W(30)]);
    expect(words).toEqual(['[15,26) 15,16 early 0', '[0,26) 16,8 early 0', '[0,26) 16,8 onTime 1/0']);
    expect(seen.discarded).toBe(1); // 0 alone: 15 was in a result
  });

  it('by the clock', () => {
    const assigner = assigners.tumbling(10, { clock: 'processing' });
    expect(
      results<string>(
        (scheduler) => windowBy(assigner, collect<string>(), { evict: evictors.count(1), scheduler }),
        [r(50), r(51), 10],
      ),
    ).toEqual(['[0,10) 51 onTime 0']);
  });

  it('C1 throws: a distance that fails is one error', () => {
    const cause = new Error('distance');
    const evict = evictors.delta<string>(() => {
      throw cause;
    }, 1);
    expect(play<string>(tens({ evict }), [r(1), W(9)])).toEqual([[], ['#Error: distance']]);
  });

  it('C4 arguments: refused when they are built', () => {
    expect(() => evictors.count(-1)).toThrow(/evictors.count: n is -1, it must be a whole number ≥ 0/);
    expect(() => evictors.count(0.5)).toThrow(RangeError);
    expect(() => evictors.time(0)).toThrow(/evictors.time: size is 0/);
    expect(() => evictors.delta(3 as never, 1)).toThrow(/evictors.delta: distance is 3/);
    expect(() => evictors.delta(() => 0, Infinity)).toThrow(/evictors.delta: threshold is Infinity/);
    expect(() => tumblingWindow(10, collect(), { evict: { kind: 'mine', after: false } })).toThrow(
      /tumblingWindow: evict is .*one of evictors/,
    );
    const trigger = triggers.afterCount(2);
    expect(() => tumblingWindow(10, collect(), { trigger, evict: {} as never })).toThrow(/evict is {}.*one of evictors/);
  });

  it('C7: evictors are values: equal ones are equal, and show what they are', () => {
    expect(evictors.count(2)).toStrictEqual(evictors.count(2));
    expect(evictors.time(2, { after: true })).toStrictEqual(evictors.time(2, { after: true }));
    expect(evictors.count(2)).not.toEqual(evictors.count(3));
    expect(JSON.parse(JSON.stringify(evictors.time(5)))).toEqual({ kind: 'time', size: 5, after: false });
  });
});

describe('what is dropped is counted once (C5)', () => {
  const seen = counters();
  const dropped = (config: Config, ...steps: Parameters<typeof results<string>>[1]): number => {
    seen.reset();
    results<string>(tens({ allowDataLoss: true, counters: seen, ...config }), steps);
    return seen.discarded;
  };

  it('what is purged, evicted, left over or comes after the last firing', () => {
    expect(dropped({ trigger: never() }, r(1), r(2), W(9), '|')).toBe(2);
    expect(dropped({ trigger: afterCount(2) }, r(1), r(2), r(3), W(9), '|')).toBe(1);
    expect(dropped({ trigger: purging(afterCount(2)) }, r(1), r(2), r(3), '|')).toBe(1);
    expect(dropped({ trigger: triggers.once(afterCount(1)) }, r(1), r(2), r(3), W(9))).toBe(2);
    expect(dropped({ evict: evictors.count(1) }, r(1), r(2), r(3), W(9))).toBe(2);
    expect(dropped({ evict: evictors.count(1), trigger: afterCount(2) }, r(1), r(2), r(3), W(9))).toBe(2);
    // evicted after the fold: it was in a result
    expect(dropped({ evict: evictors.count(0, { after: true }) }, r(1), r(2), W(9))).toBe(0);
    // what has been in one result is not dropped, however often it fires or goes
    expect(
      dropped({ trigger: afterWatermark({ early: afterCount(1) }), allowedLateness: 5 }, r(1), r(2), W(9), r(3), W(99)),
    ).toBe(0);
  });

  it('what a session has left when it merges or goes', () => {
    seen.reset();
    const config = { trigger: afterCount(4), counters: seen };
    results<string>(() => sessionWindow(10, collect(), config), [r(0), r(15), r(8), W(24), r(50), '|']);
    expect(seen).toMatchObject({ records: 4, late: 0, discarded: 4 });
  });
});

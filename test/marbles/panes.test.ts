import {
  type AlignedConfig,
  aggregates,
  assigners,
  counters,
  globalWindow,
  idle,
  keyedRecord,
  mapValue,
  record,
  type StreamElement,
  sessionWindow,
  slidingWindow,
  type Trigger,
  triggers,
  tumblingWindow,
  type Windowed,
  watermark,
  windowBy,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { latePane, windowed } from '../helpers/elements.js';
import { marbles } from '../helpers/marbles.js';
import { play, results, type Step } from '../helpers/play.js';

const { collect } = aggregates;
const { afterCount, afterWatermark, custom, every, purging } = triggers;

type In = StreamElement<string>;
type Config = AlignedConfig<string, undefined>;
type Steps = ReadonlyArray<Step<string, undefined>>;
type Collected = Windowed<string, ReadonlyArray<string>, undefined>;

/** A record of time `at`, which is its value too, or a value of its own. */
const r = (at: number, value = String(at)) => record(value, at);
const W = watermark;

/** Tumbling windows in the core made for them, and in the one for any assigner. */
const TUMBLING: ReadonlyArray<readonly [string, (config: Config) => Collected]> = [
  ['tumblingWindow', (config) => tumblingWindow(10, collect<string>(), config)],
  ['windowBy', (config) => windowBy(assigners.tumbling(10), collect(), config)],
];
const session = (config: Config) => (): Collected =>
  sessionWindow<string, ReadonlyArray<string>, undefined>(10, collect(), config as never);
const early: Trigger<unknown, unknown> & { readonly mergeable: true } = afterWatermark({ early: afterCount(1) });

describe('pane fields (V7)', () => {
  it('index counts all firings, onTimeIndex those that are not early; the timing says which', () => {
    const steps = [r(1), r(2), W(9), r(3), r(4), W(100)] as const;
    const config = { trigger: afterWatermark({ early: afterCount(2) }), allowedLateness: 50 };
    expect(results<string>(() => tumblingWindow(10, collect(), config), steps)).toEqual([
      '[0,10) 1,2 early 0',
      '[0,10) 1,2 onTime 1/0',
      '[0,10) 1,2,3 late 2/1',
      '[0,10) 1,2,3,4 late 3/2',
    ]);
  });

  it('the timing goes by what fired: an event timer by its time, a record or the clock by the watermark', () => {
    const trigger = custom<string, null>({
      create: () => null,
      onRecord: (_value, _state, context) => {
        for (const at of [8, 9, 10]) context.onEventTime(at);
        context.onProcessingTime(20);
        return 'fire';
      },
      onEventTime: () => 'fire',
      onProcessingTime: () => 'fire',
    });
    const steps = [r(1), 21, W(12), r(2), 22, W(13), '|'] as const;
    expect(
      play<string>((scheduler) => tumblingWindow(10, collect(), { trigger, scheduler, allowedLateness: 50 }), steps),
    ).toEqual([
      ['[0,10) 1 early 0'],
      ['[0,10) 1 early 1'],
      ['[0,10) 1 early 2', '[0,10) 1 onTime 3/0', '[0,10) 1 late 4/1', 'W(12)'],
      ['[0,10) 1,2 late 5/2'],
      ['[0,10) 1,2 late 6/3'], // the clock, which is past the time asked for
      ['[0,10) 1,2 early 7', '[0,10) 1,2 onTime 8/4', '[0,10) 1,2 late 9/5', 'W(13)'],
      ['W(MAX)', '|'],
    ]);
  });

  it('indices restart when sessions merge, and when one grows', () => {
    const grown = [r(0), r(3), r(3, 'again'), W(12), '|'] as const;
    expect(results<string>(session({ trigger: early }), grown)).toEqual([
      '[0,10) 0 early 0',
      '[0,13) 0,3 early 0',
      '[0,13) 0,3,again early 1',
      '[0,13) 0,3,again onTime 2/0',
    ]);
    const merged = [r(0), r(15), r(15, 'again'), r(8), W(24), '|'] as const;
    expect(results<string>(session({ trigger: early }), merged)).toEqual([
      '[0,10) 0 early 0',
      '[15,25) 15 early 0',
      '[15,25) 15,again early 1',
      '[0,25) 0,15,again,8 early 0',
      '[0,25) 0,15,again,8 onTime 1/0',
    ]);
  });

  it('the clock’s end of a processing-time window is on time, what comes before it early', () => {
    const config = { clock: 'processing', trigger: triggers.processingTime() } as const;
    expect(results<string>((scheduler) => tumblingWindow(10, collect(), { ...config, scheduler }), [r(50), W(100), 10])).toEqual(
      ['[0,10) 50 onTime 0 '].map((word) => word.trim()),
    );
    const often = { clock: 'processing', trigger: every(4, 'processing') } as const;
    expect(results<string>((scheduler) => tumblingWindow(10, collect(), { ...often, scheduler }), [r(50), 8, r(51), 20])).toEqual(
      [
        '[0,10) 50 early 0',
        '[0,10) 50,51 onTime 1/0', // at 12, which the end cuts short to 9
      ],
    );
  });
});

for (const [name, tens] of TUMBLING) {
  const run = (config: Config, steps: Steps): string[] => results<string>(() => tens(config), steps);

  describe(`panes of ${name}`, () => {
    const steps = [r(1), W(9), r(2), r(3), W(100)] as const;
    const lateness = { allowedLateness: 50 };

    it('accumulating: each holds everything', () => {
      expect(run(lateness, steps)).toEqual(['[0,10) 1 onTime 0', '[0,10) 1,2 late 1', '[0,10) 1,2,3 late 2']);
    });

    it('discarding: each holds what is new, and nothing counts as discarded', () => {
      const seen = counters();
      expect(run({ ...lateness, panes: 'discarding', counters: seen }, steps)).toEqual([
        '[0,10) 1 onTime 0',
        '[0,10) 2 late 1',
        '[0,10) 3 late 2',
      ]);
      expect(seen).toMatchObject({ records: 3, late: 0, discarded: 0 });
    });

    it(
      'V3 retracting: the withdrawal of the one before comes directly before the new one, of the same time',
      marbles((m) => {
        const source = m.hot<In>('a 9ms W 9ms b 9ms c', { a: record('a', 1), W: W(9), b: record('b', 2), c: record('c', 3) });
        m.expect(source.pipe(tens({ ...lateness, panes: 'retracting' })), '^ 40ms !').toBeObservable(
          '10ms (xW) 6ms (Xy) 6ms (Yz)',
          {
            x: record(windowed(0, 10, ['a']), 9),
            W: W(9),
            X: record(windowed(0, 10, ['a'], { ...windowed(0, 10, 0).pane, retraction: true }), 9),
            y: record(windowed(0, 10, ['a', 'b'], latePane(1)), 9),
            Y: record(windowed(0, 10, ['a', 'b'], { ...latePane(1), retraction: true }), 9),
            z: record(windowed(0, 10, ['a', 'b', 'c'], latePane(2)), 9),
          },
        );
      }),
    );

    it('retracting: keys keep apart, a window that fires once withdraws nothing', () => {
      const words = results<string, string>(
        () => windowBy(assigners.tumbling(10), collect(), { panes: 'retracting', allowedLateness: 50 }),
        [keyedRecord('a', 1, 'k'), keyedRecord('b', 1, 'l'), W(9), keyedRecord('c', 1, 'l'), W(100)],
      );
      expect(words).toEqual(['[0,10) k: a onTime 0', '[0,10) l: b onTime 0', '-[0,10) l: b onTime 0', '[0,10) l: b,c late 1']);
    });

    it('retracting: the values that are withdrawn add up to nothing but the last results', () => {
      const words = run({ panes: 'retracting', trigger: early, ...lateness }, [r(1), r(2), W(9), r(3)]);
      expect(words).toEqual([
        '[0,10) 1 early 0',
        '-[0,10) 1 early 0',
        '[0,10) 1,2 early 1',
        '-[0,10) 1,2 early 1',
        '[0,10) 1,2 onTime 2/0',
        '-[0,10) 1,2 onTime 2/0',
        '[0,10) 1,2,3 late 3/1',
      ]);
    });
  });

  describe(`the time of a result of ${name} (W10)`, () => {
    const all = (config: Config, steps: Steps): string[][] => play<string>(() => tens(config), steps);

    it('P046 earliest: the watermark stays below it, and goes on with the firing', () => {
      expect(all({ resultTime: 'earliest' }, [W(3), r(6), r(5), W(4), W(5), W(8), r(9), W(9), W(10), '|'])).toEqual([
        ['W(3)'],
        [],
        [],
        ['W(4)'],
        [], // 5 is held at 4
        [],
        [],
        ['[0,10) 6,5,9 onTime 0 @5', 'W(9)'],
        ['W(10)'],
        ['W(MAX)', '|'],
      ]);
    });

    it('P046 latest: a later record moves the hold on, and the watermark follows at once', () => {
      expect(all({ resultTime: 'latest' }, [r(3), W(4), r(8), r(6), W(8), W(9), '|'])).toEqual([
        [],
        ['W(2)'],
        ['W(4)'],
        [],
        ['W(7)'],
        ['[0,10) 3,8,6 onTime 0 @8', 'W(9)'],
        ['W(MAX)', '|'],
      ]);
    });

    it('of the records behind the watermark none decides; if there is no other, it is the end', () => {
      expect(all({ resultTime: 'earliest' }, [W(4), r(2), r(6), r(4), W(9)]).at(-1)).toEqual([
        '[0,10) 2,6,4 onTime 0 @6',
        'W(9)',
      ]);
      expect(all({ resultTime: 'earliest' }, [W(4), r(2), W(5), W(9)])).toEqual([
        ['W(4)'],
        [],
        ['W(5)'],
        ['[0,10) 2 onTime 0', 'W(9)'],
      ]);
    });

    it('late panes hold nothing back', () => {
      expect(all({ resultTime: 'earliest', allowedLateness: 50 }, [r(5), W(9), r(1), W(12), r(2), W(13), '|'])).toEqual([
        [],
        ['[0,10) 5 onTime 0 @5', 'W(9)'],
        ['[0,10) 5,1 late 1 @5'],
        ['W(12)'],
        ['[0,10) 5,1,2 late 2 @5'],
        ['W(13)'],
        ['W(MAX)', '|'],
      ]);
    });

    it('discarding: a pane has the time of its own records', () => {
      const config: Config = { resultTime: 'earliest', panes: 'discarding', allowedLateness: 50 };
      expect(all(config, [r(5), W(9), r(1)])).toEqual([[], ['[0,10) 5 onTime 0 @5', 'W(9)'], ['[0,10) 1 late 1']]);
    });

    it('retracting: a withdrawal has the time of what it withdraws', () => {
      expect(
        results<string>(() => tens({ resultTime: 'latest', panes: 'retracting', trigger: early }), [r(5), r(7), W(9)]),
      ).toEqual([
        '[0,10) 5 early 0 @5',
        '-[0,10) 5 early 0 @5',
        '[0,10) 5,7 early 1 @7',
        '-[0,10) 5,7 early 1 @7',
        '[0,10) 5,7 onTime 2/0 @7',
      ]);
    });

    it('MAX passes, whatever is held; completion too', () => {
      expect(all({ resultTime: 'earliest' }, [r(5), W(7), W(Infinity), '|'])).toEqual([
        [],
        ['W(4)'],
        ['[0,10) 5 onTime 0 @5', 'W(MAX)'],
        ['|'],
      ]);
      expect(all({ resultTime: 'latest' }, [r(5), W(7), '|']).at(-1)).toEqual(['[0,10) 5 onTime 0 @5', 'W(MAX)', '|']);
    });

    it('idleness passes with the watermark as far as it may go', () => {
      expect(all({ resultTime: 'earliest' }, [r(5), idle(7), W(8), W(9)])).toEqual([
        [],
        ['W(4)', 'W(4, idle)'],
        ['W(4)'],
        ['[0,10) 5 onTime 0 @5', 'W(9)'],
      ]);
    });

    it('all keys and windows hold: the earliest counts', () => {
      const steps = [
        keyedRecord('a', 18, 'k'),
        keyedRecord('b', 7, 'l'),
        keyedRecord('c', 5, 'k'),
        W(8),
        W(9),
        W(17),
        W(18),
        W(19),
      ];
      const words = play<string, string>(() => windowBy(assigners.tumbling(10), collect(), { resultTime: 'earliest' }), steps);
      expect(words).toEqual([
        [],
        [],
        [],
        ['W(4)'],
        ['[0,10) l: b onTime 0 @7', '[0,10) k: c onTime 0 @5', 'W(9)'],
        ['W(17)'],
        [],
        ['[10,20) k: a onTime 0 @18', 'W(19)'],
      ]);
    });

    it('a second window downstream has every result in time', () => {
      for (const resultTime of ['earliest', 'latest'] as const) {
        const seen = counters();
        const words = results<string>(
          () => (source) =>
            tens({ resultTime })(source).pipe(
              mapValue(({ value }) => value.join('+')),
              tumblingWindow(2, collect(), { counters: seen }),
            ),
          [r(5), W(7), r(8), W(9), r(13), W(15), '|'],
        );
        expect(words).toEqual(
          resultTime === 'earliest'
            ? ['[4,6) 5+8 onTime 0', '[12,14) 13 onTime 0']
            : ['[8,10) 5+8 onTime 0', '[12,14) 13 onTime 0'],
        );
        expect(seen.late).toBe(0);
      }
    });
  });
}

describe('panes of windows that merge', () => {
  it('V3 retracting: one withdrawal for each part that had fired, the oldest first, at the next firing', () => {
    const config: Config = { panes: 'retracting', trigger: early };
    expect(results<string>(session(config), [r(15), r(0), r(8), W(24)])).toEqual([
      '[15,25) 15 early 0',
      '[0,10) 0 early 0',
      '-[15,25) 15 early 0',
      '-[0,10) 0 early 0',
      '[0,25) 15,0,8 early 0',
      '-[0,25) 15,0,8 early 0',
      '[0,25) 15,0,8 onTime 1/0',
    ]);
  });

  it('retracting: parts that have not fired have nothing to withdraw', () => {
    const trigger = afterWatermark({ early: afterCount(2) });
    expect(results<string>(session({ panes: 'retracting', trigger }), [r(0), r(1), r(15), r(8), W(24)])).toEqual([
      '[0,11) 0,1 early 0',
      '-[0,11) 0,1 early 0',
      '[0,25) 0,1,15,8 early 0', // one and one are two
      '-[0,25) 0,1,15,8 early 0',
      '[0,25) 0,1,15,8 onTime 1/0',
    ]);
  });

  it('retracting: a session that had fired and grows is withdrawn when the longer one fires', () => {
    const config: Config = { panes: 'retracting', allowedLateness: 50 };
    expect(results<string>(session(config), [r(0), W(9), r(5), W(14), '|'])).toEqual([
      '[0,10) 0 onTime 0',
      '-[0,10) 0 onTime 0',
      '[0,15) 0,5 onTime 0',
    ]);
  });

  it('discarding: a merge keeps what was in no result', () => {
    const config: Config = { panes: 'discarding', trigger: afterWatermark({ early: afterCount(2) }) };
    expect(results<string>(session(config), [r(0), r(1), r(15), r(8), W(24)])).toEqual([
      '[0,11) 0,1 early 0',
      '[0,25) 15,8 early 0',
    ]);
  });

  it('W10 earliest: parts hold as the whole does', () => {
    expect(play<string>(session({ resultTime: 'earliest' }), [r(15), W(3), r(6), W(5), W(8), W(20), W(24), '|'])).toEqual([
      [],
      ['W(3)'],
      [],
      ['W(5)'],
      [],
      [],
      ['[6,25) 15,6 onTime 0 @6', 'W(24)'],
      ['W(MAX)', '|'],
    ]);
  });

  it('W10: a session that had fired and grows holds anew, for the records since', () => {
    for (const resultTime of ['earliest', 'latest'] as const) {
      expect(play<string>(session({ resultTime, allowedLateness: 50 }), [r(0), W(9), r(10), W(15), W(19), '|'])).toEqual([
        [],
        ['[0,10) 0 onTime 0 @0', 'W(9)'],
        [],
        [], // not beyond 9
        ['[0,20) 0,10 onTime 0 @10', 'W(19)'],
        ['W(MAX)', '|'],
      ]);
    }
  });

  it('W10: ... and for a part that had not fired', () => {
    const steps = [r(0), W(9), r(18), r(9), W(17), W(20), W(27), '|'] as const;
    expect(play<string>(session({ resultTime: 'earliest', allowedLateness: 50 }), steps)).toEqual([
      [],
      ['[0,10) 0 onTime 0 @0', 'W(9)'],
      [],
      [], // 9 joins [0, 10) and [18, 28); it is behind the watermark itself
      ['W(17)'],
      [],
      ['[0,28) 0,18,9 onTime 0 @18', 'W(27)'],
      ['W(MAX)', '|'],
    ]);
  });
});

describe('the time of results under triggers (W10)', () => {
  it('early firings have it too, and hold on until the one on time', () => {
    const words = play<string>(
      () => tumblingWindow(10, collect(), { resultTime: 'earliest', trigger: early }),
      [r(5), W(7), r(8), W(9)],
    );
    expect(words).toEqual([['[0,10) 5 early 0 @5'], ['W(4)'], ['[0,10) 5,8 early 1 @5'], ['[0,10) 5,8 onTime 2/0 @5', 'W(9)']]);
  });

  it('discarding: each pane has the time of its own records, and lets go of it', () => {
    const config = { resultTime: 'earliest', panes: 'discarding', trigger: early } as const;
    expect(play<string>(() => tumblingWindow(10, collect(), config), [r(5), W(7), r(8), W(9)])).toEqual([
      ['[0,10) 5 early 0 @5'],
      ['W(7)'],
      ['[0,10) 8 early 1 @8'],
      ['W(9)'],
    ]);
  });

  it('a window that ends without a firing holds no longer', () => {
    const config = { resultTime: 'earliest', trigger: afterCount(2), allowedLateness: 50 } as const;
    expect(play<string>(() => tumblingWindow(10, collect(), config), [r(5), W(8), W(9), W(30), r(6), '|'])).toEqual([
      [],
      ['W(4)'],
      ['W(9)'],
      ['W(30)'],
      ['[0,10) 5,6 late 0 @5'],
      ['W(MAX)', '|'],
    ]);
  });

  it('windows without end hold for what they keep; one that purges lets go', () => {
    const config = { resultTime: 'earliest' } as const;
    const steps = [r(5), W(10), r(6), W(11), r(20), W(30), r(25), W(40), '|'] as const;
    expect(play<string>(() => globalWindow(afterCount(2), collect(), config), steps)).toEqual([
      [],
      ['W(4)'],
      ['5,6 early 0 @5'],
      [],
      [],
      [],
      ['5,6,20,25 early 1 @5'],
      [],
      ['W(MAX)', '|'],
    ]);
    expect(play<string>(() => globalWindow(purging(afterCount(2)), collect(), config), steps)).toEqual([
      [],
      ['W(4)'],
      ['5,6 early 0 @5', 'W(10)'],
      ['W(11)'],
      [],
      ['W(19)'],
      ['20,25 early 1 @20', 'W(30)'],
      ['W(40)'],
      ['W(MAX)', '|'],
    ]);
  });

  it('sliding windows each hold for themselves', () => {
    expect(
      play<string>(() => slidingWindow(10, 5, collect(), { resultTime: 'earliest' }), [r(7), W(8), W(9), W(14), '|']),
    ).toEqual([[], ['W(6)'], ['[0,10) 7 onTime 0 @7'], ['[5,15) 7 onTime 0 @7', 'W(14)'], ['W(MAX)', '|']]);
  });

  it('C4 arguments: by the clock there is nothing but the end', () => {
    expect(() => tumblingWindow(10, collect(), { clock: 'processing', resultTime: 'earliest' })).toThrow(
      /tumblingWindow: resultTime is "earliest", it must be "end"/,
    );
    expect(() => tumblingWindow(10, collect(), { resultTime: 'middle' as never })).toThrow(/resultTime is "middle"/);
  });
});

import { Subject } from 'rxjs';
import {
  aggregates,
  ascendingTimestamps,
  assigners,
  assignWatermarks,
  counters,
  countWindow,
  cumulativeWindow,
  type StreamElement,
  sessionWindow,
  slidingWindow,
  triggers,
  tumblingWindow,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { ProbeScheduler } from '../helpers/probeScheduler.js';
import { listen, MAX, r, through, W } from './notation.js';

const { collect } = aggregates;
const END = ['W(MAX)', '|'];

describe('firing, and sessions', () => {
  it('P047 without records there is no window and no firing', () => {
    expect(through(tumblingWindow(10, collect()), [r(1), r(21), W(29)])).toEqual(['[0,10) 1', '[20,30) 21', 'W(29)', ...END]);
  });

  it('P049 each late record that is accepted fires its own window again, at once, with everything', () => {
    const window = tumblingWindow<number, ReadonlyArray<number>, undefined>(10, collect(), { allowedLateness: 100 });
    expect(through(window, [r(1), W(9), r(2), r(3), W(12)])).toEqual([
      '[0,10) 1',
      'W(9)',
      '[0,10) 1,2 late',
      '[0,10) 1,2,3 late',
      'W(12)',
      ...END,
    ]);
  });

  it('P051 a session that would merge behind the watermark is a new one, and nothing throws', () => {
    expect(through(sessionWindow(10, collect()), [r(0), W(9), r(8), W(17)])).toEqual([
      '[0,10) 0',
      'W(9)',
      '[8,18) 8',
      'W(17)',
      ...END,
    ]);
  });

  it('P053 after a merge all timers are those of the whole', () => {
    const trigger = triggers.every(5, 'event', { repeat: true });
    const session = sessionWindow<number, ReadonlyArray<number>, undefined>(10, collect(), { trigger });
    expect(through(session, [r(0), r(8), W(5), W(10), W(15), W(17)])).toEqual([
      '[0,18) 0,8 early',
      'W(5)',
      '[0,18) 0,8 early',
      'W(10)',
      '[0,18) 0,8 early',
      'W(15)',
      '[0,18) 0,8',
      'W(17)',
      ...END,
    ]);
  });

  it('P055 sessions that touch merge, as in Flink and Kafka Streams', () => {
    expect(through(sessionWindow(10, collect()), [r(0), r(10), W(MAX)])).toEqual(['[0,20) 0,10', ...END]);
  });

  it('P057 a session ends one gap after its last record', () => {
    expect(through(sessionWindow(10, collect()), [r(0), r(9), W(9), W(17), W(18)])).toEqual([
      'W(9)',
      'W(17)',
      '[0,19) 0,9',
      'W(18)',
      ...END,
    ]);
  });

  it('P059 early results come on change, or again and again if that is asked for', () => {
    const early = (repeat: boolean): string[] => {
      const scheduler = new ProbeScheduler();
      const source = new Subject<StreamElement<number>>();
      const trigger = triggers.every(10, 'processing', { repeat });
      const words = listen(source.pipe(tumblingWindow(1_000_000, collect(), { trigger, scheduler })));
      source.next(r(0));
      scheduler.advanceTo(101); // a timer for 100 runs in the frame after it
      return words;
    };
    expect(early(false)).toEqual(['[0,1000000) 0 early']);
    expect(early(true)).toEqual(Array.from({ length: 10 }, () => '[0,1000000) 0 early'));
  });

  it('P061 a slide need not divide the size', () => {
    const windowsOf = (time: number) => through(slidingWindow(10, 3, collect()), [r(time)]).slice(0, -2);
    expect(windowsOf(9)).toEqual(['[0,10) 9', '[3,13) 9', '[6,16) 9', '[9,19) 9']);
    expect(windowsOf(10)).toEqual(['[3,13) 10', '[6,16) 10', '[9,19) 10']);
  });

  it('P062 a slide above the size leaves gaps: what falls into one is neither late nor an error, and is counted', () => {
    const seen = counters();
    const late: number[] = [];
    const window = slidingWindow<number, ReadonlyArray<number>, undefined>(5, 10, collect(), {
      counters: seen,
      lateTo: ({ value }) => late.push(value),
    });
    expect(through(window, [r(4), r(7), W(MAX)])).toEqual(['[0,5) 4', ...END]);
    expect(late).toEqual([]);
    expect(seen).toMatchObject({ records: 2, unassigned: 1, late: 0 });
  });

  it('P063 bad sizes and periods are refused when the operator is built, by name and value', () => {
    for (const size of [0, -1, NaN]) {
      for (const build of [() => tumblingWindow(size), () => assigners.tumbling(size)]) {
        expect(build).toThrow(RangeError);
        expect(build).toThrow(`size is ${size}`);
      }
    }
    for (const bad of [0, -1, NaN]) {
      for (const [name, build] of [
        ['size', () => slidingWindow(bad, 10, collect())],
        ['slide', () => slidingWindow(10, bad, collect())],
        ['gap', () => sessionWindow(bad, collect())],
        ['step', () => cumulativeWindow(bad, 10, collect())],
        ['size', () => countWindow(bad, collect())],
      ] as const) {
        expect(build).toThrow(RangeError);
        expect(build).toThrow(`${name} is ${bad}`);
      }
    }
    const period = (interval: number) => () => assignWatermarks<number>(ascendingTimestamps(), { timestamp: (n) => n, interval });
    expect(period(-5)).toThrow(RangeError);
    expect(period(-5)).toThrow(/interval.* is -5/);
  });
});

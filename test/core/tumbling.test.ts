import { type AggregateSpec, aggregates, MAX_TIMESTAMP, MissingTimestampError } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { tumblingCore } from '../../src/core/PlainTumblingCore.js';
import { C, END, optionsOf, r, rows, TUMBLING, W, Words } from '../helpers/cores.js';
import { openWindows } from '../helpers/openWindows.js';

for (const [name, make] of Object.entries(TUMBLING)) {
  describe(`${name}, row by row`, () => {
    it('fires at end − 1, and lets go of the window', () => {
      const sink = new Words();
      rows(make(10, sink), sink, [
        [r(1), [], 1],
        [r(9), [], 1],
        [r(10), [], 2],
        [W(8), [], 2],
        [W(9), ['[0,10) 1,9 onTime 0'], 1],
        [W(18), [], 1],
        [W(100), ['[10,20) 10 onTime 0'], 0],
        [r(100), [], 1],
        [r(90), ['late 90'], 1],
        [W(MAX_TIMESTAMP), ['[100,110) 100 onTime 0'], 0],
        [r(200), ['late 200'], 0],
        [END, [], 0],
      ]);
    });

    it('counts a window for each key, in order of appearance', () => {
      const sink = new Words();
      rows(make(10, sink, { aggregate: aggregates.count() }), sink, [
        [r(1, 'b'), [], 1],
        [r(1, 'a'), [], 2],
        [r(2, 'b'), [], 2],
        [r(11, 'a'), [], 3],
        [W(19), ['[0,10) b: 2 onTime 0', '[0,10) a: 1 onTime 0', '[10,20) a: 1 onTime 0'], 0],
      ]);
    });

    it('keeps a fired window for its lateness, and cleans it up silently', () => {
      const sink = new Words();
      rows(make(10, sink, { allowedLateness: 5 }), sink, [
        [r(1), [], 1],
        [W(9), ['[0,10) 1 onTime 0'], 1],
        [r(2), ['[0,10) 1,2 late 1'], 1],
        [W(13), [], 1],
        [r(3, 'new'), ['[0,10) new: 3 late 0'], 2],
        [r(4), ['[0,10) 1,2,4 late 2'], 2],
        [W(14), [], 0],
        [r(5), ['late 5'], 0],
      ]);
    });

    it('cleans a window up that was opened late, at the same time as one opened before', () => {
      const sink = new Words();
      rows(make(10, sink, { allowedLateness: 5 }), sink, [
        [W(12), [], 0],
        [r(1), ['[0,10) 1 late 0'], 1],
        [W(13), [], 1],
        [r(2), ['[0,10) 1,2 late 1'], 1],
        [W(14), [], 0],
        [r(1), ['late 1'], 0],
      ]);
    });

    it('at a watermark of exactly end − 1 a window is over: a record that opens it within the lateness fires it', () => {
      const sink = new Words();
      rows(make(10, sink, { allowedLateness: 5 }), sink, [
        [W(9), [], 0],
        [r(1), ['[0,10) 1 late 0'], 1],
        [W(10), [], 1],
        [W(14), [], 0],
      ]);
    });

    it('in one jump fires and cleans up, each once, in the order of time', () => {
      const sink = new Words();
      rows(make(10, sink, { allowedLateness: 10 }), sink, [
        [r(25), [], 1],
        [r(1), [], 2],
        [r(15), [], 3],
        [W(1_000), ['[0,10) 1 onTime 0', '[10,20) 15 onTime 0', '[20,30) 25 onTime 0'], 0],
      ]);
    });

    it('discards what it has fired, if told to', () => {
      const sink = new Words();
      rows(make(10, sink, { allowedLateness: 50, panes: 'discarding' }), sink, [
        [r(1), [], 1],
        [W(9), ['[0,10) 1 onTime 0'], 1],
        [r(2), ['[0,10) 2 late 1'], 1],
        [r(3), ['[0,10) 3 late 2'], 1],
        [W(59), [], 0],
      ]);
    });

    it('stops firing when nobody listens any more', () => {
      const sink = new Words();
      sink.enough = 1;
      rows(make(10, sink), sink, [
        [r(1), []],
        [r(11), []],
        [r(21), []],
        [W(100), ['[0,10) 1 onTime 0']],
      ]);
    });

    it('floors negative times, and shifts its grid', () => {
      const sink = new Words();
      rows(make(10, sink, { offset: -3 }), sink, [
        [r(-4), []],
        [r(-3), []],
        [r(6), []],
        [r(7), []],
        [W(100), ['[-13,-3) -4 onTime 0', '[-3,7) -3,6 onTime 0', '[7,17) 7 onTime 0']],
      ]);
    });

    it('refuses a record without a time', () => {
      const core = make(10, new Words());
      for (const timestamp of [-Infinity, Infinity]) expect(() => r(timestamp)(core, new Words())).toThrow(MissingTimestampError);
      expect(openWindows(core)).toBe(0);
    });

    it('by the clock: one timer at a time, at the end − 1 of the earliest window', () => {
      const sink = new Words();
      const core = make(10, sink, { clock: 'processing', allowedLateness: 100 });
      const timer = (at: number) => () => expect(core.nextTimer).toBe(at);
      rows(core, sink, [
        [timer(Infinity), []],
        [C(3), [], 0],
        [r(-Infinity, 'a', 'x'), [], 1],
        [timer(9), []],
        [C(9), [], 1],
        [r(5_000, 'a', 'y'), [], 1],
        [W(1_000_000), [], 1],
        [C(10), ['[0,10) a: x,y onTime 0'], 0],
        [timer(Infinity), []],
        [r(1, 'a', 'z'), [], 1],
        [timer(19), []],
        [END, ['[10,20) a: z onTime 0'], 0],
      ]);
    });
  });
}

describe('PlainTumblingCore', () => {
  it('keeps a state that is undefined', () => {
    const sink = new Words();
    const sizes: unknown[] = [];
    const aggregate: AggregateSpec<unknown, string, undefined | null> = {
      create: () => null,
      add(state) {
        sizes.push(state);
        return undefined;
      },
      result: String,
    };
    const core = tumblingCore({ kind: 'event', size: 10, offset: 0 }, optionsOf({ aggregate }), sink);
    rows(core, sink, [
      [r(1), [], 1],
      [r(2), [], 1],
      [r(3, 'a'), [], 2],
      [r(4, 'a'), [], 2],
      [r(5), [], 2],
      [W(9), ['[0,10) undefined onTime 0', '[0,10) a: undefined onTime 0'], 0],
    ]);
    expect(sizes).toEqual([null, undefined, null, undefined, undefined]);
  });

  it.each([
    ['a key that equals no other', Number.NaN],
    ['no key', undefined],
    ['null', null],
  ])('a window of one key: %s', (_, key) => {
    const sink = new Words();
    const core = tumblingCore({ kind: 'event', size: 10, offset: 0 }, optionsOf({}), sink);
    for (const timestamp of [1, 2, 3]) core.record(timestamp, timestamp, key);
    expect(openWindows(core)).toBe(1);
    core.record(4, 4, 'other');
    core.record(5, 5, key);
    expect(openWindows(core)).toBe(2);
    core.watermark(9);
    const name = key === undefined ? '' : `${String(key)}: `;
    expect(sink.take()).toEqual([`[0,10) ${name}1,2,3,5 onTime 0`, '[0,10) other: 4 onTime 0']);
  });

  it('knows a window again after records of two others', () => {
    const sink = new Words();
    const core = tumblingCore({ kind: 'event', size: 10, offset: 0 }, optionsOf({}), sink);
    rows(core, sink, [
      [r(1), [], 1],
      [r(11), [], 2],
      [r(21), [], 3],
      [r(2), [], 3],
      [r(12), [], 3],
      [W(9), ['[0,10) 1,2 onTime 0'], 2],
      [r(3), ['late 3'], 2],
      [r(22), [], 2],
      [r(13), [], 2],
      [W(MAX_TIMESTAMP), ['[10,20) 11,12,13 onTime 0', '[20,30) 21,22 onTime 0'], 0],
    ]);
  });
});

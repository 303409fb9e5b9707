import {
  aggregates,
  assigners,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  MissingTimestampError,
  type TimeWindow,
  type WindowAssigner,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { GeneralCore } from '../../src/core/GeneralCore.js';
import { NEVER, type TriggerMachine } from '../../src/core/TriggerMachine.js';
import type { TriggerResult } from '../../src/windows/trigger.js';
import { sessions, sliding } from '../helpers/assigners.js';
import { C, END, generalCore, optionsOf, r, rows, W, Words } from '../helpers/cores.js';

describe('GeneralCore: windows that overlap', () => {
  it('fires each at its own end', () => {
    const sink = new Words();
    rows(generalCore(sliding(10, 5), sink), sink, [
      [r(7), [], 2],
      [r(12), [], 3],
      [W(9), ['[0,10) 7 onTime 0'], 2],
      [r(8), [], 2], // late for [0, 10), on time for [5, 15)
      [W(14), ['[5,15) 7,12,8 onTime 0'], 1],
      [r(9), ['late 9'], 1], // late for both
      [W(MAX_TIMESTAMP), ['[10,20) 12 onTime 0'], 0],
    ]);
  });

  it('fires again from the latest start back', () => {
    const sink = new Words();
    rows(generalCore(sliding(10, 5), sink, { allowedLateness: 10 }), sink, [
      [r(7), []],
      [W(14), ['[0,10) 7 onTime 0', '[5,15) 7 onTime 0'], 2],
      [r(8), ['[5,15) 7,8 late 1', '[0,10) 7,8 late 1'], 2],
      [W(19), [], 1],
      [r(9), ['[5,15) 7,8,9 late 2'], 1],
      [W(24), [], 0],
    ]);
  });

  it('counts what is in a gap, until its time is over', () => {
    const sink = new Words();
    rows(generalCore(sliding(5, 10), sink, { allowedLateness: 2 }), sink, [
      [r(7), ['unassigned 7'], 0],
      [W(8), []],
      [r(7), ['unassigned 7'], 0],
      [W(9), []],
      [r(7), ['late 7'], 0],
    ]);
  });
});

describe('GeneralCore: windows that merge', () => {
  it('merges what touches, and fires at the end of the whole', () => {
    const sink = new Words();
    rows(generalCore(sessions(10), sink), sink, [
      [r(0), [], 1],
      [r(20), [], 2],
      [r(10), [], 1], // touches both
      [W(28), [], 1],
      [W(29), ['[0,30) 0,20,10 onTime 0'], 0],
    ]);
  });

  it('keeps keys apart', () => {
    const sink = new Words();
    rows(generalCore(sessions(10), sink), sink, [
      [r(0, 'a'), [], 1],
      [r(5, 'b'), [], 2],
      [r(6, 'a'), [], 2],
      [W(MAX_TIMESTAMP), ['[5,15) b: 5 onTime 0', '[0,16) a: 0,6 onTime 0'], 0],
    ]);
  });

  it('judges lateness after merging; what is over stays over', () => {
    const sink = new Words();
    rows(generalCore(sessions(10), sink), sink, [
      [r(0), []],
      [r(9), [], 1],
      [W(15), []],
      [r(2), [], 1], // [2, 12) is over, [0, 19) is not
      [W(18), ['[0,19) 0,9,2 onTime 0'], 0],
      [r(5), ['late 5'], 0],
      [r(12), [], 1], // [12, 22) is open, what it would have touched is gone
      [W(21), ['[12,22) 12 onTime 0'], 0],
    ]);
  });

  it('within the lateness a merge with what has fired fires at once, if the whole is behind the watermark', () => {
    const sink = new Words();
    rows(generalCore(sessions(10), sink, { allowedLateness: 100 }), sink, [
      [r(0), []],
      [W(9), ['[0,10) 0 onTime 0'], 1],
      [r(5), [], 1], // [0, 15): not yet over
      [W(14), ['[0,15) 0,5 onTime 0'], 1],
      [r(3), ['[0,15) 0,5,3 late 1'], 1],
      [W(113), [], 1],
      [W(114), [], 0],
    ]);
  });

  it('indices start again when windows that have fired become one', () => {
    const sink = new Words();
    rows(generalCore(sessions(10), sink, { allowedLateness: 100 }), sink, [
      [r(0), []],
      [r(12), [], 2],
      [W(21), ['[0,10) 0 onTime 0', '[12,22) 12 onTime 0'], 2],
      [r(1), ['[0,11) 0,1 late 0'], 2],
      [r(5), ['[0,22) 0,1,12,5 late 0'], 1],
      [r(6), ['[0,22) 0,1,12,5,6 late 1'], 1],
      [W(121), [], 0],
    ]);
  });
});

/** Fires early at every second record, purges at 'x', and at end − 1 fires and purges. */
const scripted: TriggerMachine<unknown, TimeWindow, { n: number }> = {
  create: () => ({ n: 0 }),
  on(what, value, state, context): TriggerResult {
    if (what !== 'record') return what === 'event' ? 'fireAndPurge' : 'fire';
    context.onEventTime(context.maxTimestamp);
    if (value === 'x') return 'purge';
    return ++state.n % 2 === 0 ? 'fire' : 'continue';
  },
  finished: () => false,
  merge(states, context) {
    context.onEventTime(context.maxTimestamp);
    return { n: states.reduce((n, state) => n + state.n, 0) };
  },
};

const tens = sliding(10, 10);

describe('GeneralCore: triggers', () => {
  it('fires early, purges with a count, and never over nothing', () => {
    const sink = new Words();
    rows(generalCore(tens, sink, {}, scripted), sink, [
      [r(1), [], 1],
      [r(2), ['[0,10) 1,2 early 0'], 1],
      [r(3, undefined, 'x'), ['discarded 1'], 1],
      [r(4), [], 1],
      [W(9), ['[0,10) 4 onTime 1'], 0],
    ]);
  });

  it('a purged window with nothing in it is silent at its end', () => {
    const sink = new Words();
    rows(generalCore(tens, sink, {}, scripted), sink, [
      [r(3, undefined, 'x'), ['discarded 1'], 1],
      [W(9), [], 0],
    ]);
  });

  it('asks for clock timers, which a firing marks early before the end and late after it', () => {
    const clocked: TriggerMachine<unknown, TimeWindow, null> = {
      create: () => null,
      on(what, _value, _state, context) {
        if (what === 'record') context.onProcessingTime(context.now() + 5);
        return what === 'processing' ? 'fire' : 'continue';
      },
      merge: () => null,
      finished: () => false,
    };
    const sink = new Words();
    const core = generalCore(tens, sink, { allowedLateness: 100 }, clocked);
    rows(core, sink, [
      [r(1), [], 1],
      [() => expect(core.nextTimer).toBe(5), []],
      [C(5), []],
      [C(6), ['[0,10) 1 early 0']],
      [W(20), []],
      [r(2), []],
      [C(12), ['[0,10) 1,2 late 1'], 1],
      [W(MAX_TIMESTAMP), [], 0],
      [END, [], 0],
      [C(1_000), []],
    ]);
  });

  it('a cancelled timer does not fire, and one asked for twice fires once', () => {
    const fickle: TriggerMachine<unknown, TimeWindow, null> = {
      create: () => null,
      on(what, value, _state, context) {
        if (what !== 'record') return what === 'event' ? 'fire' : 'continue';
        context.onEventTime(5);
        context.onEventTime(7);
        context.onEventTime(7);
        if (value === 'cancel') context.cancelEventTime(5);
        return 'continue';
      },
      merge: () => null,
      finished: () => false,
    };
    const sink = new Words();
    rows(generalCore(tens, sink, { aggregate: aggregates.count() }, fickle), sink, [
      [r(1), []],
      [r(1, undefined, 'cancel'), []],
      [W(6), []],
      [W(8), ['[0,10) 2 early 0']],
      [W(9), [], 0],
    ]);
  });

  it('a merge moves the trigger’s state and asks for its timers anew', () => {
    const sink = new Words();
    rows(generalCore(sessions(10), sink, { aggregate: aggregates.count() }, scripted), sink, [
      [r(0), [], 1],
      [r(15), [], 2], // one each
      [r(8), [], 1], // three in the whole: continue
      [r(9), ['[0,25) 4 early 0'], 1], // four: fires
      [W(23), []],
      [W(24), ['[0,25) 4 onTime 1'], 0],
    ]);
  });

  it('global windows are kept through MAX', () => {
    const everything: WindowAssigner<unknown> = {
      kind: 'global',
      assign: () => [{ start: -Infinity, end: Infinity }],
      maxTimestamp: () => MAX_TIMESTAMP,
      keyOf: () => 0,
    };
    const sink = new Words();
    rows(generalCore(everything, sink), sink, [
      [r(-Infinity), [], 1],
      [W(MAX_TIMESTAMP), [], 1],
      [r(5), [], 1],
      [END, ['discarded 2'], 0],
    ]);
  });
});

describe('GeneralCore: what a window shares with its keys', () => {
  it('what is due at the same time comes by age, be it the end of a window, the going of another or a time asked for', () => {
    const asking: TriggerMachine<unknown, TimeWindow, null> = {
      create: () => null,
      on(what, value, _state, context) {
        if (what !== 'record') return 'fire';
        context.onEventTime(value === 'later' ? 19 : context.maxTimestamp);
        return 'continue';
      },
      merge: () => null,
      finished: () => false,
    };
    const sink = new Words();
    rows(generalCore(tens, sink, { allowedLateness: 10, aggregate: aggregates.count() }, asking), sink, [
      [r(11, 'a'), [], 1],
      [r(1, 'b', 'later'), [], 2],
      [r(12, 'c'), [], 3],
      [r(2, 'd'), [], 4],
      [W(9), ['[0,10) d: 1 onTime 0'], 4],
      [W(19), ['[10,20) a: 1 onTime 0', '[0,10) b: 1 late 0', '[10,20) c: 1 onTime 0'], 2],
      [W(29), [], 0],
    ]);
  });

  it('an end that is asked for again once it has been is told with the next watermark', () => {
    const again: TriggerMachine<unknown, TimeWindow, null> = {
      create: () => null,
      on(what, _value, _state, context) {
        if (what === 'record') context.onEventTime(context.maxTimestamp);
        return what === 'event' ? 'fire' : 'continue';
      },
      merge: () => null,
      finished: () => false,
    };
    const sink = new Words();
    rows(generalCore(tens, sink, { allowedLateness: 10, aggregate: aggregates.count() }, again), sink, [
      [r(1, 'a'), [], 1],
      [W(9), ['[0,10) a: 1 onTime 0'], 1],
      [r(2, 'a'), [], 1],
      [r(3, 'b'), [], 2],
      [W(10), ['[0,10) a: 2 onTime 1', '[0,10) b: 1 onTime 0'], 2],
      [W(19), [], 0],
    ]);
  });

  it('an entry for a window that has ended holds nothing back, even if its record is ahead of the watermark', () => {
    const past: WindowAssigner<unknown> = {
      kind: 'event',
      assign: () => [{ start: 0, end: 5 }],
      maxTimestamp: (window) => window.end - 1,
      keyOf: (window) => window.end,
    };
    const options = { ...optionsOf({ allowedLateness: 100, aggregate: aggregates.count() }), resultTime: 'earliest' as const };
    const core = new GeneralCore<unknown, unknown, unknown, TimeWindow, unknown, null>(past, NEVER, options, new Words());
    core.watermark(7);
    core.record('a', 10, undefined);
    core.watermark(20);
    expect(core.hold).toBe(Infinity);
  });
});

describe('GeneralCore: tumbling windows, which it knows', () => {
  const two = assigners.tumbling(10);

  it('asks neither the assigner nor the clock about a record in one of the two windows before', () => {
    let asked = 0;
    const sink = new Words();
    sink.now = () => ++asked;
    rows(generalCore(two, sink), sink, [
      [r(1), []],
      [r(11), []],
      [r(2, 'a'), []],
      [r(12, 'a'), [], 4],
      [() => expect(asked).toBe(2), []],
      [r(21), [], 5],
      [() => expect(asked).toBe(3), []],
    ]);
  });

  it('asks a copy that assigns in a way of its own', () => {
    const shifted: WindowAssigner<unknown> = {
      ...two,
      assign: (value, timestamp, now) => (value === 'x' ? [{ start: 0, end: 100 }] : two.assign(value, timestamp, now)),
    };
    const sink = new Words();
    rows(generalCore(shifted, sink), sink, [
      [r(1), [], 1],
      [r(2, undefined, 'x'), [], 2],
      [W(9), ['[0,10) 1 onTime 0'], 1],
      [W(99), ['[0,100) x onTime 0'], 0],
    ]);
  });

  it('a window that is over is not known any more', () => {
    const sink = new Words();
    rows(generalCore(two, sink), sink, [
      [r(1), []],
      [r(11), [], 2],
      [W(9), ['[0,10) 1 onTime 0'], 1],
      [r(2), ['late 2'], 1],
      [(core) => expect(() => core.record('none', MIN_TIMESTAMP, undefined)).toThrow(MissingTimestampError), [], 1],
    ]);
  });
});

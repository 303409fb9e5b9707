import { afterEach, describe, expect, it, vi } from 'vitest';
import { AsOfJoinCore, type AsOfOptions } from '../../src/core/AsOfJoinCore.js';
import { IntervalJoinCore, type IntervalJoinOptions } from '../../src/core/IntervalJoinCore.js';
import type { JoinSink } from '../../src/core/JoinCore.js';
import { TimeBuffer } from '../../src/core/TimeBuffer.js';
import { TwoInputWatermark } from '../../src/core/TwoInputWatermark.js';

type Sink = JoinSink<string, string, string>;
const of = (name: string, at: number, key = 'k') => [name, at, key] as const;

afterEach(() => vi.restoreAllMocks());

/** A sink that writes down what comes. */
function listing(log: string[]): Sink {
  return {
    closed: false,
    pair: (left, right, at) => log.push(`${left}${right}@${at}`),
    alone: (side, value, at) => log.push(side === 'left' ? `${value}-@${at}` : `-${value}@${at}`),
    late: (side, value) => log.push(`${side} ${value} late`),
  };
}

const INTERVAL: IntervalJoinOptions = {
  name: 'test',
  lower: -5,
  upper: 10,
  allowedLateness: 0,
  resultTime: 'max',
  unmatched: { left: false, right: false },
};
const AS_OF: AsOfOptions<string> = {
  name: 'test',
  direction: 'backward',
  tolerance: Infinity,
  exact: true,
  unmatched: true,
  gone: (value) => value === 'gone',
};

describe('IntervalJoinCore', () => {
  it('lets go of a left row at its time + upper, of a right one at its time − lower, and of the key with the last', () => {
    const core = new IntervalJoinCore<string, string, string>(INTERVAL, listing([]));
    core.left(...of('l', 0));
    core.right(...of('r', 0));
    const kept = [4, 5, 9, 10].map((time) => {
      core.watermark(time);
      return [time, core.kept, core.keys];
    });
    expect(kept).toEqual([
      [4, 2, 1],
      [5, 1, 1],
      [9, 1, 1],
      [10, 0, 0],
    ]);
  });

  it('keeps what the interval asks for, however long the stream is and however silent one side', () => {
    const core = new IntervalJoinCore<string, string, string>(INTERVAL, listing([]));
    let most = 0;
    for (let at = 0; at < 50_000; at++) {
      core.left(...of('l', at, `key${at % 100}`));
      if (at < 1_000) core.right(...of('r', at, `key${at % 100}`));
      core.watermark(at - 20); // 20 ms out of order
      most = Math.max(most, core.kept);
    }
    // a row a ms and side, each for the bound, what it may be out of order, and its own ms
    expect(most).toBeLessThanOrEqual(10 + 20 + 1 + (5 + 20 + 1));
    expect(core.keys).toBeLessThanOrEqual(31);
    core.watermark(Infinity);
    expect([core.kept, core.keys]).toEqual([0, 0]);
  });

  it('rows out of order are cleaned in the order of their times', () => {
    const log: string[] = [];
    const core = new IntervalJoinCore<string, string, string>(
      { ...INTERVAL, unmatched: { left: true, right: true } },
      listing(log),
    );
    for (const at of [30, 10, 20]) core.left(...of(`l${at}`, at, `key${at}`));
    core.right(...of('r', 22, 'other')); // sure at 27, before l20
    core.watermark(100);
    expect(log).toEqual(['l10-@10', '-r@22', 'l20-@20', 'l30-@30']);
  });

  it('stops when nobody listens any more', () => {
    const log: string[] = [];
    const sink = { ...listing(log), closed: false };
    const core = new IntervalJoinCore<string, string, string>(INTERVAL, {
      ...sink,
      get closed() {
        return log.length > 0;
      },
    });
    for (const at of [0, 1, 2]) core.right(...of('r', at));
    core.left(...of('l', 2));
    expect(log).toEqual(['lr@2']);
  });

  it('a watermark costs what it takes away: rows that stay are not looked at, of whatever key', () => {
    const core = new IntervalJoinCore<string, string, string>(INTERVAL, listing([]));
    for (let key = 0; key < 1_000; key++) core.left(...of('l', 1_000_000 + key, `key${key % 10}`));
    core.left(...of('l', 0, 'early'));
    const looked = (['at', 'timeAt', 'from', 'shift'] as const).map((name) => vi.spyOn(TimeBuffer.prototype, name));
    const first = (['first', 'next'] as const).map((name) => vi.spyOn(TimeBuffer.prototype, name, 'get'));
    for (let time = 1; time <= 100; time++) core.watermark(time);
    // what goes is taken from its key and from all; else the first of each side is asked for
    expect(looked.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0, 2]);
    for (const { mock } of first) expect(mock.calls.length).toBeLessThanOrEqual(2 * 100 + 1);
    expect(core.kept).toBe(1_000);
  });
});

describe('AsOfJoinCore', () => {
  it('backward: keeps one version a key behind the watermark, and those after it', () => {
    const core = new AsOfJoinCore<string, string, string>(AS_OF, listing([]));
    for (let at = 0; at < 10_000; at++) {
      core.right(...of('r', at, `key${at % 10}`));
      core.watermark(at - 20);
      expect(core.kept).toBeLessThanOrEqual(10 + 21);
    }
    core.watermark(20_000);
    expect([core.kept, core.keys]).toEqual([10, 10]);
    core.watermark(Infinity);
    expect([core.kept, core.keys]).toEqual([0, 0]);
  });

  it('a deletion, a tolerance, and looking ahead leave nothing of a key', () => {
    for (const [options, value] of [
      [{}, 'gone'],
      [{ tolerance: 5 }, 'r'],
      [{ direction: 'forward', tolerance: 5 }, 'r'],
      [{ direction: 'nearest', tolerance: 5 }, 'r'],
    ] as const) {
      const core = new AsOfJoinCore<string, string, string>({ ...AS_OF, ...options }, listing([]));
      core.right(...of('r', 5));
      core.right(...of(value, 10));
      core.left(...of('l', 12));
      core.watermark(30);
      core.watermark(40);
      expect([options, core.kept, core.keys]).toEqual([options, 0, 0]);
    }
  });

  it('nearest: a row that waits keeps the one behind it, though one of its own time, which does not count, came since', () => {
    const log: string[] = [];
    const core = new AsOfJoinCore<string, string, string>({ ...AS_OF, direction: 'nearest', exact: false }, listing(log));
    core.left(...of('l', 10));
    core.right(...of('b', 5));
    core.right(...of('x', 10));
    core.watermark(12);
    expect(log).toEqual([]); // one at 13 would be nearer
    core.watermark(14);
    expect(log).toEqual(['lb@10']);
  });
});

describe('TwoInputWatermark', () => {
  it('is the smaller of the active, of all idle ones the greater; finished ones drop out', () => {
    const both = new TwoInputWatermark();
    const say = (index: 0 | 1, time: number, idle = false): unknown[] => [both.update(index, time, idle), both.time, both.idle];
    expect(say(0, 10)).toEqual([false, -Infinity, false]);
    expect(say(1, 5)).toEqual([true, 5, false]);
    expect(say(1, 5, true)).toEqual([true, 10, false]);
    expect(say(0, 10, true)).toEqual([true, 10, true]);
    expect(say(1, 7)).toEqual([true, 10, false]); // back, and behind: holds
    expect(say(0, 20)).toEqual([false, 10, false]);
    expect(say(1, 3)).toEqual([false, 10, false]);
    expect([both.finish(1), both.time, both.finished]).toEqual([true, 20, false]);
    expect(say(1, 50)).toEqual([false, 20, false]);
    expect(say(0, 20, true)).toEqual([true, 20, true]);
    expect([both.finish(0), both.time, both.idle, both.finished]).toEqual([true, Infinity, false, true]);
  });

  it('both idle stand at the greater one, whoever went first', () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ] as const) {
      const both = new TwoInputWatermark();
      both.update(0, 5, false);
      both.update(1, 9, false);
      for (const index of order) both.update(index, index === 0 ? 5 : 9, true);
      expect([both.time, both.idle]).toEqual([9, true]);
    }
  });
});

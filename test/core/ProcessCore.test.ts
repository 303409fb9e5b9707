import { keyedRecord, MAX_TIMESTAMP, MIN_TIMESTAMP } from 'tidemark';
import { describe, expect, it, vi } from 'vitest';
import { ProcessCore } from '../../src/core/ProcessCore.js';
import { TimeBuffer } from '../../src/core/TimeBuffer.js';

/** A core whose records and timers call what the test says, and which writes down what comes out. */
class Bench {
  readonly words: string[] = [];
  closed = false;
  created = 0;
  readonly core: ProcessCore<string, { n: number } | undefined, string, null>;

  constructor(
    onTimer?: (time: number, core: Bench['core']) => void,
    create: (made: number) => { n: number } | undefined = (n) => ({ n }),
  ) {
    this.core = new ProcessCore<string, { n: number } | undefined, string, null>(
      'test',
      () => create(++this.created),
      onTimer === undefined
        ? undefined
        : (time, state) => {
            onTimer(time, this.core);
            return [`${this.core.key}${state?.n ?? ''} at ${time}, watermark ${this.core.time}`];
          },
      this,
      null,
    );
  }
  result(value: string, timestamp: number): void {
    this.words.push(timestamp === MIN_TIMESTAMP ? value : `${value} @${timestamp}`);
  }
  record(key: string, what: (core: Bench['core']) => void): void {
    this.core.record(keyedRecord(0, 1, key), () => {
      what(this.core);
      return undefined;
    });
  }
  take(): string[] {
    return this.words.splice(0);
  }
}

const nothing = (): void => {};

describe('ProcessCore: event timers', () => {
  it('fire in time order when the watermark is there, once however often they were set', () => {
    const bench = new Bench(nothing);
    bench.record('a', (core) => [30, 10, 20, 10].map((t) => core.setEvent(t)));
    bench.core.watermark(9);
    expect(bench.take()).toEqual([]);
    bench.core.watermark(25);
    expect(bench.take()).toEqual(['a1 at 10, watermark 25 @10', 'a1 at 20, watermark 25 @20']);
    bench.core.watermark(MAX_TIMESTAMP);
    expect(bench.take()).toEqual(['a1 at 30, watermark Infinity @30']);
  });

  it('of a time that has passed wait for the next watermark, even an equal one', () => {
    const bench = new Bench(nothing);
    bench.core.watermark(50);
    bench.record('a', (core) => core.setEvent(10));
    expect(bench.take()).toEqual([]);
    bench.core.watermark(50);
    expect(bench.take()).toEqual(['a1 at 10, watermark 50 @10']);
  });

  it('set in a timer and due fire in the same step, an earlier one before what was to come', () => {
    const bench = new Bench((time, core) => {
      if (time === 20) for (const t of [5, 30, 99, 20]) if (core.key === 'a') core.setEvent(t);
      if (time === 20) core.cancelEvent(20);
    });
    bench.record('a', (core) => core.setEvent(20));
    bench.record('b', (core) => core.setEvent(20));
    bench.core.watermark(40);
    expect(bench.take().map((word) => word.slice(0, 8))).toEqual(['a1 at 20', 'a1 at 5,', 'b2 at 20', 'a1 at 30']);
  });

  it('cancelled do not fire, in a timer of the same step neither; of another key they stay', () => {
    const bench = new Bench((time, core) => {
      if (time === 1) core.cancelEvent(2);
    });
    bench.record('a', (core) => [1, 2, 3].map((t) => core.setEvent(t)));
    bench.record('b', (core) => core.setEvent(2));
    bench.record('a', (core) => core.cancelEvent(3));
    bench.record('b', (core) => core.cancelEvent(77));
    bench.core.watermark(10);
    expect(bench.take()).toEqual(['a1 at 1, watermark 10 @1', 'b2 at 2, watermark 10 @2']);
  });

  it('cancelled and set again fire once', () => {
    const bench = new Bench(nothing);
    bench.record('a', (core) => {
      core.setEvent(5);
      core.cancelEvent(5);
      core.setEvent(5);
    });
    bench.core.watermark(5);
    expect(bench.take()).toHaveLength(1);
    bench.core.watermark(6);
    expect(bench.take()).toEqual([]);
  });

  it('at the end of time fire with it', () => {
    const bench = new Bench(nothing);
    bench.record('a', (core) => core.setEvent(MAX_TIMESTAMP));
    bench.core.watermark(1_000);
    expect(bench.take()).toEqual([]);
    bench.core.watermark(MAX_TIMESTAMP);
    expect(bench.take()).toEqual(['a1 at Infinity, watermark Infinity @Infinity']);
  });

  it('stop when nobody listens any more', () => {
    const bench = new Bench(() => {
      bench.closed = true;
    });
    bench.record('a', (core) => [1, 2].map((t) => core.setEvent(t)));
    bench.core.watermark(10);
    expect(bench.take()).toHaveLength(1);
  });

  it('that are moved again and again leave nothing in the queue', () => {
    const bench = new Bench(nothing);
    const { eventTimers } = bench.core as unknown as { eventTimers: { timers: { size: number } } };
    for (let t = 0; t < 10_000; t++) {
      bench.record('a', (core) => {
        core.cancelEvent(t + 1_000_000);
        core.setEvent(t + 1_000_001);
      });
      expect(eventTimers.timers.size).toBeLessThan(140);
    }
    bench.core.watermark(MAX_TIMESTAMP);
    expect(bench.take()).toEqual(['a1 at 1010000, watermark Infinity @1010000']);
  });
});

describe('ProcessCore: many timers', () => {
  it('of one time that are cancelled are not looked through whenever the next one is asked for', () => {
    const bench = new Bench(nothing);
    for (let key = 0; key < 2_000; key++) bench.record(`key${key}`, (core) => core.setClock(10));
    const first = vi.spyOn(TimeBuffer.prototype, 'first', 'get');
    for (let key = 0; key < 1_500; key++) {
      bench.record(`key${key}`, (core) => core.cancelClock(10));
      expect(bench.core.nextTimer).toBe(10);
    }
    expect(first.mock.calls.length).toBeLessThan(10 * 2_000);
    first.mockRestore();
    bench.core.clock(10);
    expect(bench.take()).toHaveLength(500);
  });

  it('that set an earlier one each need no room on the stack', () => {
    const bench = new Bench((time, core) => {
      if (time > 1) core.setEvent(time - 1);
    });
    bench.record('a', (core) => core.setEvent(50_000));
    bench.core.watermark(50_000);
    expect(bench.take()).toHaveLength(50_000);
  });

  it('of one key, set in any order and cancelled in another', () => {
    const bench = new Bench(nothing);
    const scattered = (n: number): number => (n * 7_919) % 10_007;
    bench.record('a', (core) => {
      for (let n = 0; n < 5_000; n++) core.setEvent(scattered(n));
      for (let n = 0; n < 5_000; n += 2) core.cancelEvent(scattered((n * 3) % 5_000));
    });
    const cancelled = new Set(Array.from({ length: 2_500 }, (_, i) => (i * 6) % 5_000));
    bench.core.watermark(10_007);
    const times = bench.take().map((word) => Number(word.split('@')[1]));
    expect(times).toEqual(
      Array.from({ length: 5_000 }, (_, n) => n)
        .filter((n) => !cancelled.has(n))
        .map(scattered)
        .sort((a, b) => a - b),
    );
  });
});

describe('ProcessCore: timers of the clock', () => {
  it('are other timers than those of event time, and have no timestamp', () => {
    const bench = new Bench(nothing);
    expect(bench.core.nextTimer).toBe(Infinity);
    bench.record('a', (core) => {
      core.setEvent(10);
      core.setClock(10);
      core.setClock(5);
      core.setClock(7);
      core.cancelClock(5);
    });
    expect(bench.core.nextTimer).toBe(7);
    bench.core.clock(10);
    expect(bench.take()).toEqual(['a1 at 7, watermark -Infinity', 'a1 at 10, watermark -Infinity']);
    expect(bench.core.nextTimer).toBe(Infinity);
    bench.core.watermark(10);
    expect(bench.take()).toEqual(['a1 at 10, watermark 10 @10']);
  });
});

describe('ProcessCore: state', () => {
  it('is made once a key, until it is cleared', () => {
    const bench = new Bench(nothing);
    bench.record('a', nothing);
    bench.record('b', nothing);
    bench.record('a', nothing);
    expect([bench.created, bench.core.keys]).toEqual([2, 2]);
    bench.record('a', (core) => core.clearState());
    expect([bench.created, bench.core.keys]).toEqual([2, 1]);
    bench.record('a', nothing);
    expect([bench.created, bench.core.keys]).toEqual([3, 2]);
  });

  it('cleared stays a key as long as it has timers, and is made anew for them', () => {
    const bench = new Bench((time, core) => {
      if (time === 2) core.clearState();
    });
    bench.record('a', (core) => {
      core.setEvent(1);
      core.setClock(2);
      core.clearState();
    });
    expect(bench.core.keys).toBe(1);
    bench.core.watermark(1);
    expect(bench.take()).toEqual(['a2 at 1, watermark 1 @1']);
    bench.core.clock(2);
    expect(bench.core.keys).toBe(0);
  });

  it('of undefined is none', () => {
    const bench = new Bench(nothing, () => undefined);
    bench.record('a', nothing);
    expect(bench.core.keys).toBe(0);
    bench.record('a', (core) => core.setEvent(1));
    expect(bench.core.keys).toBe(1);
    bench.core.watermark(1);
    expect(bench.core.keys).toBe(0);
  });

  it('a timer without onTimer fires nothing, and goes', () => {
    const bench = new Bench(undefined, () => undefined);
    bench.record('a', (core) => core.setEvent(1));
    bench.core.watermark(1);
    expect(bench.core.keys).toBe(0);
  });

  it('is gone when the core is freed', () => {
    const bench = new Bench(nothing);
    bench.record('a', (core) => [1, 2].map((t) => core.setClock(t)));
    bench.core.free();
    expect([bench.core.keys, bench.core.nextTimer]).toEqual([0, Infinity]);
  });

  it('is out of reach between calls', () => {
    const bench = new Bench(nothing);
    bench.record('a', nothing);
    expect(() => bench.core.setEvent(1)).toThrow(
      new Error('test: its context was used outside of a call of onRecord or onTimer'),
    );
  });
});

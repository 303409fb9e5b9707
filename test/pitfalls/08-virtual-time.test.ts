import { Subject } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import {
  ascendingTimestamps,
  assignWatermarks,
  boundedOutOfOrderness,
  fromGenerator,
  idle,
  MAX_TIMESTAMP,
  record,
  watermark,
  withIdleness,
} from 'tidemark';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { word } from './notation.js';

const timestamp = (n: number): number => n;
const ascending = ascendingTimestamps<number>();
const strict = () => new TestScheduler((actual, expected) => expect(actual).toStrictEqual(expected));
const pendingOf = (scheduler: TestScheduler): number => scheduler.actions.length;

describe('virtual time and fake timers', () => {
  it('P083 a period of 0 is refused at once; “each record” has a name of its own', () => {
    expect(() => assignWatermarks(ascending, { timestamp, interval: 0 })).toThrow(RangeError);
    expect(() => assignWatermarks(ascending, { timestamp, interval: 0 })).toThrow(/interval.* is 0/);
    expect(() => assignWatermarks(ascending, { timestamp, interval: 'record' })).not.toThrow();
  });

  it('P084 ticks stop with completion and unsubscription: a virtual run ends, with nothing of ours in the queue', () => {
    const scheduler = strict();
    let ticks = 0;
    const counting = fromGenerator<number>(() => ({ onRecord() {}, onTick: () => void ticks++ }));
    scheduler.run(({ cold, expectObservable }) => {
      const source = cold('a 4ms b--|', { a: 1, b: 2 });
      expectObservable(source.pipe(assignWatermarks(counting, { timestamp, interval: 2 }))).toBe('a 4ms b--(Z|)', {
        a: record(1, 1),
        b: record(2, 2),
        Z: watermark(MAX_TIMESTAMP),
      });
    });
    expect([ticks, pendingOf(scheduler)]).toEqual([4, 0]); // at 2, 4, 6, and at the end
    ticks = 0;
    const endless = strict();
    endless.run(({ cold, expectObservable }) => {
      const result = cold<number>('-').pipe(assignWatermarks(counting, { timestamp, interval: 2 }));
      expectObservable(result, '^ 19ms !').toBe('-');
    });
    expect([ticks, pendingOf(endless)]).toEqual([9, 0]); // at 2 to 18
  });

  it('P086 ticks run in virtual time without a scheduler argument, in the classic mode with one', () => {
    const elements = { a: record(5, 5), W: watermark(4) };
    strict().run(({ hot, expectObservable }) => {
      const result = hot('a', { a: 5 }).pipe(assignWatermarks(ascending, { timestamp, interval: 10 }));
      expectObservable(result, '^ 25ms !').toBe('a 9ms W', elements);
    });
    const classic = strict(); // a character is 10 ms here
    const source = classic.createHotObservable<number>('a----', { a: 5 });
    const result = source.pipe(assignWatermarks(ascending, { timestamp, interval: 10, scheduler: classic }));
    classic.expectObservable(result, '^--!').toBe('aW--', elements);
    classic.flush();
  });

  it('P086 and in real time', async () => {
    const ticks = await new Promise<number>((resolve) => {
      let count = 0;
      const counting = fromGenerator<number>(() => ({
        onRecord() {},
        onTick() {
          if (++count === 3) resolve(count);
        },
      }));
      const subscription = new Subject<number>().pipe(assignWatermarks(counting, { timestamp, interval: 10 })).subscribe();
      setTimeout(() => subscription.unsubscribe(), 5_000).unref();
    });
    expect(ticks).toBe(3);
  });

  describe('with timers that are faked after the import', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it('P088 clock and timers come from one scheduler, looked up when they are used', () => {
      const start = Date.now();
      const asked: number[] = [];
      const words: string[] = [];
      const strategy = withIdleness(300)(
        fromGenerator<number>(() => ({ onRecord() {}, onTick: (now) => void asked.push(now - start) })),
      );
      const subscription = new Subject<number>()
        .pipe(assignWatermarks(strategy, { timestamp, interval: 100 }))
        .subscribe((element) => words.push(`${Date.now() - start}: ${word(element)}`));
      vi.advanceTimersByTime(500);
      // the tick at 100 starts the clock of silence; the fifth is the first that is more than 300 later
      expect(asked).toEqual([100, 200, 300, 400]);
      expect(words).toEqual(['500: W(MIN, idle)']);
      subscription.unsubscribe();
      expect(vi.getTimerCount()).toBe(0);
    });
  });

  it('P090 a record and a tick of one frame: the record first, in each of 100 runs, cold and hot', () => {
    for (let run = 0; run < 100; run++) {
      strict().run(({ cold, hot, expectObservable }) => {
        for (const source of [cold('10ms a 14ms |', { a: 5 }), hot('10ms a 14ms |', { a: 5 })]) {
          const strategy = boundedOutOfOrderness<number>(0);
          expectObservable(source.pipe(assignWatermarks(strategy, { timestamp, interval: 10 }))).toBe('10ms (aW) 11ms (Z|)', {
            a: record(5, 5),
            W: watermark(4),
            Z: watermark(MAX_TIMESTAMP),
          });
        }
      });
    }
  });

  it('P088 an idle mark carries the watermark that stands', () => {
    strict().run(({ hot, expectObservable }) => {
      const strategy = withIdleness(20)(ascending);
      const result = hot('a', { a: 5 }).pipe(assignWatermarks(strategy, { timestamp, interval: 10 }));
      expectObservable(result, '^ 99ms !').toBe('a 9ms W 39ms I', { a: record(5, 5), W: watermark(4), I: idle(4) });
    });
  });
});

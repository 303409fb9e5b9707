import { NEVER, Subject } from 'rxjs';
import {
  aggregates,
  ascendingTimestamps,
  assignWatermarks,
  boundedOutOfOrderness,
  counters,
  fromGenerator,
  tumblingWindow,
  type WatermarkStrategy,
  withIdleness,
  withMaxFutureSkew,
} from 'tidemark';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProbeScheduler } from '../helpers/probeScheduler.js';
import { listen, MAX, r, through, timed, W, word } from './notation.js';

const timestamp = (n: number): number => n;
const DAYS_30 = 2_592_000_000;

describe('timers and clocks of hosts', () => {
  describe('on fake host timers', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it('P123 a timeout of 30 days is 30 days: no host is given a delay that it would cut to nothing', () => {
      const hosts = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')];
      for (const interval of ['record', Infinity, 1_000_000_000] as const) {
        const source = new Subject<number>();
        const words: string[] = [];
        const strategy = withIdleness(DAYS_30)(ascendingTimestamps<number>());
        const subscription = source
          .pipe(assignWatermarks(strategy, { timestamp, interval }))
          .subscribe((element) => words.push(word(element)));
        source.next(1);
        const before = words.length;
        vi.advanceTimersByTime(1_000);
        expect(words.slice(before)).toEqual([]);
        vi.advanceTimersByTime(2 * DAYS_30);
        expect(words.at(-1)).toBe(interval === Infinity ? 'W(MIN, idle)' : 'W(0, idle)');
        subscription.unsubscribe();
        expect(vi.getTimerCount()).toBe(0);
      }
      const delays = hosts.flatMap((host) => host.mock.calls.map(([, delay]) => delay ?? 0));
      expect(delays.length).toBeGreaterThan(0);
      expect(Math.max(...delays)).toBeLessThanOrEqual(2 ** 31 - 1);
    });

    it('P123 a period that no host keeps is refused', () => {
      expect(() => assignWatermarks<number>(ascendingTimestamps(), { timestamp, interval: 2 ** 31 })).toThrow(RangeError);
    });

    it('P124 Infinity means off: no timer, no warning, state until the end', () => {
      const warn = vi.spyOn(process, 'emitWarning');
      const strategy = withMaxFutureSkew(Infinity)(withIdleness(Infinity)(ascendingTimestamps<number>()));
      const subscription = NEVER.pipe(assignWatermarks(strategy, { timestamp, interval: Infinity })).subscribe();
      expect(vi.getTimerCount()).toBe(0);
      expect(warn).not.toHaveBeenCalled();
      subscription.unsubscribe();
      const kept = tumblingWindow<number, ReadonlyArray<number>, undefined>(10, aggregates.collect(), {
        allowedLateness: Infinity,
      });
      expect(through(kept, [r(1), W(1_000_000), r(2), W(MAX)])).toEqual([
        '[0,10) 1',
        'W(1000000)',
        '[0,10) 1,2 late',
        'W(MAX)',
        '|',
      ]);
      warn.mockRestore();
    });
  });

  it('P125 a clock that is set back: no watermark falls, nothing fails, silence is 300 ms of time that went on', () => {
    const scheduler = new ProbeScheduler(1_000);
    const source = new Subject<number>();
    const words: string[] = [];
    const ticks: number[] = [];
    const strategy = withIdleness(300)(
      fromGenerator<number>(() => ({
        onRecord() {},
        onTick(now, output) {
          ticks.push(now);
          output.emit(now);
        },
      })),
    );
    source
      .pipe(assignWatermarks(strategy, { timestamp, interval: 50, scheduler }))
      .subscribe((element) => words.push(word(element)));
    source.next(5);
    for (const now of [1_000, 900, 950, 1_100]) {
      scheduler.setTime(now);
      scheduler.advanceTo(now + 50); // one tick each, as its timer fires whatever the clock says
    }
    const watermarks = words.filter((said) => said.startsWith('W(')).map((said) => Number(said.slice(2, -1)));
    expect(watermarks).toEqual([...watermarks].sort((a, b) => a - b));
    expect(ticks).toEqual([...ticks].sort((a, b) => a - b));
    expect(words.filter((said) => said.includes('idle') || said.startsWith('#'))).toEqual([]);
    scheduler.advanceTo(2_000);
    expect(words.filter((said) => said.includes('idle'))).toHaveLength(1);
  });

  it('P125 without ticks, silence is counted on the same clock', () => {
    const scheduler = new ProbeScheduler(1_000);
    const strategy = withIdleness(300)(ascendingTimestamps<number>());
    const words = timed(NEVER.pipe(assignWatermarks<number>(strategy, { timestamp, interval: 'record', scheduler })), scheduler);
    scheduler.setTime(900);
    scheduler.advanceTo(1_299);
    expect(words).toEqual([]);
    scheduler.advanceTo(1_400);
    expect(words).toEqual(['1300: W(MIN, idle)']);
  });

  it('P127 after a minute without timers there is one tick, not a burst; what was queued is neither late nor lost', () => {
    for (const ticksFirst of [true, false]) {
      const scheduler = new ProbeScheduler();
      const source = new Subject<number>();
      const seen = counters();
      let ticks = 0;
      const bounded = boundedOutOfOrderness<number>(0);
      const counting: WatermarkStrategy<number> = {
        ...bounded,
        create: () => {
          const generator = bounded.create();
          return {
            onRecord: (value, time, output) => generator.onRecord(value, time, output),
            onTick(now, output) {
              ticks++;
              generator.onTick(now, output);
            },
          };
        },
      };
      const strategy = withIdleness(1_000)(counting);
      const words = listen(
        source.pipe(
          assignWatermarks(strategy, { timestamp, interval: 200, scheduler }),
          tumblingWindow(1_000, aggregates.count(), { counters: seen }),
        ),
      );
      source.next(0);
      scheduler.advanceTo(200);
      ticks = 0;
      words.length = 0;
      scheduler.setTime(60_200);
      if (ticksFirst) scheduler.wake();
      for (let time = 1_000; time <= 60_000; time += 1_000) source.next(time);
      scheduler.advanceTo(60_400);
      expect(ticks).toBeLessThanOrEqual(2);
      expect(words.filter((said) => said.startsWith('W('))).toEqual(['W(59999)']);
      expect(words.filter((said) => said.startsWith('['))).toHaveLength(60);
      expect(seen).toMatchObject({ records: 61, late: 0 });
    }
  });

  it('P128 event time is never waited for: an hour behind the clock, the actions are the ticks', () => {
    const scheduler = new ProbeScheduler(3_600_000);
    const source = new Subject<number>();
    const records = 100;
    const period = 20;
    source
      .pipe(
        assignWatermarks(withIdleness(500)(boundedOutOfOrderness<number>(0)), { timestamp, interval: period, scheduler }),
        tumblingWindow(50, aggregates.count(), { scheduler }),
      )
      .subscribe();
    for (let i = 0; i < records; i++) {
      source.next(i * 10);
      scheduler.advanceTo(3_600_000 + (i + 1) * 10);
    }
    expect(scheduler.delays.length).toBeLessThanOrEqual(1_000 / period + records + 5);
    expect(scheduler.delays).toHaveLength(51); // a tick each 20 ms, and the one that waits
  });
});

import { asyncScheduler, Observable, type SchedulerLike, Subscription } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { periodicTicker } from '../../../src/schedulers/periodicTicker.js';
import { marbles } from '../../helpers/marbles.js';
import { ProbeScheduler } from '../../helpers/probeScheduler.js';

/** The ticks as a stream. */
const ticks = (scheduler: SchedulerLike, period: number) =>
  new Observable<string>((out) => periodicTicker(scheduler, period, () => out.next('t')));

describe('periodicTicker', () => {
  it(
    'W3: the first tick is one period after the start, then one each period',
    marbles((m) => {
      m.expect(ticks(m.scheduler, 10), '^ 35ms !').toBeObservable('10ms t 9ms t 9ms t', { t: 't' });
      m.expect(ticks(m.scheduler, 10), '5ms ^ 20ms !').toBeObservable('15ms t 9ms t', { t: 't' });
    }),
  );

  it(
    'W3: the async scheduler is the virtual one in run mode',
    marbles((m) => {
      m.expect(ticks(asyncScheduler, 10), '^ 25ms !').toBeObservable('10ms t 9ms t', { t: 't' });
    }),
  );

  it('unsubscribe: nothing stays scheduled, also when a tick itself unsubscribes', () => {
    for (const period of [10, 2 ** 31 - 1]) {
      const scheduler = new ProbeScheduler();
      let count = 0;
      const subscription = new Subscription();
      subscription.add(
        periodicTicker(scheduler, period, () => {
          if (++count === 2) subscription.unsubscribe();
        }),
      );
      scheduler.advanceTo(period);
      expect([count, scheduler.pending]).toEqual([1, 1]);
      scheduler.advanceTo(4 * period);
      expect([count, scheduler.pending]).toEqual([2, 0]);
      const idle = periodicTicker(scheduler, period, () => count++);
      idle.unsubscribe();
      expect(scheduler.pending).toBe(0);
    }
  });

  it('W3: after a sleep one tick, and the next one period after it ran', () => {
    const scheduler = new ProbeScheduler();
    const at: number[] = [];
    const subscription = periodicTicker(scheduler, 10, () => at.push(scheduler.now()));
    scheduler.advanceTo(10);
    scheduler.setTime(999);
    scheduler.wake();
    scheduler.advanceTo(1_020);
    subscription.unsubscribe();
    expect(at).toEqual([10, 999, 1_009, 1_019]);
  });

  describe('on the host’s timers', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it('W3: ticks, and leaves no timer behind', () => {
      let count = 0;
      const subscription = periodicTicker(asyncScheduler, 100, () => count++);
      vi.advanceTimersByTime(350);
      expect([count, vi.getTimerCount()]).toEqual([3, 1]);
      subscription.unsubscribe();
      expect(vi.getTimerCount()).toBe(0);
      vi.advanceTimersByTime(1_000);
      expect(count).toBe(3);
    });
  });
});

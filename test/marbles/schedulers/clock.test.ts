import { asyncScheduler, Observable } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Clock } from '../../../src/schedulers/clock.js';
import { marbles } from '../../helpers/marbles.js';
import { ProbeScheduler } from '../../helpers/probeScheduler.js';

describe('Clock', () => {
  it(
    'T5: is the scheduler’s own, virtual where that is',
    marbles((m) => {
      const read = new Observable<number>((out) => {
        const clock = new Clock(m.scheduler);
        m.scheduler.schedule(() => out.next(clock.now()), 30);
      });
      m.expect(read, '^ 99ms !').toBeObservable('30ms x', { x: 30 });
    }),
  );

  it('T5: never goes back, and goes on once the host has caught up', () => {
    const scheduler = new ProbeScheduler(1_000);
    const clock = new Clock(scheduler);
    const seen = [1_000, 900, 950, 1_100, 1_099].map((now) => {
      scheduler.setTime(now);
      return clock.now();
    });
    expect(seen).toEqual([1_000, 1_000, 1_000, 1_100, 1_100]);
  });

  describe('on the host’s clock', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it('T5: is looked up at each call, so that a clock that is faked later moves it', () => {
      const clock = new Clock(asyncScheduler);
      vi.setSystemTime(5_000_000_000_000);
      expect(clock.now()).toBe(5_000_000_000_000);
      vi.advanceTimersByTime(250);
      expect(clock.now()).toBe(5_000_000_000_250);
      vi.setSystemTime(1);
      expect(clock.now()).toBe(5_000_000_000_250);
    });
  });
});

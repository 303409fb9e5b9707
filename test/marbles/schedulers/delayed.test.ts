import { asyncScheduler, Observable, type SchedulerLike } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { delayed } from '../../../src/schedulers/delayed.js';
import { marbles } from '../../helpers/marbles.js';
import { ProbeScheduler } from '../../helpers/probeScheduler.js';

const LONGEST = 2 ** 31 - 1;
const wait = (scheduler: SchedulerLike, delay: number) =>
  new Observable<string>((out) => delayed(scheduler, delay, () => out.next('x')));

describe('delayed', () => {
  it(
    'T5: runs once, after the delay; a negative one counts as none',
    marbles((m) => {
      m.expect(wait(m.scheduler, 25), '^ 99ms !').toBeObservable('25ms x');
      m.expect(wait(m.scheduler, 0), '^ 99ms !').toBeObservable('x');
      m.expect(wait(m.scheduler, -5), '^ 99ms !').toBeObservable('x');
      m.expect(wait(m.scheduler, 25), '^ 24ms !').toBeObservable('-');
    }),
  );

  it('T5: a delay beyond what hosts keep is made of several, exact in sum', () => {
    for (const delay of [LONGEST, LONGEST + 1, 2 * LONGEST, 5 * LONGEST + 7]) {
      const scheduler = new ProbeScheduler();
      const at: number[] = [];
      delayed(scheduler, delay, () => at.push(scheduler.now()));
      scheduler.advanceTo(delay - 1);
      expect(at).toEqual([]);
      scheduler.advanceTo(3 * delay);
      expect(at).toEqual([delay]);
      expect(Math.max(...scheduler.delays)).toBe(LONGEST);
      expect(scheduler.delays).toHaveLength(Math.ceil(delay / LONGEST));
      expect(scheduler.pending).toBe(0);
    }
  });

  it('unsubscribe: in any part of a long delay, nothing is left', () => {
    const scheduler = new ProbeScheduler();
    const subscription = delayed(scheduler, 3 * LONGEST, () => expect.unreachable());
    scheduler.advanceTo(LONGEST + 5);
    expect(scheduler.pending).toBe(1);
    subscription.unsubscribe();
    expect(scheduler.pending).toBe(0);
    scheduler.advanceTo(4 * LONGEST);
  });

  it('T5: Infinity is never, without a timer', () => {
    const scheduler = new ProbeScheduler();
    delayed(scheduler, Infinity, () => expect.unreachable());
    expect(scheduler.delays).toEqual([]);
  });

  describe('on the host’s timers', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it('T5: what a host would fire at once comes in 30 days', () => {
      let runs = 0;
      const days30 = 30 * 86_400_000;
      delayed(asyncScheduler, days30, () => runs++);
      vi.advanceTimersByTime(days30 - 1);
      expect(runs).toBe(0);
      vi.advanceTimersByTime(1);
      expect([runs, vi.getTimerCount()]).toEqual([1, 0]);
    });
  });
});

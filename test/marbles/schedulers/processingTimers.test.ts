import { Observable, type SchedulerLike } from 'rxjs';
import { ManualScheduler } from 'tidemark/testing';
import { describe, expect, it } from 'vitest';
import { ProcessingTimers } from '../../../src/schedulers/processingTimers.js';
import { marbles } from '../../helpers/marbles.js';
import { ProbeScheduler } from '../../helpers/probeScheduler.js';

/** What timers are told, when they want to be woken for `times` from the start. */
const told = (scheduler: SchedulerLike, ...times: number[]) =>
  new Observable<number>((out) => {
    const timers = new ProcessingTimers(scheduler, (time) => out.next(time));
    for (const time of times) timers.wakeAt(time);
    return timers;
  });

describe('ProcessingTimers', () => {
  it(
    'T6: a timer for t is told in the frame after t, and that it is t',
    marbles((m) => {
      m.expect(told(m.scheduler, 9), '^ 99ms !').toBeObservable('10ms x', { x: 9 });
      m.expect(told(m.scheduler, 0), '^ 99ms !').toBeObservable('-x', { x: 0 });
    }),
  );

  it(
    'T6: a timer for the past is told at once what time it is',
    marbles((m) => {
      m.expect(told(m.scheduler, 3), '20ms ^ 30ms !').toBeObservable('20ms x', { x: 19 });
    }),
  );

  it(
    'T6: the last wish counts, an earlier or a later one; Infinity is none',
    marbles((m) => {
      m.expect(told(m.scheduler, 9, 4), '^ 99ms !').toBeObservable('5ms x', { x: 4 });
      m.expect(told(m.scheduler, 4, 9), '^ 99ms !').toBeObservable('10ms x', { x: 9 });
      m.expect(told(m.scheduler, 4, Infinity), '^ 99ms !').toBeObservable('-');
    }),
  );

  it('T6: a scheduler that says so is told t at t, as a test clock that jumps', () => {
    const scheduler = new ManualScheduler({ timerLag: 0 });
    const seen: number[] = [];
    told(scheduler, 9).subscribe((time) => seen.push(time));
    scheduler.advanceTo(8);
    expect(seen).toEqual([]);
    scheduler.advanceTo(9);
    expect(seen).toEqual([9]);
  });

  it('timers: one at a time, asked for anew only when the wish changes', () => {
    const scheduler = new ProbeScheduler();
    const timers = new ProcessingTimers(scheduler, () => {});
    for (const time of [50, 50, 50, 20, 20, 50]) {
      timers.wakeAt(time);
      expect(scheduler.pending).toBe(1);
    }
    expect(scheduler.delays).toEqual([51, 21, 51]);
    timers.unsubscribe();
    expect(scheduler.pending).toBe(0);
    timers.wakeAt(60);
    expect([scheduler.pending, timers.closed]).toEqual([0, true]);
  });

  it('timers: one that wakes early is simply told the earlier time', () => {
    const scheduler = new ProbeScheduler(100);
    const seen: number[] = [];
    const timers = new ProcessingTimers(scheduler, (time) => seen.push(time));
    timers.wakeAt(150);
    scheduler.advanceTo(120);
    scheduler.setTime(90); // the host's clock goes back, its timers do not
    scheduler.advanceTo(151);
    expect(seen).toEqual([150]);
    expect(timers.now()).toBe(151);
  });

  it('T5: a timer for next year is made of delays that hosts keep', () => {
    const scheduler = new ProbeScheduler();
    const seen: number[] = [];
    const year = 365 * 86_400_000;
    const timers = new ProcessingTimers(scheduler, (time) => {
      seen.push(time);
      if (time < year) timers.wakeAt(year); // as its owners do
    });
    timers.wakeAt(year);
    scheduler.advanceTo(2 * year);
    expect(Math.max(...scheduler.delays)).toBeLessThanOrEqual(2 ** 31 - 1);
    expect(seen.at(-1)).toBe(year);
    expect(scheduler.delays.length).toBe(Math.ceil(year / (2 ** 31 - 1)));
  });
});

import { concat, interval, NEVER, Observable, of, timer } from 'rxjs';
import { debounceTime } from 'rxjs/operators';
import {
  aggregates,
  ascendingTimestamps,
  assignWatermarks,
  record,
  type StreamElement,
  toValues,
  tumblingWindow,
  type WindowResult,
} from 'tidemark';
import { ManualScheduler } from 'tidemark/testing';
import { describe, expect, it } from 'vitest';

describe('ManualScheduler', () => {
  it('stands still until it is told to jump', () => {
    const scheduler = new ManualScheduler({ start: 50 });
    let ran = 0;
    scheduler.schedule(() => ran++, 10);
    expect(scheduler.now()).toBe(50);
    scheduler.advanceTo(59);
    expect(ran).toBe(0);
    scheduler.advanceBy(1);
    expect(ran).toBe(1);
    expect(scheduler.now()).toBe(60);
  });

  it('runs what is due in time order, the older of equal ones first, at the time of the jump', () => {
    const scheduler = new ManualScheduler();
    const seen: string[] = [];
    const note = (name: string) => () => seen.push(`${name}@${scheduler.now()}`);
    scheduler.schedule(note('b1'), 20);
    scheduler.schedule(note('a'), 10);
    scheduler.schedule(note('b2'), 20);
    scheduler.schedule(note('c'), 31);
    scheduler.advanceTo(30);
    expect(seen).toEqual(['a@30', 'b1@30', 'b2@30']);
    expect(scheduler.pending).toBe(1);
  });

  it('a delay of 0 or less waits for the next jump, also one to the same time', () => {
    const scheduler = new ManualScheduler();
    const seen: number[] = [];
    scheduler.schedule(() => seen.push(1));
    scheduler.schedule(() => seen.push(2), -5);
    expect(seen).toEqual([]);
    scheduler.advanceTo(0);
    expect(seen).toEqual([1, 2]);
  });

  it('an action that is scheduled again is due one delay after the jump', () => {
    const scheduler = new ManualScheduler();
    const seen: number[] = [];
    const ticks = interval(100, scheduler).subscribe(() => seen.push(scheduler.now()));
    scheduler.advanceTo(350);
    scheduler.advanceTo(449);
    scheduler.advanceTo(450);
    expect(seen).toEqual([350, 450]);
    ticks.unsubscribe();
    expect(scheduler.pending).toBe(0);
  });

  it('what becomes due meanwhile runs in the same jump', () => {
    const scheduler = new ManualScheduler();
    const seen: string[] = [];
    scheduler.schedule(() => {
      seen.push('first');
      scheduler.schedule(() => seen.push('again'));
      scheduler.schedule(() => seen.push('later'), 1);
    }, 10);
    scheduler.schedule(() => seen.push('second'), 20);
    scheduler.advanceTo(30);
    expect(seen).toEqual(['first', 'second', 'again']);
  });

  it('an unsubscribed action does not run, also one that is due in the same jump', () => {
    const scheduler = new ManualScheduler();
    const seen: string[] = [];
    scheduler.schedule(() => second.unsubscribe(), 10);
    const second = scheduler.schedule(() => seen.push('second'), 10);
    scheduler.advanceTo(10);
    expect(seen).toEqual([]);
    expect(scheduler.pending).toBe(0);
  });

  it('hands the state on, and closes an action that does not come back', () => {
    const scheduler = new ManualScheduler();
    const seen: number[] = [];
    const action = scheduler.schedule<number>(
      function (n) {
        seen.push(n);
        if (n < 2) this.schedule(n + 1, 10);
      },
      10,
      1,
    );
    scheduler.advanceTo(10);
    expect(action.closed).toBe(false);
    scheduler.advanceTo(20);
    expect(seen).toEqual([1, 2]);
    expect(action.closed).toBe(true);
  });

  it('an action scheduled twice is due at the later call only', () => {
    const scheduler = new ManualScheduler();
    const seen: number[] = [];
    scheduler.schedule<number>(
      function (n) {
        seen.push(n);
        if (n > 0) return;
        this.schedule(1, 5);
        this.schedule(2, 10);
      },
      0,
      0,
    );
    scheduler.advanceTo(0);
    scheduler.advanceTo(100);
    expect(seen).toEqual([0, 2]);
  });

  it('a throw reaches the caller, and the rest waits for the next jump', () => {
    const scheduler = new ManualScheduler();
    const seen: string[] = [];
    const bad = scheduler.schedule(() => {
      throw new Error('bad action');
    }, 10);
    scheduler.schedule(() => seen.push('rest'), 10);
    expect(() => scheduler.advanceTo(10)).toThrow('bad action');
    expect(bad.closed).toBe(true);
    scheduler.advanceTo(10);
    expect(seen).toEqual(['rest']);
  });

  it('refuses to go back, and what is no time', () => {
    const scheduler = new ManualScheduler({ start: 5 });
    expect(() => scheduler.advanceTo(4)).toThrow('ManualScheduler.advanceTo: time is 4, it must be 5 (now) or later');
    expect(() => scheduler.advanceTo(NaN)).toThrow(RangeError);
    expect(() => new ManualScheduler({ start: 0.5 })).toThrow('ManualScheduler: start is 0.5');
    expect(() => new ManualScheduler({ timerLag: -1 })).toThrow('ManualScheduler: timerLag is -1');
  });

  it("drives RxJS's own time operators", () => {
    const scheduler = new ManualScheduler();
    const seen: string[] = [];
    concat(of('a', 'b'), NEVER)
      .pipe(debounceTime(100, scheduler))
      .subscribe((value) => seen.push(value));
    timer(50, scheduler).subscribe(() => seen.push('timer'));
    scheduler.advanceTo(99);
    scheduler.advanceTo(100);
    expect(seen).toEqual(['timer', 'b']);
  });

  it("drives an assigner's ticks: one for a jump over many", () => {
    const scheduler = new ManualScheduler();
    const seen: StreamElement<number>[] = [];
    const subscription = concat(of(1_000), NEVER)
      .pipe(assignWatermarks(ascendingTimestamps(), { timestamp: (at) => at, scheduler }))
      .subscribe((element) => seen.push(element));
    expect(seen).toEqual([record(1_000, 1_000)]);
    scheduler.advanceTo(199);
    expect(seen).toHaveLength(1);
    scheduler.advanceTo(5_000);
    expect(seen.slice(1)).toEqual([{ _tag: 'Watermark', timestamp: 999, idle: false }]);
    expect(scheduler.pending).toBe(1);
    subscription.unsubscribe();
    expect(scheduler.pending).toBe(0);
  });

  const firingTimes = (timerLag?: number): number[] => {
    const scheduler = new ManualScheduler(timerLag === undefined ? {} : { timerLag });
    const fired: number[] = [];
    const input = new Observable<StreamElement<string>>((out) => out.next(record('a', 0)));
    const subscription = input
      .pipe(tumblingWindow(1_000, aggregates.count(), { clock: 'processing', scheduler }), toValues<WindowResult<number>>())
      .subscribe(() => fired.push(scheduler.now()));
    for (const time of [998, 999, 1_000, 1_001]) scheduler.advanceTo(time);
    subscription.unsubscribe();
    return fired;
  };

  it('T6: a window [0, 1000) by processing time fires at 1000', () => {
    expect(firingTimes()).toEqual([1_000]);
  });

  it("T6: with a timer lag of 0 it fires at 999, as on Flink's test clock", () => {
    expect(firingTimes(0)).toEqual([999]);
  });
});

import fc from 'fast-check';
import { interval, type SchedulerAction, Subscription, take, timer } from 'rxjs';
import { EventTimeScheduler, EventTimeStuckError } from 'tidemark';
import { describe, expect, it } from 'vitest';

/** What is done, each at its time. */
function log(scheduler: EventTimeScheduler): { readonly seen: string[]; readonly note: (name?: string) => void } {
  const seen: string[] = [];
  return { seen, note: (name = '') => seen.push(`${name}@${scheduler.now()}`) };
}

describe('EventTimeScheduler', () => {
  it('starts at MIN_TIMESTAMP or at the time given, stands still, and never goes back', () => {
    const scheduler = new EventTimeScheduler();
    expect(scheduler.now()).toBe(-Infinity);
    for (const [to, now] of [
      [5, 5],
      [3, 5],
      [7, 7],
    ] as const) {
      scheduler.advanceTo(to);
      expect(scheduler.now()).toBe(now);
    }
    expect(new EventTimeScheduler(-3).now()).toBe(-3);
  });

  it('does things in the order of their times, equal ones in the order of scheduling, each at its own', () => {
    const scheduler = new EventTimeScheduler(0);
    const { seen, note } = log(scheduler);
    for (const [name, delay] of [
      ['c', 10],
      ['a', 5],
      ['d', 10],
      ['b', 5],
    ] as const) {
      scheduler.schedule(note as never, delay, name);
    }
    scheduler.advanceTo(4);
    expect(seen).toEqual([]);
    scheduler.advanceTo(12);
    expect(seen).toEqual(['a@5', 'b@5', 'c@10', 'd@10']);
    expect([scheduler.now(), scheduler.pending]).toEqual([12, 0]);
  });

  it('a delay is whole ms and never below 0; Infinity is never', () => {
    const scheduler = new EventTimeScheduler(10);
    const { seen, note } = log(scheduler);
    const never = scheduler.schedule(note as never, Infinity, 'never');
    for (const delay of [1.9, -5, NaN]) scheduler.schedule(note as never, delay, `${delay}`);
    scheduler.advanceTo(1_000);
    expect(seen).toEqual(['-5@10', 'NaN@10', '1.9@11']);
    expect(scheduler.pending).toBe(1);
    never.unsubscribe();
    expect(scheduler.pending).toBe(0);
  });

  it('before time has begun everything is due at once', () => {
    const scheduler = new EventTimeScheduler();
    const { seen, note } = log(scheduler);
    scheduler.schedule(note as never, 10, 'a');
    scheduler.advanceTo(3);
    expect(seen).toEqual(['a@-Infinity']);
  });

  it('an action schedules itself again, is put off while it is pending, and is not done once it is cancelled', () => {
    const scheduler = new EventTimeScheduler(0);
    const { seen, note } = log(scheduler);
    scheduler.schedule<number>(function (n = 0): void {
      note(`${n}`);
      if (n < 2) this.schedule(n + 1, 5);
    }, 5);
    const put = scheduler.schedule<string>(note, 3, 'early') as SchedulerAction<string>;
    put.schedule('later', 12);
    const cancelled = scheduler.schedule<string>(note, 4, 'cancelled');
    cancelled.unsubscribe();
    scheduler.advanceTo(20);
    expect(seen).toEqual(['0@5', '1@10', 'later@12', '2@15']);
    (cancelled as SchedulerAction<string>).schedule('no', 1);
    scheduler.advanceTo(30);
    expect([seen.length, scheduler.pending]).toEqual([4, 0]);
  });

  it('an action that cancels one of the same time', () => {
    const scheduler = new EventTimeScheduler(0);
    const { seen, note } = log(scheduler);
    const all = new Subscription();
    scheduler.schedule(() => all.unsubscribe(), 5);
    all.add(scheduler.schedule<string>(note, 5, 'a'));
    scheduler.advanceTo(9);
    expect([seen, scheduler.pending]).toEqual([[], 0]);
  });

  it('advanced from within an action, it goes on when that is done', () => {
    const scheduler = new EventTimeScheduler(0);
    const { seen, note } = log(scheduler);
    scheduler.schedule(() => {
      scheduler.advanceTo(20);
      note('first');
    }, 5);
    scheduler.schedule<string>(note, 10, 'second');
    scheduler.advanceTo(7);
    expect(seen).toEqual(['first@5', 'second@10']);
  });

  it('what an action throws reaches the one who advances; the clock goes on', () => {
    const scheduler = new EventTimeScheduler(0);
    const cause = new Error('of the user');
    scheduler.schedule(() => {
      throw cause;
    }, 5);
    expect(() => scheduler.advanceTo(9)).toThrow(cause);
    expect(scheduler.pending).toBe(0);
    scheduler.advanceTo(9);
    expect(scheduler.now()).toBe(9);
  });

  it('a period of 0 is an error, and not an endless loop', () => {
    const scheduler = new EventTimeScheduler(7);
    interval(0, scheduler).subscribe();
    expect(() => scheduler.advanceTo(9)).toThrow(new EventTimeStuckError(7));
  });

  it('what is cancelled does not pile up', () => {
    const scheduler = new EventTimeScheduler(0);
    let fired = 0;
    const keep = timer(1_000_000, scheduler).subscribe(() => fired++);
    for (let i = 0; i < 100_000; i++)
      timer(500_000 + i, scheduler)
        .subscribe()
        .unsubscribe();
    const { queue } = scheduler as unknown as { readonly queue: { readonly size: number } };
    expect(queue.size).toBeLessThan(200);
    scheduler.advanceTo(2_000_000);
    expect([fired, keep.closed, scheduler.pending]).toEqual([1, true, 0]);
  });

  it('law: the same as sorting by time, whatever is cancelled', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ delay: fc.nat(20), cancelled: fc.boolean() }), { maxLength: 200 }), (all) => {
        const scheduler = new EventTimeScheduler(0);
        const seen: number[] = [];
        all.forEach(({ delay, cancelled }, i) => {
          const action = scheduler.schedule(() => seen.push(i), delay);
          if (cancelled) action.unsubscribe();
        });
        const order = all.map((one, i) => ({ ...one, i })).filter(({ cancelled }) => !cancelled);
        expect(scheduler.pending).toBe(order.length);
        scheduler.advanceTo(20);
        expect(seen).toEqual(order.sort((a, b) => a.delay - b.delay).map(({ i }) => i));
      }),
    );
  });

  it("works with RxJS's own", () => {
    const scheduler = new EventTimeScheduler(100);
    const { seen, note } = log(scheduler);
    interval(10, scheduler)
      .pipe(take(2))
      .subscribe((n) => note(`${n}`));
    scheduler.advanceTo(1_000);
    expect([seen, scheduler.pending]).toEqual([['0@110', '1@120'], 0]);
  });
});

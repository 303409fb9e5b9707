import {
  asyncScheduler,
  debounceTime,
  interval,
  queueScheduler,
  type SchedulerAction,
  type SchedulerLike,
  Subject,
  take,
  timer,
} from 'rxjs';
import { ascendingTimestamps, assignWatermarks, outsideZone, unrefScheduler, type ZoneLike } from 'tidemark';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProbeScheduler } from '../../helpers/probeScheduler.js';

/** A zone that counts the timers that are asked for, and the work that is done, inside of it. */
class CountingZone implements ZoneLike {
  inside = true;
  readonly timers: boolean[] = [];
  runOutsideAngular<T>(work: () => T): T {
    return this.enter(false, work);
  }
  run<T>(work: () => T): T {
    return this.enter(true, work);
  }
  private enter<T>(inside: boolean, work: () => T): T {
    const before = this.inside;
    this.inside = inside;
    try {
      return work();
    } finally {
      this.inside = before;
    }
  }
  /** A host that runs a timer's work where the timer was asked for, as a zone does. */
  host(scheduler: ProbeScheduler): SchedulerLike {
    const zone = this;
    const where = (work: (this: SchedulerAction<unknown>, state?: unknown) => void) => {
      zone.timers.push(zone.inside);
      const { inside } = zone;
      return function (this: SchedulerAction<unknown>, state?: unknown): void {
        const { schedule } = this;
        this.schedule = (next, delay) => {
          zone.timers.push(zone.inside);
          return schedule.call(this, next, delay);
        };
        zone.enter(inside, () => work.call(this, state));
        this.schedule = schedule;
      };
    };
    return {
      now: () => scheduler.now(),
      schedule: (work, delay, state) => scheduler.schedule(where(work as never) as never, delay, state),
    };
  }
}

describe('outsideZone', () => {
  it('P131 no periodic timer is pending inside the zone; results are outside, or inside if asked', () => {
    for (const results of ['outside', 'inside'] as const) {
      const zone = new CountingZone();
      const probe = new ProbeScheduler();
      const scheduler = outsideZone(zone, { scheduler: zone.host(probe), results });
      const source = new Subject<number>();
      const where: boolean[] = [];
      const subscription = source
        .pipe(assignWatermarks(ascendingTimestamps<number>(), { timestamp: (at) => at, interval: 200, scheduler }))
        .subscribe((element) => element._tag === 'Watermark' && where.push(zone.inside));
      for (let at = 0; at < 1_000; at += 100) {
        source.next(at);
        probe.advanceTo(at);
      }
      subscription.unsubscribe();
      expect(zone.timers.length).toBeGreaterThan(3);
      expect(zone.timers).not.toContain(true);
      expect(where).toEqual([...where].fill(results === 'inside'));
      expect(where.length).toBeGreaterThan(3);
      expect(probe.pending).toBe(0);
    }
  });

  it('an action that is scheduled again inside the zone stays outside', () => {
    const zone = new CountingZone();
    const probe = new ProbeScheduler();
    const scheduler = outsideZone(zone, { scheduler: zone.host(probe) });
    let runs = 0;
    const action = scheduler.schedule(() => void runs++, 10) as SchedulerAction<undefined>;
    action.schedule(undefined, 20); // put off, from inside
    probe.advanceTo(19);
    expect(runs).toBe(0);
    probe.advanceTo(20);
    action.schedule(undefined, 5);
    probe.advanceTo(30);
    expect([runs, zone.timers.includes(true)]).toEqual([2, false]);
    action.unsubscribe();
    action.schedule(undefined, 5);
    expect(probe.pending).toBe(0);
  });

  it("is a scheduler to RxJS's operators, on any host", () => {
    const zone = new CountingZone();
    const probe = new ProbeScheduler(100);
    const scheduler = outsideZone(zone, { scheduler: probe });
    const seen: unknown[] = [];
    interval(10, scheduler)
      .pipe(take(3))
      .subscribe((n) => seen.push(n));
    const source = new Subject<string>();
    source.pipe(debounceTime(15, scheduler)).subscribe((value) => seen.push(value));
    source.next('a');
    probe.advanceTo(107);
    source.next('b');
    probe.advanceTo(200);
    expect([seen, probe.pending, scheduler.now()]).toEqual([[0, 1, 'b', 2], 0, 200]);
    const at: unknown[] = [];
    outsideZone(zone, { scheduler: queueScheduler }).schedule((state) => at.push(state), 0, 'now');
    expect(at).toEqual(['now']);
  });

  it('arguments: refuses what is no zone, and no place for results', () => {
    expect(() => outsideZone({} as never)).toThrow(TypeError);
    expect(() => outsideZone(undefined as never)).toThrow('outsideZone: zone is undefined, it must be an NgZone');
    expect(() => outsideZone(new CountingZone(), { results: 'both' as never })).toThrow('outsideZone: results is "both"');
  });
});

describe('unrefScheduler', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('P129 its timers do not keep the process alive', () => {
    const spy = vi.spyOn(globalThis, 'setTimeout');
    const subscription = interval(10, unrefScheduler).subscribe();
    vi.advanceTimersByTime(35);
    const timers = spy.mock.results.map(({ value }) => value as NodeJS.Timeout);
    expect(timers).toHaveLength(4);
    expect(timers.filter((one) => one.hasRef())).toEqual([]);
    subscription.unsubscribe();
    expect(vi.getTimerCount()).toBe(0);
    const other = interval(10, asyncScheduler).subscribe();
    expect(vi.getTimerCount()).toBe(1);
    other.unsubscribe();
  });

  it('does things in time: put off, cancelled, at 30 days and never', () => {
    const seen: string[] = [];
    const action = unrefScheduler.schedule<string>((state) => void seen.push(`${state}`), 10, 'early') as SchedulerAction<string>;
    action.schedule('late', 20);
    unrefScheduler.schedule(() => void seen.push('cancelled'), 5).unsubscribe();
    unrefScheduler.schedule(() => void seen.push('never'), Infinity);
    timer(2_592_000_000, unrefScheduler).subscribe(() => seen.push('30 days'));
    vi.advanceTimersByTime(19);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(1_000);
    expect(seen).toEqual(['late']);
    vi.advanceTimersByTime(2_592_000_000);
    expect(seen).toEqual(['late', '30 days']);
    action.unsubscribe();
    action.schedule('gone', 1);
    expect([vi.getTimerCount(), unrefScheduler.now()]).toEqual([0, Date.now()]);
  });
});

import { concat, NEVER, of, Subject } from 'rxjs';
import {
  assignWatermarks,
  boundedOutOfOrderness,
  coProcessWith,
  type EventStream,
  idle,
  punctuated,
  type StreamElement,
  union,
  unionAll,
  withIdleness,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { ProbeScheduler } from '../helpers/probeScheduler.js';
import { listen, open, r, timed, W } from './notation.js';

describe('the watermark of several streams', () => {
  it('P003 an idle input is left out of the minimum; without idleness the minimum waits', () => {
    const run = (timeout: number): string[] => {
      const scheduler = new ProbeScheduler();
      const config = { timestamp: (t: number) => t, interval: 10, scheduler };
      const strategy = withIdleness(timeout)(boundedOutOfOrderness<number>(0));
      const words = timed(
        union(concat(of(11), NEVER).pipe(assignWatermarks(strategy, config)), NEVER.pipe(assignWatermarks(strategy, config))),
        scheduler,
      );
      scheduler.advanceTo(1_000);
      return words;
    };
    expect(run(Infinity)).toEqual(['0: 11@11']);
    const [first, ...rest] = run(100);
    expect(first).toBe('0: 11@11');
    expect(rest[0]).toMatch(/^1[12]0: W\(10\)/); // once the silent one is idle: a timeout and a tick or two
  });

  it('P007 the minimum is made anew when an input goes idle or comes back, not only at a watermark', () => {
    const a = new Subject<StreamElement<number>>();
    const b = new Subject<StreamElement<number>>();
    const words = listen(union(a, b));
    a.next(W(5));
    a.next(idle(5));
    b.next(W(10));
    b.next(idle(10));
    expect(words.splice(0)).toEqual(['W(10)', 'W(10, idle)']);
    a.next(W(12));
    expect(words).toEqual(['W(12)']);
  });

  it('P009 a new input holds the minimum, and never lowers what went out', () => {
    const inputs = new Subject<EventStream<number>>();
    const a = new Subject<StreamElement<number>>();
    const b = new Subject<StreamElement<number>>();
    const words = listen(inputs.pipe(unionAll()));
    inputs.next(a);
    a.next(W(100));
    inputs.next(b);
    a.next(W(200));
    expect(words).toEqual(['W(100)']);
    b.next(r(150));
    b.next(W(50));
    expect(words).toEqual(['W(100)', '150@150']);
    b.next(W(160));
    expect(words).toEqual(['W(100)', '150@150', 'W(160)']);
  });

  it('P017 idleness without ticks is noticed by a timer of its own, and lets the others go on', () => {
    const scheduler = new ProbeScheduler();
    const quiet = new Subject<number>();
    const words = timed(
      union(
        quiet.pipe(
          assignWatermarks(withIdleness(50)(punctuated<number>(() => undefined)), {
            timestamp: (t) => t,
            scheduler,
            interval: Infinity,
          }),
        ),
        open<number>(W(9)),
      ),
      scheduler,
    );
    quiet.next(1);
    scheduler.advanceTo(200);
    expect(words).toEqual(['0: 1@1', '50: W(9)']);
  });

  it('P073 behind a union and a process function of two streams, watermarks rise strictly', () => {
    const marks = [W(10), W(5), W(10), W(11)];
    const both = coProcessWith(open<number>(W(20)), { create: () => undefined, onLeft: () => {}, onRight: () => {} });
    expect(listen(union(open<number>(W(20)), open<number>(...marks)))).toEqual(['W(10)', 'W(11)']);
    expect(listen(open<number>(...marks).pipe(both))).toEqual(['W(11)']);
  });

  it('P074 an input that has completed holds nothing back', () => {
    expect(listen(union(of(r(1)), of<StreamElement<number>[]>(W(5), r(7), W(9))))).toEqual([
      '1@1',
      'W(5)',
      '7@7',
      'W(9)',
      'W(MAX)',
      '|',
    ]);
  });

  it('P010 a process function of two streams does not wait for the side that is idle', () => {
    const fired: number[] = [];
    const right = new Subject<StreamElement<number>>();
    const words = listen(
      open(r(1), W(100)).pipe(
        coProcessWith(right, {
          create: () => undefined,
          onLeft: (_value, _state, { timers }) => timers.eventTime(11),
          onRight: () => {},
          onTimer(timestamp) {
            fired.push(timestamp);
          },
        }),
      ),
    );
    expect(words).toEqual([]);
    right.next(idle());
    expect([fired, words]).toEqual([[11], ['W(100)']]);
  });
});

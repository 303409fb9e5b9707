import { concat, from, NEVER, of, Subject } from 'rxjs';
import { aggregates, assignWatermarks, boundedOutOfOrderness, punctuated, tumblingWindow, withIdleness } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { ProbeScheduler } from '../helpers/probeScheduler.js';
import { listen, r, through, timed, W, word } from './notation.js';

const at = (n: number) => n;

describe('event time that stands still, ends, or falls silent', () => {
  it('P001 a source that completes flushes: every open window, then the end of time, then completion', () => {
    expect(through(tumblingWindow(5_000, aggregates.count()), [r(1_000, 'a'), r(2_500, 'b')])).toEqual([
      '[0,5000) 2',
      'W(MAX)',
      '|',
    ]);
  });

  it('P011 idle says “do not wait for me”: an hour of silence closes no window', () => {
    const scheduler = new ProbeScheduler();
    const source = new Subject<number>();
    const words = timed(
      source.pipe(
        assignWatermarks(withIdleness(1_000)(boundedOutOfOrderness(0)), { timestamp: at, scheduler }),
        tumblingWindow(5_000, aggregates.count()),
      ),
      scheduler,
    );
    source.next(1_000);
    scheduler.advanceTo(3_600_000);
    // the tick at 400 starts the clock; the first more than a second later is that at 1600
    expect(words).toEqual(['200: W(999)', '1600: W(999, idle)']);
    source.next(6_000);
    scheduler.advanceTo(3_600_200);
    expect(words.slice(2)).toEqual(['3600200: [0,5000) 1', '3600200: W(5999)']);
    source.complete();
    expect(words.slice(4)).toEqual(['3600200: [5000,10000) 1', '3600200: W(MAX)', '3600200: |']);
  });

  it('P016 a tick that is late by more than its period is no proof of silence: a blocked thread is not a quiet source', () => {
    const scheduler = new ProbeScheduler();
    const source = new Subject<number>();
    const words: string[] = [];
    source
      .pipe(assignWatermarks(withIdleness(100)(boundedOutOfOrderness(0)), { timestamp: at, interval: 20, scheduler }))
      .subscribe((element) => {
        words.push(word(element));
        if (element._tag === 'Record') scheduler.setTime(scheduler.now() + 250); // the consumer blocks the thread
      });
    for (const n of [1, 2, 3, 4]) {
      scheduler.wake(); // overdue ticks run before what is queued, the worst case
      source.next(n);
    }
    scheduler.wake();
    expect(words.filter((said) => said.includes('idle'))).toEqual([]);
    expect(words.filter((said) => said.includes('@'))).toEqual(['1@1', '2@2', '3@3', '4@4']);
  });

  it('P016 on real timers too', async () => {
    const words: string[] = [];
    await new Promise<void>((resolve) => {
      const source = new Subject<number>();
      source.pipe(assignWatermarks(withIdleness(100)(boundedOutOfOrderness(0)), { timestamp: at, interval: 20 })).subscribe({
        next(element) {
          words.push(word(element));
          if (element._tag === 'Watermark') return;
          for (const until = performance.now() + 250; performance.now() < until; );
        },
        complete: resolve,
      });
      setTimeout(() => source.next(1));
      setTimeout(() => source.next(2));
      setTimeout(() => source.complete());
    });
    expect(words.filter((said) => said.includes('idle'))).toEqual([]);
    expect(words.at(-1)).toBe('W(MAX)');
  });

  it('P017 without ticks idleness has a timer of its own: idle exactly one timeout after the last record', () => {
    const scheduler = new ProbeScheduler();
    const source = concat(of(1), NEVER);
    const strategy = withIdleness(50)(punctuated<number>(() => undefined));
    const words = timed(source.pipe(assignWatermarks(strategy, { timestamp: at, interval: Infinity, scheduler })), scheduler);
    scheduler.advanceTo(49);
    expect(words).toEqual(['0: 1@1']);
    scheduler.advanceTo(1_000);
    expect(words).toEqual(['0: 1@1', '50: W(MIN, idle)']);
    expect(scheduler.pending).toBe(0);
  });

  it('P018 there is no hidden lateness: a window fires at its end, and is over', () => {
    const late: number[] = [];
    const words = listen(
      from([r(1), W(9), r(2)]).pipe(tumblingWindow(10, aggregates.count(), { lateTo: ({ value }) => late.push(value) })),
    );
    expect(words).toEqual(['[0,10) 1', 'W(9)', 'W(MAX)', '|']);
    expect(late).toEqual([2]);
  });
});

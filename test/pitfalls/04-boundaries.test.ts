import { from, Subject, tap } from 'rxjs';
import { aggregates, ascendingTimestamps, assignWatermarks, isWatermark, type StreamElement, tumblingWindow } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { ProbeScheduler } from '../helpers/probeScheduler.js';
import { listen, r, through, timed, W, word } from './notation.js';

describe('boundaries, off by one', () => {
  it('P040 a watermark is inclusive, so a generator takes 1 off: equal times are not late', () => {
    const run = (windowed: boolean) => {
      const scheduler = new ProbeScheduler();
      const source = new Subject<number>();
      const assigned = source.pipe(
        assignWatermarks(ascendingTimestamps<number>(), { timestamp: (n) => n, interval: 10, scheduler }),
      );
      const words = windowed ? listen(assigned.pipe(tumblingWindow(1, aggregates.count()))) : timed(assigned, scheduler);
      for (const [i, time] of [10, 10, 11].entries()) {
        source.next(time);
        scheduler.advanceTo((i + 1) * 10);
      }
      return words;
    };
    expect(run(false)).toEqual(['0: 10@10', '10: W(9)', '10: 10@10', '20: 11@11', '30: W(10)']);
    expect(run(true)).toEqual(['W(9)', '[10,11) 2', 'W(10)']);
  });

  it('P042 a window is [start, end): its last millisecond is end − 1, and a watermark of end − 1 fires it', () => {
    const words = through(tumblingWindow(10, aggregates.collect()), [r(9), r(10), W(8), W(9), W(10), W(19)]);
    expect(words).toEqual(['W(8)', '[0,10) 9', 'W(9)', 'W(10)', '[10,20) 10', 'W(19)', 'W(MAX)', '|']);
  });

  it('P044 how late a record is: the watermark when it came less its time, which is never negative', () => {
    const lateness = (size: number, elements: ReadonlyArray<StreamElement<number>>): number[] => {
      let reached = -Infinity;
      const late: number[] = [];
      const window = tumblingWindow<number, number, undefined>(size, aggregates.count(), {
        lateTo: ({ timestamp }) => late.push(reached - timestamp),
      });
      from(elements)
        .pipe(
          tap((element) => {
            if (isWatermark(element)) reached = element.timestamp;
          }),
          window,
        )
        .subscribe();
      return late;
    };
    expect(lateness(10, [W(12), r(7)])).toEqual([5]);
    expect(lateness(10, [W(12), r(9)])).toEqual([3]);
    // the least that a late record can be late: the last millisecond of a window that has just closed
    expect(lateness(10, [W(8), r(9), W(9), r(9), r(0), W(25), r(19), r(24)])).toEqual([0, 9, 6]);
  });

  it('P046 results of an earlier time hold the watermark back by just as much, until they have come', () => {
    const earliest = tumblingWindow<number, ReadonlyArray<number>, undefined>(20, aggregates.collect(), {
      resultTime: 'earliest',
    });
    const results: string[] = [];
    from([r(5), W(12), r(13), W(30)])
      .pipe(earliest)
      .subscribe((element) =>
        results.push(element._tag === 'Record' ? `${element.value.value}@${element.timestamp}` : word(element)),
      );
    expect(results).toEqual(['W(4)', '5,13@5', 'W(30)', 'W(MAX)']);
    const end = tumblingWindow<number, ReadonlyArray<number>, undefined>(20, aggregates.collect());
    expect(through(end, [r(5), W(12), r(13), W(30)])).toEqual(['W(12)', '[0,20) 5,13', 'W(30)', 'W(MAX)', '|']);
  });
});

import { from, type Observable } from 'rxjs';
import {
  aggregates,
  ascendingTimestamps,
  assignWatermarks,
  boundedOutOfOrderness,
  boundedOutOfOrdernessTimestampExtractor,
  cumulativeWindow,
  globalWindow,
  MAX_TIMESTAMP,
  type MergeableAggregate,
  MIN_TIMESTAMP,
  record,
  type StreamElement,
  slidingWindow,
  triggers,
  tumblingWindow,
  type WatermarkStrategy,
  type WindowResult,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { results } from '../helpers/play.js';

/** The last whole numbers that are exact: what lies beyond is known to 2 ms only. */
const LAST = Number.MAX_SAFE_INTEGER;
const { collect, count, reduce } = aggregates;

/** Each window that fires, and how often; more than a handful would be a loop that goes nowhere. */
function windows(
  op: (source: Observable<StreamElement<number>>) => Observable<StreamElement<WindowResult<unknown>>>,
  elements: StreamElement<number>[],
): string[] {
  const seen: string[] = [];
  op(from(elements)).subscribe({
    next(element) {
      if (element._tag === 'Record') seen.push(`${element.value.window.start} ${String(element.value.value)}`);
      if (seen.length > 50) throw new Error('goes on for ever');
    },
    error: (error) => seen.push(String(error)),
  });
  return seen;
}

describe('T2: windows at the limits of exact times', () => {
  // a stand-in for "never" that data brings along
  for (const at of [LAST, LAST - 3, -LAST, -LAST + 3]) {
    it(`T2: sliding windows of ${at} come to an end, and hold their record once`, () => {
      // shared between windows, and each by itself
      const folds: MergeableAggregate<number, number>[] = [count(), reduce((left, right) => left + right)];
      for (const aggregate of folds) {
        for (const allowedLateness of [0, 5]) {
          const fired = windows((source) => source.pipe(slidingWindow(10, 1, aggregate, { allowedLateness })), [record(1, at)]);
          expect(fired.length).toBeGreaterThan(0);
          expect(fired.length).toBeLessThanOrEqual(11);
          for (const one of fired) expect(one).toMatch(/ 1$/);
        }
      }
    });

    it(`T2: cumulative windows of ${at} come to an end`, () => {
      const fired = windows((source) => source.pipe(cumulativeWindow(1, 10, count())), [record(1, at)]);
      expect(fired.length).toBeGreaterThan(0);
      expect(fired.length).toBeLessThanOrEqual(10);
    });

    it(`T2: late records of sliding windows of ${at} come to an end`, () => {
      const late = [record(1, at), watermark(Math.min(at + 4, LAST)), record(1, at)];
      const fired = windows((source) => source.pipe(slidingWindow(10, 1, count(), { allowedLateness: 100 })), late);
      expect(fired.length).toBeLessThanOrEqual(22);
    });
  }

  it('T2: every ms of a window at the end of time comes to an end', () => {
    const trigger = triggers.every(1, 'event', { repeat: true });
    const fired = windows((source) => source.pipe(tumblingWindow(10, count(), { trigger })), [record(1, LAST - 1)]);
    expect(fired.length).toBeGreaterThan(0);
    expect(fired.length).toBeLessThanOrEqual(11);
  });
});

describe('T2: every, over records without a time', () => {
  it('T2: a record at MIN plans no firing before time, and leaves later ones alone', () => {
    expect(
      results<string>(
        () => globalWindow(triggers.every(10, 'event'), collect()),
        [record('a', MIN_TIMESTAMP), watermark(5), record('b', 7), watermark(20), record('c', 25), watermark(40)],
      ),
    ).toEqual(['a early 0', 'a,b early 1', 'a,b,c early 2']);
  });

  it('T2: also with repeat', () => {
    expect(
      results<string>(
        () => globalWindow(triggers.every(10, 'event', { repeat: true }), collect()),
        [record('a', MIN_TIMESTAMP), watermark(5), watermark(12)],
      ),
    ).toEqual(['a early 0', 'a early 1']);
  });
});

describe('T2: watermarks at the limits', () => {
  const marks = (strategy: WatermarkStrategy<number>): number[] => {
    const seen: number[] = [];
    from([-LAST, -LAST + 5, 1_000])
      .pipe(assignWatermarks(strategy, { timestamp: (at) => at, interval: 'record' }))
      .subscribe((element) => {
        if (element._tag === 'Watermark') seen.push(element.timestamp);
      });
    return seen;
  };

  it('T2: what would be below all times is not said', () => {
    expect(marks(boundedOutOfOrderness(100))).toEqual([899, MAX_TIMESTAMP]);
    expect(marks(ascendingTimestamps())).toEqual([-LAST + 4, 999, MAX_TIMESTAMP]);
    expect(marks(boundedOutOfOrdernessTimestampExtractor(100, (at: number) => at))).toEqual([900, MAX_TIMESTAMP]);
  });
});

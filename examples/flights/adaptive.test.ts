import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { from } from 'rxjs';
import {
  adaptiveOutOfOrderness,
  assignWatermarks,
  boundedOutOfOrderness,
  hours,
  minutes,
  type WatermarkStrategy,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { BOUNDS } from './trade.js';

const week = fileURLToPath(new URL('./flights-2013-first-week.csv.gz', import.meta.url));
const departures = gunzipSync(readFileSync(week))
  .toString()
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => Date.parse(line.split(',')[0] ?? ''));

/** The share of flights behind the watermark when they came, and how far that was behind the newest on average. */
function outcome(strategy: WatermarkStrategy<number>): { readonly share: number; readonly delay: number } {
  let [watermark, newest, late, sum, n] = [-Infinity, -Infinity, 0, 0, 0];
  from(departures)
    .pipe(assignWatermarks(strategy, { timestamp: (time) => time, interval: 'record' }))
    .subscribe((element) => {
      if (element._tag === 'Watermark') {
        watermark = element.timestamp;
        return;
      }
      if (element.timestamp <= watermark) late++;
      // what was promised when this flight came
      if (watermark > -Infinity) {
        sum += newest - watermark - 1;
        n++;
      }
      newest = Math.max(newest, element.timestamp);
    });
  return { share: late / departures.length, delay: sum / n };
}

describe('the bound that finds itself, on the week of flights', () => {
  const fixed = Object.values(BOUNDS).map((bound) => ({ bound, ...outcome(boundedOutOfOrderness(bound)) }));

  it.each([0.001, 0.002, 0.005, 0.01, 0.02, 0.05])(
    'keeps %f late, and waits less than the fixed bound that does',
    (lateShare) => {
      const { share, delay } = outcome(adaptiveOutOfOrderness({ lateShare, minDelay: 0, maxDelay: hours(11) }));
      const enough = fixed.find((other) => other.share <= lateShare);
      expect(share).toBeLessThanOrEqual(lateShare);
      expect(delay).toBeLessThan(enough?.delay ?? 0);
    },
  );

  it.each([
    [0.001, 569],
    [0.002, 544],
    [0.05, 287],
    [0.1, 260],
  ])('at %f it waits less than the best fixed bound, which is known only afterwards: %i minutes', (lateShare, best) => {
    expect(outcome(boundedOutOfOrderness(minutes(best))).share).toBeLessThanOrEqual(lateShare);
    expect(outcome(boundedOutOfOrderness(minutes(best - 1))).share).toBeGreaterThan(lateShare);
    const { share, delay } = outcome(adaptiveOutOfOrderness({ lateShare, minDelay: 0, maxDelay: hours(11) }));
    expect(share).toBeLessThanOrEqual(lateShare);
    expect(delay).toBeLessThan(minutes(best));
  });
});

import fc from 'fast-check';
import { adaptiveOutOfOrderness, MAX_TIMESTAMP, MIN_TIMESTAMP } from 'tidemark';
import { describe, expect, it } from 'vitest';

/** Runs the strategy over times, asked after each; how far the watermark is behind the newest record each time. */
function run(times: ReadonlyArray<number>, config: Parameters<typeof adaptiveOutOfOrderness>[0]) {
  const generator = adaptiveOutOfOrderness(config).create();
  const watermarks: number[] = [];
  const output = { emit: (timestamp: number) => void watermarks.push(timestamp), markIdle() {}, now: () => 0 };
  const behind: number[] = [];
  let late = 0;
  let max = MIN_TIMESTAMP;
  for (const time of times) {
    if (time <= (watermarks.at(-1) ?? MIN_TIMESTAMP)) late++;
    max = Math.max(max, time);
    generator.onRecord(0, time, output);
    generator.onTick(0, output);
    behind.push(max - (watermarks.at(-1) ?? MIN_TIMESTAMP) - 1);
  }
  return { watermarks, behind, late };
}

const config = { lateShare: 0.01, minDelay: 10, maxDelay: 1_000 };

describe('adaptiveOutOfOrderness', () => {
  it('waits for the longest while too little is known: 1 ⁄ lateShare records', () => {
    const { behind } = run(
      Array.from({ length: 99 }, (_, i) => i),
      config,
    );
    expect(new Set(behind)).toEqual(new Set([1_000]));
  });

  it('then comes down to the least, if all are punctual', () => {
    expect(
      run(
        Array.from({ length: 3_000 }, (_, i) => i * 10),
        config,
      ).behind.at(-1),
    ).toBe(10);
  });

  it('finds the delay that leaves the share above, within a bucket of 2 %', () => {
    // one in fifty is 300 behind the one before, one in a thousand 800
    const late = (i: number): number => (i % 1_000 === 0 ? 900 : i % 50 === 0 ? 400 : i % 2 === 0 ? 100 : 0);
    const times = Array.from({ length: 50_000 }, (_, i) => i * 100 - late(i));
    const { behind } = run(times, config);
    expect(behind.at(-1)).toBeGreaterThanOrEqual(300);
    expect(behind.at(-1)).toBeLessThanOrEqual(306);
  });

  it('follows a stream that becomes less punctual, and one that becomes punctual again', () => {
    const phase = (i: number): number => (i > 20_000 && i < 40_000 ? 500 : 50);
    const times = Array.from({ length: 60_000 }, (_, i) => i * 100 - (i % 3 === 0 ? phase(i) : 0));
    const { behind } = run(times, config);
    expect(behind[19_999]).toBeLessThanOrEqual(51);
    expect(behind[39_999]).toBeGreaterThanOrEqual(400);
    expect(behind.at(-1)).toBeLessThanOrEqual(51);
  });

  it('never leaves its bounds, never falls, and says nothing before the first record', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2_000, max: 50 }), { maxLength: 400 }), (steps) => {
        const times = steps.map((aside, i) => i * 50 + aside);
        const { watermarks, behind } = run(times, { lateShare: 0.2, minDelay: 10, maxDelay: 1_000 });
        expect(watermarks).toEqual([...new Set(watermarks)].sort((a, b) => a - b));
        // behind may be less than the delay while the watermark waits for the newest record, but never less than the least
        for (const delay of behind) {
          expect(delay).toBeGreaterThanOrEqual(10);
          expect(delay).toBeLessThanOrEqual(1_000);
        }
      }),
    );
    expect(run([], config).watermarks).toEqual([]);
  });

  it('keeps the share on streams of any distribution', () => {
    // Park and Miller: the same numbers in each run
    for (const power of [1, 2, 4, 8]) {
      let state = power;
      const random = (): number => {
        state = (state * 48_271) % 2_147_483_647;
        return state / 2_147_483_647;
      };
      const times = Array.from({ length: 50_000 }, (_, i) => i * 10 - Math.floor(random() ** power * 1_000));
      const { late } = run(times, { lateShare: 0.02, minDelay: 0, maxDelay: 1_100 });
      expect(late / times.length).toBeLessThanOrEqual(0.02);
      expect(late / times.length).toBeGreaterThan(0.01);
    }
  });

  it('goes on for millions of records: weights do not overflow', () => {
    const { behind } = run(
      Array.from({ length: 30_000 }, (_, i) => i * 10 - (i % 2) * 100),
      { ...config, lateShare: 0.5 },
    );
    expect(behind.at(-1)).toBeGreaterThanOrEqual(10);
    expect(behind.at(-1)).toBeLessThanOrEqual(102);
  });

  it('records without a time take no part', () => {
    expect(run([MIN_TIMESTAMP, 5, MAX_TIMESTAMP, MIN_TIMESTAMP, 7], { ...config, maxDelay: 10 }).watermarks).toEqual([-6, -4]);
  });

  it('arguments are refused when it is built', () => {
    for (const lateShare of [0, 1, -1, Number.NaN]) {
      expect(() => adaptiveOutOfOrderness({ ...config, lateShare })).toThrow(
        `adaptiveOutOfOrderness: lateShare is ${lateShare}, it must be above 0 and below 1`,
      );
    }
    expect(() => adaptiveOutOfOrderness({ ...config, minDelay: -1 })).toThrow(/^adaptiveOutOfOrderness: minDelay is -1/);
    expect(() => adaptiveOutOfOrderness({ ...config, maxDelay: 1.5 })).toThrow(/^adaptiveOutOfOrderness: maxDelay is 1\.5/);
    expect(() => adaptiveOutOfOrderness({ ...config, maxDelay: 9 })).toThrow(
      /^adaptiveOutOfOrderness: maxDelay is 9, it must be ≥ minDelay \(10\)/,
    );
  });
});

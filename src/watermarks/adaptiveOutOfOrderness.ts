import { MIN_TIMESTAMP } from '../element/element.js';
import { assertMs, assertObject, refuse } from '../time/assert.js';
import { earlier } from '../time/timestamp.js';
import type { WatermarkGenerator, WatermarkOutput, WatermarkStrategy } from './strategy.js';

/** How much may be late, and how long may be waited for it. */
export interface AdaptiveConfig {
  /** The share of records that may come behind the watermark, above 0 and below 1: 0.001 is one in a thousand. */
  readonly lateShare: number;
  /** ms that are waited at least, a whole number ≥ 0. */
  readonly minDelay: number;
  /** ms that are waited at most, a whole number ≥ `minDelay`; as long as too little is known, this is what is waited. */
  readonly maxDelay: number;
}

/**
 * A bound that finds itself: the watermark is `max − delay − 1`, and the delay is as small as it can be while no more than
 * `lateShare` of the records come behind the watermark.
 *
 * Of each record is noted how far behind the newest one it came, in a histogram of buckets 2 % wide, in which a record counts
 * half after 3 ⁄ lateShare others. The delay is the quantile of it that leaves `lateShare` above: less, if more has been late
 * than 95 % of what may be, and more, if there is room (by the square of the ratio, at most eight times). Until 1 ⁄ lateShare
 * records have come it is `maxDelay`, and it never leaves the bounds: **what comes later than `maxDelay` is late, whatever
 * the share**. A delay that grows holds the watermark until the newest record has caught up; it never falls back. The share is one
 * in the long run: when the stream becomes less punctual of a sudden, the records of that moment are late.
 *
 * ```ts
 * // one record in ten is 50 ms late, one in a thousand 5 s: these are not waited for
 * const behind = (i: number) => (i % 1_000 === 999 ? 5_000 : i % 10 === 9 ? 50 : 0);
 * from(Array.from({ length: 20_000 }, (_, i) => i * 10 - behind(i))).pipe(
 *   assignWatermarks(adaptiveOutOfOrderness({ lateShare: 0.01, minDelay: 0, maxDelay: 10_000 }), {
 *     timestamp: (time) => time,
 *     interval: 'record',
 *   }),
 *   toWatermarks(),
 *   takeLast(2),
 *   map((watermark) => watermark > 199_980 - 55),
 * ); // true, true
 * ```
 *
 * **Cost**: a logarithm a record; the quantile is looked up anew every 32 records, and at each late one.
 *
 * @throws RangeError at once, for an argument out of range.
 * @category watermarks
 * @since 0.1.0
 */
export function adaptiveOutOfOrderness<A>(config: AdaptiveConfig): WatermarkStrategy<A> {
  assertObject('adaptiveOutOfOrderness', 'config', config);
  const { lateShare, minDelay, maxDelay } = config;
  if (!(lateShare > 0 && lateShare < 1)) {
    throw refuse('adaptiveOutOfOrderness', 'lateShare', lateShare, 'above 0 and below 1');
  }
  assertMs('adaptiveOutOfOrderness', 'minDelay', minDelay, 0);
  assertMs('adaptiveOutOfOrderness', 'maxDelay', maxDelay, 0);
  if (maxDelay < minDelay) throw refuse('adaptiveOutOfOrderness', 'maxDelay', maxDelay, `≥ minDelay (${minDelay})`);
  const strategy: Adaptive = { kind: 'adaptiveOutOfOrderness', lateShare, minDelay, maxDelay, create };
  return strategy;
}

interface Adaptive extends WatermarkStrategy<unknown>, AdaptiveConfig {}

function create(this: Adaptive): AdaptiveGenerator {
  return new AdaptiveGenerator(this.lateShare, this.minDelay, this.maxDelay);
}

/** The width of a bucket, as the logarithm of what its end is to its beginning: that of 1.02, so loading need not take it. */
const WIDTH = 0.01980262729617973;
/** Records after which the delay is looked up anew. */
const LOOKUP = 32;
/** How much of its share is aimed at: some are late before it is noticed. */
const AIM = 0.95;
/** How much more than its share may be late for a while, if less was before. */
const MOST = 8;

class AdaptiveGenerator implements WatermarkGenerator<unknown> {
  private max = MIN_TIMESTAMP;
  private watermark = MIN_TIMESTAMP;
  private delay: number;
  private records = 0;
  private late = 0;
  private sinceLookup = 0;
  /** Weights by how late: 0 ms, then buckets of 2 %, and what is beyond `maxDelay`. */
  private readonly buckets: Float64Array;
  private total = 0;
  /** Of the next record: it grows, instead of all others fading. */
  private weight = 1;
  private readonly growth: number;

  constructor(
    private readonly lateShare: number,
    private readonly minDelay: number,
    private readonly maxDelay: number,
  ) {
    this.delay = maxDelay;
    this.buckets = new Float64Array(bucketOf(maxDelay) + 2);
    this.growth = 2 ** (lateShare / 3);
  }

  onRecord(_value: unknown, timestamp: number): void {
    if (!Number.isFinite(timestamp)) return; // has no time
    this.records++;
    const isLate = timestamp <= this.watermark;
    if (isLate) this.late++;
    if (timestamp > this.max) this.max = timestamp;
    this.note(this.max - timestamp);
    if (++this.sinceLookup >= LOOKUP || isLate) this.lookup();
  }

  onTick(_now: number, output: WatermarkOutput): void {
    const timestamp = earlier(this.max, this.delay + 1);
    if (timestamp <= this.watermark) return;
    this.watermark = timestamp;
    output.emit(timestamp);
  }

  private note(behind: number): void {
    const bucket = Math.min(bucketOf(behind), this.buckets.length - 1);
    this.buckets[bucket] = (this.buckets[bucket] as number) + this.weight;
    this.total += this.weight;
    this.weight *= this.growth;
    if (this.weight < 1e100) return;
    for (let i = 0; i < this.buckets.length; i++) this.buckets[i] = (this.buckets[i] as number) / this.weight;
    this.total /= this.weight;
    this.weight = 1;
  }

  private lookup(): void {
    this.sinceLookup = 0;
    const allowed = this.lateShare * this.records;
    if (allowed < 1) return;
    const room = Math.min(((AIM * allowed) / (this.late + 1)) ** 2, MOST);
    const above = Math.min(this.lateShare * room, 0.5) * this.total;
    let sum = 0;
    let bucket = this.buckets.length;
    while (bucket > 0 && sum <= above) sum += this.buckets[--bucket] as number;
    this.delay = Math.min(Math.max(endOf(bucket), this.minDelay), this.maxDelay);
  }
}

/** Bucket 0 is of 0 ms, bucket n ends with the nth power of 1.02. */
function bucketOf(behind: number): number {
  return behind === 0 ? 0 : Math.ceil(Math.log(behind) / WIDTH) + 1;
}

/** The largest whole number of ms in a bucket. */
function endOf(bucket: number): number {
  return bucket === 0 ? 0 : Math.floor(Math.exp((bucket - 1) * WIDTH) * (1 + 1e-12));
}

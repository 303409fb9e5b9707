/** What flows in. */
export interface Event {
  readonly key: string;
  readonly value: number;
  /** When it happened, ms since the epoch. */
  readonly ts: number;
}

/** How far records may be behind without being late, in ms; the watermark is `max - BOUND - 1`. */
export const BOUND = 3_000;

/** After how many records the watermark is asked for. */
export const EVERY = 200;

const START = 1_600_000_000_000;

/**
 * About 1,000 records per second of event time, in the order of their arrival: up to 3 s out of order, and 1 in 1,000
 * from 10 to 20 s behind. The same seed gives the same records.
 */
export function makeRecords(n: number, keys: number, seed = 42): Event[] {
  const random = generator(seed);
  const names = Array.from({ length: keys }, (_, i) => `key-${i}`);
  return Array.from({ length: n }, (_, i) => {
    const behind = random() < 0.001 ? 10_000 + random() * 10_000 : random() * BOUND;
    return {
      key: names[Math.floor(random() * keys)] ?? '',
      value: Math.floor(random() * 1_000),
      ts: START + i - Math.floor(behind),
    };
  });
}

/** Numbers from 0 to 1 out of a 32-bit xorshift, mixed by a multiplication. */
function generator(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (Math.imul(state, 0x2c1b3c6d) >>> 0) / 2 ** 32;
  };
}

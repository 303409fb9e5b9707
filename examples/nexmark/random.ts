const HALF = 2 ** 24;
const MULTIPLIER_HIGH = 0x5de;
const MULTIPLIER_LOW = 0xece66d;

/** The linear generator of 48 bits that Java's library has, in two halves of 24 bits, so that products stay exact. */
export class Random {
  private high: number;
  private low: number;

  constructor(seed: number) {
    // seeds are event ids, far below 2^48
    this.high = (Math.floor(seed / HALF) ^ MULTIPLIER_HIGH) % HALF;
    this.low = (seed % HALF) ^ MULTIPLIER_LOW;
  }

  /** The top `n` bits of the next state, as a signed number of 32 bits. */
  bits(n: number): number {
    const low = this.low * MULTIPLIER_LOW + 0xb;
    const high = this.high * MULTIPLIER_LOW + this.low * MULTIPLIER_HIGH + Math.floor(low / HALF);
    this.low = low % HALF;
    this.high = high % HALF;
    return Math.floor((this.high * HALF + this.low) / 2 ** (48 - n)) | 0;
  }

  /** Any number of 32 bits, or one from 0 to `below` − 1. */
  int(below?: number): number {
    if (below === undefined) return this.bits(32);
    if (Number.isInteger(Math.log2(below))) return Math.floor((below * this.bits(31)) / 2 ** 31);
    for (;;) {
      const bits = this.bits(31);
      const value = bits % below;
      if (bits - value + (below - 1) < 2 ** 31) return value;
    }
  }

  /** A number from 0 to 1. */
  double(): number {
    return (this.bits(26) * 2 ** 27 + this.bits(27)) / 2 ** 53;
  }
}

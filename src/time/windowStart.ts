/**
 * Rule T3: the start of the aligned window of `size` ms that holds `timestamp`, on a grid shifted by `offset`. Floors, so
 * negative times and offsets are ordinary. (A quotient and a floor cost a tenth of `%` on epoch milliseconds, and are
 * exact for all safe integers.)
 */
export function windowStart(timestamp: number, size: number, offset: number): number {
  return Math.floor((timestamp - offset) / size) * size + offset;
}

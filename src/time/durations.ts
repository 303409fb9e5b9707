/**
 * `n` seconds in ms.
 *
 * @category time
 * @since 0.1.0
 */
export function seconds(n: number): number {
  return n * 1_000;
}

/**
 * `n` minutes in ms.
 *
 * @category time
 * @since 0.1.0
 */
export function minutes(n: number): number {
  return n * 60_000;
}

/**
 * `n` hours in ms.
 *
 * @category time
 * @since 0.1.0
 */
export function hours(n: number): number {
  return n * 3_600_000;
}

/**
 * `n` days of 24 hours in ms. A calendar day may have 23 or 25.
 *
 * @category time
 * @since 0.1.0
 */
export function days(n: number): number {
  return n * 86_400_000;
}

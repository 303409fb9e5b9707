/**
 * Live counts of what an operator saw and did not pass on. Hand one to an operator, read it at any time; it adds up over
 * subscriptions, and over operators that share it.
 *
 * @category state
 * @since 0.1.0
 */
export interface Counters {
  /** Records that came in. */
  readonly records: number;
  /** Records that came too late for all of their windows. */
  readonly late: number;
  /** Records dropped or forwarded without a time, since their timestamp was none. */
  readonly invalid: number;
  /** Records ahead of the clock by more than `withMaxFutureSkew`; forwarded, but held out of the watermark. */
  readonly held: number;
  /** Records that belong to no window (a slide above the size). */
  readonly unassigned: number;
  /** Records that were kept and then dropped without a result (purged, or left over at the end). */
  readonly discarded: number;
  /** Sets all counts to 0. */
  reset(): void;
}

/** The counters as operators write them. */
export type LiveCounters = { -readonly [P in Exclude<keyof Counters, 'reset'>]: number };

const zeros = (): LiveCounters => ({ records: 0, late: 0, invalid: 0, held: 0, unassigned: 0, discarded: 0 });

/**
 * Counters to hand to operators.
 *
 * ```ts
 * const seen = counters();
 * from([record(1, 1), watermark(9), record(2, 2)]).pipe(tumblingWindow(10, aggregates.count(), { counters: seen })).subscribe();
 * seen.late; // 1
 * ```
 *
 * @category state
 * @since 0.1.0
 */
export function counters(): Counters {
  const live = zeros();
  return Object.assign(live, {
    reset(): void {
      Object.assign(live, zeros());
    },
  });
}

/** The counters of a config, or some that nobody reads: the hot path need not ask. */
export function countersOf(config: { readonly counters?: Counters } | undefined): LiveCounters {
  return (config?.counters as LiveCounters | undefined) ?? zeros();
}

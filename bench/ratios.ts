import type { Sample, Samples } from './measure.js';

/** The median of ratios taken round by round, and the quartiles around it. */
export interface Ratio {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** How one implementation compares with another, by one of the two measures. */
export function ratio(samples: Samples, name: string, to: string, by: keyof Sample): Ratio {
  const base = samples[to] ?? [];
  return spreadOf((samples[name] ?? []).map((sample, i) => sample[by] / (base[i]?.[by] ?? NaN)));
}

/** The best run of one by the best run of the other: what is left when nothing else disturbs. */
export function ratioOfBest(samples: Samples, name: string, to: string): number {
  const best = (of: string): number => Math.min(...(samples[of] ?? []).map(({ wall }) => wall));
  return best(name) / best(to);
}

/** What the others are measured by: the first one; and what one would do with RxJS alone, if there is such a thing. */
export function basesOf(samples: Samples): { readonly first: string; readonly stock: string | undefined } {
  const names = Object.keys(samples);
  return { first: names[0] ?? '', stock: names.find((name) => name.startsWith('stock')) };
}

/** The median of several ratios, and the quartiles around it. */
export function spreadOf(ratios: ReadonlyArray<number>): Ratio {
  const sorted = [...ratios].sort((a, b) => a - b);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

export function showRatio({ median, low, high }: Ratio): string {
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

function quantile(sorted: ReadonlyArray<number>, q: number): number {
  const at = (sorted.length - 1) * q;
  const below = sorted[Math.floor(at)] ?? NaN;
  return below + ((sorted[Math.ceil(at)] ?? NaN) - below) * (at % 1);
}

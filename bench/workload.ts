import type { Event } from './records.js';

/** What an implementation found. All implementations of a workload have to find the same. */
export interface Checksum {
  /** How many results came out. */
  results: number;
  /** The sum of all that was counted and summed in them. */
  sum: number;
  /** How many records were late. */
  late: number;
  /** A hash of the times of the results (the ends of windows, or the times of records), whatever their order. */
  ends: number;
}

/** One way to do the work of a workload. */
export interface Implementation {
  readonly name: string;
  readonly run: (events: ReadonlyArray<Event>) => Checksum;
  /** Only run when it is asked for. */
  readonly slow?: true;
  /** What it rightly finds otherwise than the first one. */
  readonly differs?: ReadonlyArray<keyof Checksum>;
}

/** What to do, and the ways to do it; the others are measured by the first: a hand-written loop, where there is one. */
export interface Workload {
  readonly name: string;
  readonly what: string;
  readonly keys: number;
  readonly implementations: ReadonlyArray<Implementation>;
  /** Slow ones that are not even loaded unless they are asked for: what comes with them is not small. */
  readonly others?: () => Promise<ReadonlyArray<Implementation>>;
}

export function emptyChecksum(): Checksum {
  return { results: 0, sum: 0, late: 0, ends: 0 };
}

/** Counts one result in; cheap, and the same for all. */
export function count(into: Checksum, value: number, time: number): void {
  into.results++;
  into.sum += value;
  into.ends = (into.ends + Math.imul(time | 0, 0x9e3779b1)) | 0;
}

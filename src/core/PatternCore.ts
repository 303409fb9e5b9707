import type { StreamRecord } from '../element/element.js';
import { TimerQueue } from './TimerQueue.js';

/** What a match has taken so far, by the name of the step. */
export type SoFar<A> = (step: string) => ReadonlyArray<A>;

/** A step as the matcher reads it. */
export interface PatternStepSpec<A> {
  readonly name: string;
  readonly where: (value: A, soFar: SoFar<A>, timestamp: number) => boolean;
  readonly strict: boolean;
  readonly min: number;
  readonly max: number;
  /** It may take nothing instead. */
  readonly optional: boolean;
}

/** A record that a step has taken, and those before it. */
export interface Taken<A> {
  readonly step: number;
  /** How many the step has taken with it. */
  readonly count: number;
  readonly value: A;
  /** The number of the record among those of its key. */
  readonly at: number;
  readonly timestamp: number;
  readonly before: Taken<A> | null;
}

/** The beginning of a match. */
interface Partial<A> {
  readonly taken: Taken<A>;
  readonly start: number;
  /** Is what has been taken a match already? */
  readonly matched: boolean;
  /** The steps that may take a further record. */
  targets: ReadonlyArray<number>;
}

/** A match that ends with the record at hand. */
interface Match<A> {
  readonly taken: Taken<A>;
  readonly start: number;
}

/** What goes on for one key. */
interface KeyRuns<A, K> {
  readonly key: K;
  count: number; // records seen
  partials: Partial<A>[];
}

/** Where a pattern core puts what comes out. */
export interface PatternSink<A, K> {
  readonly closed: boolean;
  matched(key: K, last: Taken<A>, start: number): void;
  timedOut(key: K, last: Taken<A>, start: number, timestamp: number): void;
}

/**
 * Finds sequences of records, which it is told of in the order of their times.
 *
 * A match takes records for the steps in order; each step takes from `min` to `max` of them. Between a record and the next
 * one that a match takes there is nothing (a strict step), or nothing that the step would take (a relaxed one). So a
 * partial match knows which steps may take its next record: a strict one is out after one record, a relaxed one when it
 * has taken. Each record therefore makes at most one new partial match a step out of each that there is.
 */
export class PatternCore<A, K> {
  private readonly keys = new Map<K, KeyRuns<A, K>>();
  private readonly due = new TimerQueue<KeyRuns<A, K>>(); // when partial matches of a key are over
  private readonly entries: ReadonlyArray<number>; // the steps with which a match may begin

  constructor(
    private readonly steps: ReadonlyArray<PatternStepSpec<A>>,
    private readonly within: number,
    private readonly overlapping: boolean,
    private readonly sink: PatternSink<A, K>,
  ) {
    this.entries = this.stepsFrom(0);
  }

  /** How many keys have a partial match. */
  get openKeys(): number {
    return this.keys.size;
  }

  record(record: StreamRecord<A, K>): void {
    const { key, value, timestamp } = record;
    this.timeouts(timestamp);
    if (this.sink.closed) return;
    const known = this.keys.get(key);
    const runs: KeyRuns<A, K> = known ?? { key, count: 0, partials: [] };
    const at = runs.count++;
    const partials: Partial<A>[] = [];
    const matches: Match<A>[] = [];

    const extend = (step: number, before: Taken<A> | null, start: number): boolean => {
      const { where } = this.steps[step] as PatternStepSpec<A>;
      if (!where(value, (name) => this.valuesOf(name, before), timestamp)) return false;
      const count = before?.step === step ? before.count + 1 : 1;
      const taken: Taken<A> = { step, count, value, at, timestamp, before };
      const matched = this.isMatch(taken);
      if (matched) matches.push({ taken, start });
      const targets = this.targetsOf(taken);
      if (targets.length > 0) partials.push({ taken, start, matched, targets });
      return true;
    };

    for (const partial of runs.partials) {
      const { taken, start, targets } = partial;
      // each step asks once, even if it takes: what is left waits on
      const left = targets.filter((step) => {
        const took = extend(step, taken, start);
        return !took && !(this.steps[step] as PatternStepSpec<A>).strict;
      });
      if (left.length > 0) {
        partial.targets = left;
        partials.push(partial);
      }
    }
    let begun = false;
    for (const step of this.entries) begun = extend(step, null, timestamp) || begun;

    runs.partials = partials;
    if (matches.length > 0) {
      if (matches.length > 1) sortMatches(matches);
      if (!this.overlapping) {
        matches.length = 1;
        runs.partials = [];
      }
    }
    if (runs.partials.length === 0) {
      if (known !== undefined) this.keys.delete(key);
    } else {
      if (known === undefined) this.keys.set(key, runs);
      if (begun && this.within !== Infinity) this.due.add(timestamp + this.within, runs);
    }
    for (const { taken, start } of matches) {
      this.sink.matched(key, taken, start);
      if (this.sink.closed) return;
    }
  }

  /** Time has got to `time`: partial matches that began `within` before it are over. */
  timeouts(time: number): void {
    for (let at = this.due.next, all = this.due.take(time); all !== undefined; at = this.due.next, all = this.due.take(time)) {
      for (const runs of all) {
        this.giveUp(runs, at, this.within);
        if (this.sink.closed) return;
      }
    }
  }

  /** The end of time. */
  end(): void {
    this.timeouts(Infinity);
    for (const runs of this.keys.values()) {
      if (this.sink.closed) return;
      this.giveUp(runs, Infinity, 0);
    }
  }

  /** Those that began `within` before this time go. They lie in the order of their beginnings. */
  private giveUp(runs: KeyRuns<A, K>, time: number, within: number): void {
    const { partials } = runs;
    let over = 0;
    while (over < partials.length && (partials[over] as Partial<A>).start + within <= time) over++;
    const gone = partials.splice(0, over);
    // a key that has gone and come back has runs of its own
    if (partials.length === 0 && this.keys.get(runs.key) === runs) this.keys.delete(runs.key);
    for (const { taken, start, matched } of gone) {
      if (!matched) this.sink.timedOut(runs.key, taken, start, time);
      if (this.sink.closed) return;
    }
  }

  /** What a step has taken. */
  valuesOf(name: string, last: Taken<A> | null): ReadonlyArray<A> {
    const values: A[] = [];
    for (let one = last; one !== null; one = one.before) if (this.steps[one.step]?.name === name) values.push(one.value);
    return values.reverse();
  }

  private targetsOf({ step, count }: Taken<A>): ReadonlyArray<number> {
    const { min, max } = this.steps[step] as PatternStepSpec<A>;
    const same = count < max ? [step] : [];
    return count < min ? same : [...same, ...this.stepsFrom(step + 1)];
  }

  private isMatch({ step, count }: Taken<A>): boolean {
    const { min } = this.steps[step] as PatternStepSpec<A>;
    return count >= min && this.steps.slice(step + 1).every(({ optional }) => optional);
  }

  /** The step at `from`, and those behind it as long as what is before them may be left out. */
  private stepsFrom(from: number): ReadonlyArray<number> {
    const steps: number[] = [];
    for (let i = from; i < this.steps.length; i++) {
      steps.push(i);
      if (!(this.steps[i] as PatternStepSpec<A>).optional) break;
    }
    return steps;
  }
}

/** Of two matches that end with one record first the one that took the earlier record where they differ, then for the earlier step. */
function sortMatches<A>(matches: Match<A>[]): void {
  const chains = new Map(matches.map((match) => [match, chain(match.taken)]));
  matches.sort((a, b) => compare(chains.get(a) ?? [], chains.get(b) ?? []));
}

function compare<A>(left: ReadonlyArray<Taken<A>>, right: ReadonlyArray<Taken<A>>): number {
  for (let i = 0; i < left.length && i < right.length; i++) {
    const [one, other] = [left[i] as Taken<A>, right[i] as Taken<A>];
    if (one.at !== other.at) return one.at - other.at;
  }
  if (left.length !== right.length) return left.length - right.length;
  for (let i = 0; i < left.length; i++) {
    const difference = (left[i] as Taken<A>).step - (right[i] as Taken<A>).step;
    if (difference !== 0) return difference;
  }
  return 0;
}

function chain<A>(last: Taken<A>): ReadonlyArray<Taken<A>> {
  const all: Taken<A>[] = [];
  for (let one: Taken<A> | null = last; one !== null; one = one.before) all.push(one);
  return all.reverse();
}

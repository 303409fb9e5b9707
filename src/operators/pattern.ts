import type { OperatorFunction, Subscriber } from 'rxjs';
import { PatternCore, type PatternSink, type PatternStepSpec, type SoFar, type Taken } from '../core/PatternCore.js';
import type { StreamElement, StreamRecord } from '../element/element.js';
import type { Same } from '../element/same.js';
import { Endings } from '../internal/Endings.js';
import { operate } from '../internal/operate.js';
import { openSink, type Producer, type Sink } from '../internal/sink.js';
import { assertCount, assertFunction, assertMs, assertOneOf, refuse } from '../time/assert.js';
import { type SortedConfig, SortedStage } from './shared/SortedStage.js';

/** A step of a pattern: which records it takes, and how many. */
export interface PatternStep<A, N extends string = string> {
  /** Under which name a match holds what the step took. */
  readonly name: N;
  /** Which records it takes; `soFar` tells what the match has taken by the name of a step. */
  readonly where: (value: A, soFar: SoFar<A>, timestamp: number) => boolean;
  /** What may lie between the record before and this step's: `'strict'`, nothing; `'relaxed'` (the default), what the step doesn't take. */
  readonly follows?: 'strict' | 'relaxed';
  /** May the step take nothing? Default false. */
  readonly optional?: boolean;
  /** How many records it takes; default exactly 1. `{ min: 1 }` is one or more. */
  readonly times?: number | { readonly min: number; readonly max?: number };
}

/** Records that follow a pattern. */
export interface PatternMatch<out A, out K, N extends string> {
  readonly key: K;
  /** The time of the first record. */
  readonly start: number;
  /** The time of the last record, or when it was too late for it. */
  readonly end: number;
  /** What each step took, in order; nothing for an optional step that took nothing. */
  readonly taken: { readonly [P in N]: ReadonlyArray<A> };
}

/** How long a match may take, and what becomes of the others. */
export interface PatternConfig<A, K, N extends string> extends SortedConfig<A, K> {
  /** ms of event time, ≥ 1: a match's last record comes less than this after its first. `Infinity` keeps every beginning for ever. */
  readonly within: number;
  /** `'none'` (the default): every match; `'pastLast'`: matches of a key don't overlap, the next begins behind the last record. */
  readonly skip?: 'none' | 'pastLast';
  /** Where beginnings go that time has run out for; their `end` is when. */
  readonly timeoutTo?: Sink<PatternMatch<A, K, N>>;
}

/**
 * Finds sequences of records of one key: `pattern([a, b, c], { within })` finds an `a`, then a `b`, then a `c`, within a
 * time.
 *
 * A match takes records for its steps in order. Between two of them there is nothing that the step in question would have
 * taken, so a relaxed step takes the next record that it can; a strict one the very next record of the key. Where a step
 * may repeat and the next step takes the same record, both ways are followed.
 *
 * All matches come out, those that end with one record ordered by the records they took: whichever took the earlier one
 * where they differ is first. With `skip: 'pastLast'` only the first of them, and what it took or passed begins no other.
 * A match that could go on (its last step repeats, or optional ones follow) comes out each time it is complete.
 *
 * **Time**: records are sorted up to the watermark. A match is stamped with the time of its last record and comes before the
 * watermark that released it.
 * **State**: the records above the watermark, and the beginnings of matches, until they are too old for `within`.
 * **Late records**: those at or behind the watermark: `lateTo`, counted as `late`.
 * **Completion and errors**: at completion what waits is looked at, and all beginnings go to `timeoutTo`, which completes.
 *
 * ```ts
 * const readings$ = from([record(20, 1), record(35, 3), record(21, 2), record(80, 4), watermark(9)]);
 * readings$.pipe(
 *   pattern(
 *     [
 *       { name: 'low', where: (n) => n < 30 },
 *       { name: 'rise', where: (n, soFar) => n > (soFar('low')[0] ?? 0) + 10, follows: 'strict', times: { min: 1 } },
 *       { name: 'high', where: (n) => n > 50 },
 *     ],
 *     { within: 10 },
 *   ),
 *   toValues(),
 *   map(({ taken }) => `${taken.low}, ${taken.rise}, ${taken.high}`),
 * ); // '21, 35, 80'
 * ```
 *
 * **Cost**: each record asks each step that a beginning of its key waits for.
 *
 * @throws RangeError or TypeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError`.
 * @see Flink CEP: next, followedBy, oneOrMore, optional, its skip strategies noSkip and skipPastLastEvent.
 * @category patterns
 * @since 0.1.0
 */
export function pattern<A, K, N extends string>(
  steps: ReadonlyArray<PatternStep<Same<A>, N>>,
  config: PatternConfig<Same<A>, Same<K>, NoInfer<N>>,
): OperatorFunction<StreamElement<A, K>, StreamElement<PatternMatch<A, K, N>, K>> {
  if (!Array.isArray(steps)) throw refuse('pattern', 'steps', steps, 'a list of steps');
  const specs = checked(steps as ReadonlyArray<PatternStep<A, N>>);
  assertMs('pattern', 'within', config?.within, 1, true);
  assertOneOf('pattern', 'skip', config.skip ?? 'none', ['none', 'pastLast']);
  return operate((out) => new PatternStage<A, K, N>(out, specs, config as PatternConfig<A, K, N>));
}

function checked<A>(steps: ReadonlyArray<PatternStep<A>>): ReadonlyArray<PatternStepSpec<A>> {
  const names = new Set<string>();
  const specs = steps.map(({ name, where, follows = 'relaxed', optional = false, times = 1 }, i) => {
    const { min, max = Infinity } = typeof times === 'number' ? { min: times, max: times } : times;
    if (names.has(name)) throw refuse('pattern', `steps[${i}].name`, name, 'a name of its own');
    names.add(name);
    assertFunction('pattern', `steps[${i}].where`, where);
    assertOneOf('pattern', `steps[${i}].follows`, follows, ['strict', 'relaxed']);
    assertCount('pattern', `steps[${i}].times`, min, 1);
    assertCount('pattern', `steps[${i}].times.max`, max, min, true);
    return { name, where, strict: follows === 'strict', min, max, optional };
  });
  if (specs.every(({ optional }) => optional)) {
    throw new RangeError(`pattern: steps has ${specs.length} steps, it must have one that is not optional`);
  }
  return specs;
}

class PatternStage<A, K, N extends string> extends SortedStage<A, K, PatternMatch<A, K, N>> implements PatternSink<A, K> {
  private readonly core: PatternCore<A, K>;
  private readonly timeoutTo: Producer<PatternMatch<A, K, N>> | null;

  constructor(
    out: Subscriber<StreamElement<PatternMatch<A, K, N>, K>>,
    private readonly steps: ReadonlyArray<PatternStepSpec<A>>,
    config: PatternConfig<A, K, N>,
  ) {
    super(out, 'pattern', config);
    this.core = new PatternCore(steps, config.within, config.skip !== 'pastLast', this);
    this.timeoutTo = openSink(config.timeoutTo);
    this.side = new Endings([this.lateTo, this.timeoutTo]);
  }

  protected onRecord(record: StreamRecord<A, K>): void {
    this.core.record(record);
  }
  protected override onTime(time: number): void {
    // nothing at or before the watermark follows, so what needs a record before time + 1 never comes
    if (time === Infinity) this.core.end();
    else this.core.timeouts(time + 1);
  }

  matched(key: K, last: Taken<A>, start: number): void {
    const { timestamp } = last;
    this.outlet.record(this.matchOf(key, last, start, timestamp), timestamp, key);
  }
  timedOut(key: K, last: Taken<A>, start: number, timestamp: number): void {
    this.timeoutTo?.next(this.matchOf(key, last, start, timestamp));
  }
  private matchOf(key: K, last: Taken<A>, start: number, end: number): PatternMatch<A, K, N> {
    const taken = this.steps.map(({ name }) => [name, this.core.valuesOf(name, last)]);
    return { key, start, end, taken: Object.fromEntries(taken) };
  }
}

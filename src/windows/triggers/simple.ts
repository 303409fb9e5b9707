import { assertCount, assertFunction, assertMs, assertOneOf, refuse } from '../../time/assert.js';
import { CLOCKS } from '../grid.js';
import type { TimeWindow } from '../result.js';
import type { CustomMergeable, CustomTrigger, MergeableTrigger, Trigger } from '../trigger.js';
import { define } from './define.js';

/** A trigger for any records and windows, merging ones included. */
export type AnyTrigger = MergeableTrigger<unknown, unknown>;

/**
 * Fires when the watermark reaches the window's end, and then for each record within the lateness: the default by event time.
 *
 * @see Flink's EventTimeTrigger.
 * @category triggers
 * @since 0.1.0
 */
export function eventTime(): AnyTrigger {
  return define({ kind: 'eventTime' });
}

/**
 * Fires when the clock reaches the window's end: the default by processing time.
 *
 * @see Flink's ProcessingTimeTrigger.
 * @category triggers
 * @since 0.1.0
 */
export function processingTime(): AnyTrigger {
  return define({ kind: 'processingTime' });
}

/**
 * Never fires. Good for the late part of `afterWatermark`, or under `timeout` and `orFinally`; alone it is refused.
 *
 * @category triggers
 * @since 0.1.0
 */
export function never(): AnyTrigger {
  return define({ kind: 'never' });
}

/**
 * Fires at every `n`th record. It does not fire at the window's end: what is left there is dropped, and counted as
 * `discarded`; use `afterWatermark({ early: afterCount(n) })` to have it.
 *
 * ```ts
 * from([record('a', 1), record('b', 2), record('c', 3)]).pipe(
 *   tumblingWindow(10, aggregates.count(), { trigger: triggers.afterCount(2) }),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // 2
 * ```
 *
 * @param n a whole number ≥ 1.
 * @throws RangeError at once, if it is not.
 * @see Flink's CountTrigger, Beam's Repeatedly(AfterCount).
 * @category triggers
 * @since 0.1.0
 */
export function afterCount(n: number): AnyTrigger {
  assertCount('afterCount', 'n', n, 1);
  return define({ kind: 'afterCount', n });
}

/**
 * Fires `delay` ms of processing time after the first record since the last firing.
 *
 * @param delay ms, a whole number ≥ 0.
 * @throws RangeError at once, if it is not.
 * @see Beam's Repeatedly(AfterProcessingTime.pastFirstElementInPane).
 * @category triggers
 * @since 0.1.0
 */
export function afterProcessingTime(delay: number): AnyTrigger {
  assertMs('afterProcessingTime', 'delay', delay, 0);
  return define({ kind: 'afterProcessingTime', delay });
}

/** How `every` goes on. */
export interface EveryConfig {
  /** Fire also if nothing is new since the last time; default `false`. */
  readonly repeat?: boolean;
}

/**
 * Fires at multiples of `interval` of event time or of the clock, if something is new. By event time also at the window's
 * end, and then for each record within the lateness; by the clock not: what is left there is dropped and counted.
 *
 * @param interval ms, a whole number ≥ 1.
 * @throws RangeError or TypeError at once, for an argument out of range.
 * @see Flink's ContinuousEventTimeTrigger and ContinuousProcessingTimeTrigger, which fire as with `repeat: true`.
 * @category triggers
 * @since 0.1.0
 */
export function every(interval: number, clock: 'event' | 'processing', config: EveryConfig = {}): AnyTrigger {
  assertMs('every', 'interval', interval, 1);
  assertOneOf('every', 'clock', clock, CLOCKS);
  return define({ kind: 'every', interval, clock, repeat: config.repeat ?? false });
}

/**
 * Fires when a record is further than `threshold` from the one of the last firing; the first record is the first reference.
 *
 * @param distance signed; called with the record of the last firing and the new one.
 * @param threshold strictly exceeded.
 * @throws RangeError or TypeError at once, for an argument that is none.
 * @see Flink's DeltaTrigger. It can't merge.
 * @category triggers
 * @since 0.1.0
 */
export function delta<A>(distance: (older: A, newer: A) => number, threshold: number): Trigger<A, unknown> {
  assertFunction('delta', 'distance', distance);
  if (!Number.isFinite(threshold)) throw refuse('delta', 'threshold', threshold, 'a finite number');
  return define({ kind: 'delta', distance: distance as (older: never, newer: never) => number, threshold }, false);
}

/**
 * A trigger of your own, with state, timers and merging. It can take back the calls that it asked for, and those only.
 *
 * ```ts
 * const onSurge = triggers.custom<number, { peak: number }>({
 *   create: () => ({ peak: 0 }),
 *   onRecord: (load, state, context) => {
 *     context.onEventTime(context.maxTimestamp);
 *     if (load < state.peak * 2) return 'continue';
 *     state.peak = load;
 *     return 'fire';
 *   },
 *   onEventTime: () => 'fireAndPurge',
 * });
 * fromElements(record(10, 1), record(15, 2), record(30, 3)).pipe(
 *   tumblingWindow(10, aggregates.count(), { trigger: onSurge }),
 *   toValues(),
 *   map(({ value }) => value),
 * ); // 1, 3, 3
 * ```
 *
 * @see Flink's Trigger.
 * @category triggers
 * @since 0.1.0
 */
export function custom<A, S, W = TimeWindow>(spec: CustomMergeable<A, S, W>): MergeableTrigger<A, W>;
export function custom<A, S, W = TimeWindow>(spec: CustomTrigger<A, S, W>): Trigger<A, W>;
export function custom<A, S, W>(spec: CustomTrigger<A, S, W>): Trigger<A, W> {
  assertFunction('custom', 'create', spec.create);
  assertFunction('custom', 'onRecord', spec.onRecord);
  for (const part of ['onEventTime', 'onProcessingTime', 'merge'] as const) {
    if (spec[part] !== undefined) assertFunction('custom', part, spec[part]);
  }
  return define({ kind: 'custom', spec: spec as unknown as CustomTrigger<never, unknown, never> }, spec.merge !== undefined);
}

import { assertMs, assertObject, refuse } from '../../time/assert.js';
import type { MergeableTrigger, Trigger, TriggerNode } from '../trigger.js';
import { define, nodeOf } from './define.js';
import type { AnyTrigger } from './simple.js';

/** What fires around the end of a window. */
export interface AfterWatermarkConfig<T> {
  /** Fires before the watermark reaches the window's end; default nothing. */
  readonly early?: T;
  /** Fires after it; default each record. */
  readonly late?: T;
}

/**
 * Fires when the watermark reaches the window's end, with early firings before and late ones after it.
 *
 * ```ts
 * from([record(1, 1), record(2, 2), record(3, 3), watermark(9)]).pipe(
 *   tumblingWindow(10, aggregates.collect(), { trigger: triggers.afterWatermark({ early: triggers.afterCount(2) }) }),
 *   toValues(),
 *   map(({ value, pane }) => `${pane.timing} ${value}`),
 * ); // 'early 1,2', 'onTime 1,2,3'
 * ```
 *
 * @see Beam's AfterWatermark; the default for late records is Flink's.
 * @category triggers
 * @since 0.1.0
 */
export function afterWatermark(config?: AfterWatermarkConfig<AnyTrigger>): AnyTrigger;
export function afterWatermark<A, W>(config: AfterWatermarkConfig<MergeableTrigger<A, W>>): MergeableTrigger<A, W>;
export function afterWatermark<A, W>(config: AfterWatermarkConfig<Trigger<A, W>>): Trigger<A, W>;
export function afterWatermark(config: AfterWatermarkConfig<Trigger<never, never>> = {}): Trigger<never, never> {
  const { early, late } = config;
  const node: TriggerNode = {
    kind: 'afterWatermark',
    ...(early === undefined ? {} : { early: nodeOf('afterWatermark', 'early', early) }),
    ...(late === undefined ? {} : { late: nodeOf('afterWatermark', 'late', late) }),
  };
  return define(node, early?.mergeable !== false && late?.mergeable !== false);
}

/**
 * Fires as `trigger` does, once; then it has finished, and what comes later for the window is dropped and counted. So it is
 * refused by window operators, unless `allowDataLoss` is set or nothing can come any more.
 *
 * @see Beam's triggers without Repeatedly.
 * @category triggers
 * @since 0.1.0
 */
export function once<A, W>(trigger: MergeableTrigger<A, W>): MergeableTrigger<A, W>;
export function once<A, W>(trigger: Trigger<A, W>): Trigger<A, W>;
export function once(trigger: Trigger<never, never>): Trigger<never, never> {
  return define({ kind: 'once', trigger: nodeOf('once', 'trigger', trigger) }, trigger.mergeable);
}

/**
 * Begins anew whenever `trigger` has finished.
 *
 * @see Beam's Repeatedly. Plain triggers repeat by themselves.
 * @category triggers
 * @since 0.1.0
 */
export function repeatedly<A, W>(trigger: MergeableTrigger<A, W>): MergeableTrigger<A, W>;
export function repeatedly<A, W>(trigger: Trigger<A, W>): Trigger<A, W>;
export function repeatedly(trigger: Trigger<never, never>): Trigger<never, never> {
  return define({ kind: 'repeatedly', trigger: nodeOf('repeatedly', 'trigger', trigger) }, trigger.mergeable);
}

/**
 * Each firing drops the pane, whatever the panes mode of the operator.
 *
 * @see Flink's PurgingTrigger.
 * @category triggers
 * @since 0.1.0
 */
export function purging<A, W>(trigger: MergeableTrigger<A, W>): MergeableTrigger<A, W>;
export function purging<A, W>(trigger: Trigger<A, W>): Trigger<A, W>;
export function purging(trigger: Trigger<never, never>): Trigger<never, never> {
  return define({ kind: 'purging', trigger: nodeOf('purging', 'trigger', trigger) }, trigger.mergeable);
}

/**
 * Fires with either, until `until` has fired, or the first has finished.
 *
 * ```ts
 * const everyTwo = triggers.orFinally(triggers.eventTime())(triggers.repeatedly(triggers.afterCount(2)));
 * fromElements(record(1, 1), record(2, 2), record(3, 3), watermark(9)).pipe(
 *   tumblingWindow(10, aggregates.sum(), { trigger: everyTwo }),
 *   toValues(),
 *   map(({ value, pane }) => `${pane.timing} ${value}`),
 * ); // 'early 3', 'onTime 6'
 * ```
 *
 * @see Beam's orFinally. The first is bare: repeat it with `repeatedly`.
 * @category triggers
 * @since 0.1.0
 */
export function orFinally<A, W>(until: Trigger<A, W>): <B, V>(trigger: Trigger<B, V>) => Trigger<A & B, W & V> {
  return (trigger) => {
    const node: TriggerNode = {
      kind: 'orFinally',
      trigger: nodeOf('orFinally', 'trigger', trigger),
      until: nodeOf('orFinally', 'until', until),
    };
    return define(node, trigger.mergeable && until.mergeable);
  };
}

/**
 * Fires with the first of them that is due, and has finished then.
 *
 * @see Beam's AfterFirst.
 * @category triggers
 * @since 0.1.0
 */
export function afterFirst<A, W>(...triggers: ReadonlyArray<MergeableTrigger<A, W>>): MergeableTrigger<A, W>;
export function afterFirst<A, W>(...triggers: ReadonlyArray<Trigger<A, W>>): Trigger<A, W>;
export function afterFirst(...triggers: ReadonlyArray<Trigger<never, never>>): Trigger<never, never> {
  return several('afterFirst', triggers);
}

/**
 * Fires when all of them have been due, and has finished then.
 *
 * @see Beam's AfterAll.
 * @category triggers
 * @since 0.1.0
 */
export function afterAll<A, W>(...triggers: ReadonlyArray<MergeableTrigger<A, W>>): MergeableTrigger<A, W>;
export function afterAll<A, W>(...triggers: ReadonlyArray<Trigger<A, W>>): Trigger<A, W>;
export function afterAll(...triggers: ReadonlyArray<Trigger<never, never>>): Trigger<never, never> {
  return several('afterAll', triggers);
}

/**
 * The first until it has finished, then the next; has finished with the last.
 *
 * @see Beam's AfterEach.
 * @category triggers
 * @since 0.1.0
 */
export function inOrder<A, W>(...triggers: ReadonlyArray<MergeableTrigger<A, W>>): MergeableTrigger<A, W>;
export function inOrder<A, W>(...triggers: ReadonlyArray<Trigger<A, W>>): Trigger<A, W>;
export function inOrder(...triggers: ReadonlyArray<Trigger<never, never>>): Trigger<never, never> {
  return several('inOrder', triggers);
}

function several(
  kind: 'afterFirst' | 'afterAll' | 'inOrder',
  triggers: ReadonlyArray<Trigger<never, never>>,
): Trigger<never, never> {
  if (triggers.length === 0) throw refuse(kind, 'triggers', triggers, 'at least one trigger');
  const nodes = triggers.map((trigger, i) => nodeOf(kind, `triggers[${i}]`, trigger));
  return define(
    { kind, triggers: nodes },
    triggers.every((trigger) => trigger.mergeable),
  );
}

/** How `timeout` counts. */
export interface TimeoutConfig {
  /** ms of processing time after which it fires; a whole number ≥ 1. */
  readonly after: number;
  /** Count from the last record instead of the first since the last firing; default `false`. */
  readonly resetOnRecord?: boolean;
  /** Clear the inner trigger's state when the time is out; default `false`. */
  readonly clearOnTimeout?: boolean;
}

/**
 * Fires as `trigger` does, and when `after` ms of processing time have gone by.
 *
 * @throws RangeError at once, if `after` is no whole number ≥ 1.
 * @see Flink's ProcessingTimeoutTrigger.
 * @category triggers
 * @since 0.1.0
 */
export function timeout<A, W>(trigger: MergeableTrigger<A, W>, config: TimeoutConfig): MergeableTrigger<A, W>;
export function timeout<A, W>(trigger: Trigger<A, W>, config: TimeoutConfig): Trigger<A, W>;
export function timeout(trigger: Trigger<never, never>, config: TimeoutConfig): Trigger<never, never> {
  assertObject('timeout', 'config', config);
  const { after, resetOnRecord = false, clearOnTimeout = false } = config;
  assertMs('timeout', 'after', after, 1);
  const node = nodeOf('timeout', 'trigger', trigger);
  return define({ kind: 'timeout', trigger: node, after, resetOnRecord, clearOnTimeout }, trigger.mergeable);
}

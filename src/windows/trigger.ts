import type { TimeWindow } from './result.js';

/**
 * What a trigger says to do: nothing, put the pane out, drop it, or both.
 *
 * @category triggers
 * @since 0.1.0
 */
export type TriggerResult = 'continue' | 'fire' | 'purge' | 'fireAndPurge';

/**
 * What a trigger may see and ask for, about one window of one key.
 *
 * @category triggers
 * @since 0.1.0
 */
export interface TriggerContext<W> {
  readonly window: W;
  /** The largest timestamp of the window, ms since the epoch. */
  readonly maxTimestamp: number;
  /** The event time of the record at hand, `MIN_TIMESTAMP` in a timer. */
  readonly timestamp: number;
  /** The watermark; in a timer it is already the new one. */
  readonly watermark: number;
  /** The clock, ms. */
  now(): number;
  /** Asks for a call of `onEventTime` when the watermark reaches `timestamp`; for a time already reached, with the next watermark. */
  onEventTime(timestamp: number): void;
  /** Asks for a call of `onProcessingTime` when the clock reaches `timestamp`. */
  onProcessingTime(timestamp: number): void;
  /** Takes back what was asked for. */
  cancelEventTime(timestamp: number): void;
  /** Takes back what was asked for. */
  cancelProcessingTime(timestamp: number): void;
}

/**
 * When a window fires: a value, made by the functions of `triggers`. It can be printed and compared; one interpreter runs
 * all of them.
 *
 * @typeParam A the records it can see. @typeParam W the windows it works for.
 * @category triggers
 * @since 0.1.0
 */
export interface Trigger<in A, in W = TimeWindow> {
  readonly kind: string;
  /** Only for inference: nothing is here at run time. */
  readonly _A?: (value: A, window: W) => void;
  /** It can follow windows that merge. */
  readonly mergeable: boolean;
}

/**
 * A trigger for windows that merge, too: sessions accept only these.
 *
 * @category triggers
 * @since 0.1.0
 */
export interface MergeableTrigger<in A, in W = TimeWindow> extends Trigger<A, W> {
  readonly mergeable: true;
}

/**
 * A trigger of your own.
 *
 * @typeParam S its state, for one window of one key: plain data, if it is to be snapshotted.
 * @category triggers
 * @since 0.1.0
 */
export interface CustomTrigger<in A, in out S, in W> {
  /** A fresh state, for each window and key. */
  readonly create: () => S;
  /** For each record, after it was added to the pane. */
  readonly onRecord: (value: A, state: S, context: TriggerContext<W>) => TriggerResult;
  /** At an event time that it asked for. Default: `'continue'`. */
  readonly onEventTime?: (timestamp: number, state: S, context: TriggerContext<W>) => TriggerResult;
  /** At a processing time that it asked for. Default: `'continue'`. */
  readonly onProcessingTime?: (timestamp: number, state: S, context: TriggerContext<W>) => TriggerResult;
  /** One state of two, when windows merge; required for sessions. Timers move to the merged window, those for the end of a part to its new end. */
  readonly merge?: (left: S, right: S) => S;
}

/**
 * A trigger of your own that can merge.
 *
 * @category triggers
 * @since 0.1.0
 */
export interface CustomMergeable<in A, in out S, in W> extends CustomTrigger<A, S, W> {
  readonly merge: (left: S, right: S) => S;
}

/** What a trigger says, for the interpreter. */
// biome-ignore format: one kind a line reads as a table
export type TriggerNode =
  | { readonly kind: 'eventTime' | 'processingTime' | 'never' }
  | { readonly kind: 'afterWatermark'; readonly early?: TriggerNode; readonly late?: TriggerNode }
  | { readonly kind: 'afterCount'; readonly n: number }
  | { readonly kind: 'afterProcessingTime'; readonly delay: number }
  | { readonly kind: 'every'; readonly interval: number; readonly clock: 'event' | 'processing'; readonly repeat: boolean }
  | { readonly kind: 'delta'; readonly distance: (older: never, newer: never) => number; readonly threshold: number }
  | { readonly kind: 'once' | 'repeatedly' | 'purging'; readonly trigger: TriggerNode }
  | { readonly kind: 'orFinally'; readonly trigger: TriggerNode; readonly until: TriggerNode }
  | { readonly kind: 'afterFirst' | 'afterAll' | 'inOrder'; readonly triggers: ReadonlyArray<TriggerNode> }
  | { readonly kind: 'timeout'; readonly trigger: TriggerNode; readonly after: number; readonly resetOnRecord: boolean; readonly clearOnTimeout: boolean }
  | { readonly kind: 'custom'; readonly spec: CustomTrigger<never, unknown, never> };

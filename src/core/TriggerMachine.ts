import type { TriggerContext, TriggerResult } from '../windows/trigger.js';

/** What happens to a trigger: a record was added to the pane, the watermark has reached a time, or the clock has. */
export type TriggerEvent = 'record' | 'event' | 'processing';

/** A trigger ready to run: `T` is its state for one window of one key, plain data. */
export interface TriggerMachine<A, W, T> {
  create(): T;
  /**
   * `at` is the record's value, or the time that was reached. A timer may have been asked for by another trigger of the
   * same window: each knows its own by the time.
   */
  on(what: TriggerEvent, at: A | number, state: T, context: TriggerContext<W>): TriggerResult;
  /** Windows have become one, or one has grown: the states of the parts, the oldest first, into one. Their timers are gone: ask anew. */
  merge(states: ReadonlyArray<T>, context: TriggerContext<W>): T;
  /** It will never fire again. */
  finished(state: T): boolean;
}

/** The default of event-time windows: fires when the watermark reaches the window's end, and for each record after that. */
export const EVENT_TIME: TriggerMachine<unknown, unknown, null> = {
  create: () => null,
  on(what, at, _state, context) {
    if (what === 'event') return at === context.maxTimestamp ? 'fire' : 'continue';
    if (what === 'processing') return 'continue';
    if (context.maxTimestamp <= context.watermark) return 'fire';
    context.onEventTime(context.maxTimestamp);
    return 'continue';
  },
  merge(_states, context) {
    if (context.maxTimestamp > context.watermark) context.onEventTime(context.maxTimestamp);
    return null;
  },
  finished: () => false,
};

/** The default of processing-time windows: fires when the clock reaches the window's end. */
export const PROCESSING_TIME: TriggerMachine<unknown, unknown, null> = {
  create: () => null,
  on(what, at, _state, context) {
    if (what === 'record') context.onProcessingTime(context.maxTimestamp);
    return what === 'processing' && at === context.maxTimestamp ? 'fire' : 'continue';
  },
  merge(_states, context) {
    context.onProcessingTime(context.maxTimestamp);
    return null;
  },
  finished: () => false,
};

/** Fires never: the default of the global window. */
export const NEVER: TriggerMachine<unknown, unknown, null> = {
  create: () => null,
  on: () => 'continue',
  merge: () => null,
  finished: () => false,
};

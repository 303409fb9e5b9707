/** What a trigger says to do: nothing, put the pane out, drop it, or both. */
export type TriggerResult = 'continue' | 'fire' | 'purge' | 'fireAndPurge';

/** What a trigger may see and ask for, about one window of one key. */
export interface TriggerContext<W> {
  readonly window: W;
  /** The largest timestamp of the window. */
  readonly maxTimestamp: number;
  /** The event time of the record at hand, `MIN_TIMESTAMP` in a timer. */
  readonly timestamp: number;
  readonly watermark: number;
  now(): number;
  onEventTime(timestamp: number): void;
  onProcessingTime(timestamp: number): void;
  cancelEventTime(timestamp: number): void;
  cancelProcessingTime(timestamp: number): void;
}

/** A trigger at work, ready to run: `T` is its state for one window of one key. */
export interface TriggerMachine<A, W, T> {
  create(): T;
  onRecord(value: A, state: T, context: TriggerContext<W>): TriggerResult;
  onEventTime(timestamp: number, state: T, context: TriggerContext<W>): TriggerResult;
  onProcessingTime(timestamp: number, state: T, context: TriggerContext<W>): TriggerResult;
  /** Windows have become one: their states, the oldest first, into one; timers of the parts are gone, ask for new ones. */
  merge(states: ReadonlyArray<T>, context: TriggerContext<W>): T;
}

/** The default of event-time windows: fires when the watermark reaches the window's end, and for each record after that. */
export const EVENT_TIME: TriggerMachine<unknown, unknown, null> = {
  create: () => null,
  onRecord: (_value, _state, context) => {
    if (context.maxTimestamp <= context.watermark) return 'fire';
    context.onEventTime(context.maxTimestamp);
    return 'continue';
  },
  onEventTime: (timestamp, _state, context) => (timestamp === context.maxTimestamp ? 'fire' : 'continue'),
  onProcessingTime: () => 'continue',
  merge(_states, context) {
    if (context.maxTimestamp > context.watermark) context.onEventTime(context.maxTimestamp);
    return null;
  },
};

/** The default of processing-time windows: fires when the clock reaches the window's end. */
export const PROCESSING_TIME: TriggerMachine<unknown, unknown, null> = {
  create: () => null,
  onRecord: (_value, _state, context) => {
    context.onProcessingTime(context.maxTimestamp);
    return 'continue';
  },
  onEventTime: () => 'continue',
  onProcessingTime: () => 'fire',
  merge(_states, context) {
    context.onProcessingTime(context.maxTimestamp);
    return null;
  },
};

/** Fires never: the default of the global window. */
export const NEVER: TriggerMachine<unknown, unknown, null> = {
  create: () => null,
  onRecord: () => 'continue',
  onEventTime: () => 'continue',
  onProcessingTime: () => 'continue',
  merge: () => null,
};

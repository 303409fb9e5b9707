import type { OperatorFunction, SchedulerLike } from 'rxjs';
import type { PaneMode, ResultTime } from '../../core/WindowCore.js';
import type { StreamElement, StreamRecord } from '../../element/element.js';
import type { Counters } from '../../internal/counters.js';
import type { Sink } from '../../internal/sink.js';
import type { Evictor } from '../../windows/evictor.js';
import type { TimeWindow, WindowResult } from '../../windows/result.js';
import type { MergeableTrigger, Trigger } from '../../windows/trigger.js';

/** Where late records go. */
export type LateSink<A, K> = Sink<StreamRecord<A, K>>;

/** What a window operator does besides folding. */
export interface WindowConfig<A, K, W = TimeWindow> {
  /** ms after its end during which a window is kept, and fires again for each late record; ≥ 0, default 0, `Infinity` until the end. */
  readonly allowedLateness?: number;
  /** Where records go that are late for all of their windows; default nowhere (they are counted). */
  readonly lateTo?: LateSink<A, K>;
  /** When windows fire; default at their end, and for each late record. It replaces the default: see `triggers`. */
  readonly trigger?: Trigger<A, W>;
  /** What a second firing of a window holds: everything (`'accumulating'`, the default), what is new (`'discarding'`), or everything, behind the withdrawal of the firing before (`'retracting'`). */
  readonly panes?: PaneMode;
  /** Which records a firing leaves out. The window keeps its records, and folds them at each firing. */
  readonly evict?: Evictor<A>;
  /** The timestamp of a result: the window's end − 1 (`'end'`, the default), or that of the earliest or latest record that was not behind the watermark; these hold the watermark back. */
  readonly resultTime?: ResultTime;
  /** Accept a trigger that may drop records or never fire. */
  readonly allowDataLoss?: boolean;
  /** Counts `records`, `late`, `unassigned` and `discarded`. */
  readonly counters?: Counters;
  /** The clock of processing-time windows and triggers; default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike;
}

/** The config of windows that merge: their trigger must be able to. */
export interface MergingConfig<A, K, W = TimeWindow> extends WindowConfig<A, K, W> {
  /** When windows fire; default at their end, and for each late record. It replaces the default: see `triggers`. */
  readonly trigger?: MergeableTrigger<A, W>;
}

/** A window operator: elements in, results out. */
export type Windowed<A, R, K, W = TimeWindow> = OperatorFunction<StreamElement<A, K>, StreamElement<WindowResult<R, K, W>>>;

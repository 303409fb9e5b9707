import type { OperatorFunction, SchedulerLike } from 'rxjs';
import type { PaneMode } from '../../core/WindowCore.js';
import type { StreamElement, StreamRecord } from '../../element/element.js';
import type { Counters } from '../../internal/counters.js';
import type { Sink } from '../../internal/sink.js';
import type { TimeWindow, WindowResult } from '../../windows/result.js';

/** Where late records go. */
export type LateSink<A, K> = Sink<StreamRecord<A, K>>;

/** What a window operator does besides folding. */
export interface WindowConfig<A, K> {
  /** ms after its end during which a window is kept, and fires again for each late record; ≥ 0, default 0, `Infinity` until the end. */
  readonly allowedLateness?: number;
  /** Where records go that are late for all of their windows; default nowhere (they are counted). */
  readonly lateTo?: LateSink<A, K>;
  /** What a second firing of a window holds: everything (`'accumulating'`, the default) or what is new (`'discarding'`). */
  readonly panes?: PaneMode;
  /** Counts `records`, `late`, `unassigned` and `discarded`. */
  readonly counters?: Counters;
  /** The clock of processing-time windows; default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike;
}

/** A window operator: elements in, results out. */
export type Windowed<A, R, K, W = TimeWindow> = OperatorFunction<StreamElement<A, K>, StreamElement<WindowResult<R, K, W>>>;

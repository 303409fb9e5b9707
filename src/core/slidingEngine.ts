import type { TimeWindow } from '../windows/result.js';
import { SlidingCore, type SlidingGrid } from './SlidingCore.js';
import type { WindowCore, WindowOptions, WindowSink } from './WindowCore.js';

/** The core of sliding windows where they can share what overlaps; undefined where each has to be folded by itself. */
export function slidingEngine<A, K, R>(
  grid: SlidingGrid,
  options: WindowOptions<A, R>,
  sink: WindowSink<A, K, R, TimeWindow>,
): WindowCore<A, K> | undefined {
  const { aggregate, panes, resultTime } = options;
  const shares =
    grid.kind === 'event' &&
    aggregate.merge !== undefined &&
    aggregate.commutative === true &&
    panes === 'accumulating' &&
    resultTime === 'end' &&
    options.evictor === undefined &&
    options.local === undefined &&
    sink.cleared === undefined;
  return shares ? new SlidingCore<A, K, R, unknown>(grid, options, sink) : undefined;
}

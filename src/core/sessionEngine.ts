import type { TimeWindow } from '../windows/result.js';
import { SessionCore } from './SessionCore.js';
import type { WindowCore, WindowOptions, WindowSink } from './WindowCore.js';

/** The core of sessions by event time; undefined where more is asked for than it can do. */
export function sessionEngine<A, K, R>(
  gap: number | ((value: A) => number),
  options: WindowOptions<A, R>,
  sink: WindowSink<A, K, R, TimeWindow>,
): WindowCore<A, K> | undefined {
  const plain =
    options.panes !== 'retracting' &&
    options.resultTime === 'end' &&
    options.evictor === undefined &&
    options.local === undefined &&
    sink.cleared === undefined;
  return plain ? new SessionCore<A, K, R, unknown>(gap, options, sink) : undefined;
}

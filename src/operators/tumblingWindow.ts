import { tumblingCore } from '../core/PlainTumblingCore.js';
import type { Same } from '../element/same.js';
import type { Aggregate } from '../windows/aggregates/aggregate.js';
import { collect } from '../windows/aggregates/collect.js';
import { gridOf } from '../windows/grid.js';
import type { AlignedConfig } from './shared/alignedConfig.js';
import type { Windowed } from './shared/windowConfig.js';
import { windowOperator } from './shared/windowOperator.js';

/**
 * Folds the records of each key in windows of `size` ms side by side; without an aggregate it collects them.
 *
 * With lateness, an offset or a late output, name the aggregate: `tumblingWindow(5_000, aggregates.collect(), { lateTo })`.
 *
 * **Time**: `[start, end)` fires at the first watermark ≥ end − 1, and once more for each record within the allowed
 * lateness. Results are stamped end − 1 and come before the watermark that caused them, ordered by end, then by the first
 * appearance of the key in the window. `clock: 'processing'` goes by the scheduler's clock instead: `[0, 1000)` fires in
 * frame 1000, nothing is late, and what is open when the stream completes fires then.
 * **State**: an accumulator a key and open window; gone once the watermark passes the end plus the lateness.
 * **Late records**: `lateTo`, counted as `late`.
 * **Completion and errors**: at completion all open windows fire, then come `MAX_TIMESTAMP` and completion. An error passes
 * at once, without partial windows.
 *
 * ```ts
 * from([record('a', 1_000), record('b', 4_999), watermark(4_999), record('c', 5_000)]).pipe(
 *   tumblingWindow(5_000),
 *   toValues(),
 *   map(({ window, value }) => `${window.start}: ${value}`),
 * ); // '0: a,b', '5000: c'
 * ```
 *
 * **Cost**: two lookups a record, one comparison a watermark; about 85 bytes an open window and key.
 *
 * @param size ms, a whole number ≥ 1.
 * @param aggregate default `aggregates.collect()`.
 * @throws RangeError or TypeError at once, for an argument out of range. Errors in the stream: `MissingTimestampError` for
 * a record without a time, in event time.
 * @see Flink's TumblingEventTimeWindows and TumblingProcessingTimeWindows (rules T3–T6, V1–V8).
 * @category windows
 * @since 0.1.0
 */
export function tumblingWindow<A, K>(size: number): Windowed<A, ReadonlyArray<A>, K>;
export function tumblingWindow<A, R, K>(
  size: number,
  aggregate: Aggregate<Same<A>, R>,
  config?: AlignedConfig<Same<A>, Same<K>>,
): Windowed<A, R, K>;
export function tumblingWindow<A, R, K>(
  size: number,
  aggregate: Aggregate<A, R> = collect<A>() as Aggregate<A, never>,
  config: AlignedConfig<A, K> = {},
): Windowed<A, R, K> {
  const grid = gridOf('tumblingWindow', size, config);
  return windowOperator({
    name: 'tumblingWindow',
    kind: grid.kind,
    aggregate,
    config,
    assigner: (engine) => engine.tumbling(grid),
    plain: (options) => (sink) => tumblingCore(grid, options, sink),
  });
}

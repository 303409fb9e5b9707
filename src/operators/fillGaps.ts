import type { OperatorFunction, Subscriber } from 'rxjs';
import { GapCore, type GapSink } from '../core/GapCore.js';
import { MAX_TIMESTAMP, type StreamElement } from '../element/element.js';
import type { Same } from '../element/same.js';
import { ElementStage } from '../internal/ElementStage.js';
import { operate } from '../internal/operate.js';
import { assertCount, assertFunction, assertMs } from '../time/assert.js';
import type { TimeWindow, WindowResult } from '../windows/result.js';

/** Which windows there are, and how long a key is missed. */
export interface GapConfig {
  /** ms from the start of a window to the start of the next, or the next one itself; default the size of the windows: they lie side by side. */
  readonly step?: number | ((window: TimeWindow) => TimeWindow);
  /** How many windows without records a key is given in a row before it is forgotten; a whole number ≥ 1, default `Infinity`: never. */
  readonly limit?: number;
}

/**
 * Puts a result where a key had none: for each window, from a key's first result to the watermark, in which it had no
 * records. To be put right behind the window operator.
 *
 * `empty` says what the result is: a 0, nothing, or the last one once more. For overlapping windows give the slide as `step`, for
 * those of a calendar their `next`. Sessions have no gaps to fill.
 *
 * **Time**: a gap is filled by the watermark that closes its window, or before the first result on time of a later one: fillers
 * and results come in the order of their ends, stamped end − 1. Results pass as they are.
 * **State**: the last result of each key; without a `limit` keys are never forgotten, and each gives a result for each window.
 * **Late records**: a late result for a window that was filled passes, and stands for what was filled. A key that begins with a
 * late one has what it lacks filled at once, also late. A filler has `pane.index` 0, like a first result.
 * **Completion and errors**: at completion (or `MAX_TIMESTAMP`) all keys are filled up to the last window of any, then come
 * `MAX_TIMESTAMP` and completion. An error passes at once.
 *
 * ```ts
 * from([keyedRecord(1, 5, 'a'), keyedRecord(1, 7, 'b'), keyedRecord(1, 25, 'a')]).pipe(
 *   tumblingWindow(10, aggregates.count()),
 *   fillGaps(() => 0),
 *   toValues(),
 *   map(({ key, window, value }) => `${key} ${window.start}: ${value}`),
 * ); // 'a 0: 1', 'b 0: 1', 'a 10: 0', 'b 10: 0', 'a 20: 1', 'b 20: 0'
 * ```
 *
 * **Cost**: one lookup a result, one a key and window.
 *
 * @param empty called with the key, the window and the key's last result before it.
 * @throws RangeError or TypeError at once, for an argument out of range. Errors in the stream: `OffGridError` for windows
 * that the step does not lead to.
 * @see TimescaleDB's time_bucket_gapfill, RisingWave's GAP_FILL, which fills between two rows only.
 * @category windows
 * @since 0.1.0
 */
export function fillGaps<R, K, E>(
  empty: (key: Same<K>, window: TimeWindow, last: Same<R>) => E,
  config: GapConfig = {},
): OperatorFunction<StreamElement<WindowResult<R, K>>, StreamElement<WindowResult<R | E, K>>> {
  const { step, limit = Infinity } = config;
  assertFunction('fillGaps', 'empty', empty);
  if (typeof step !== 'function' && step !== undefined) assertMs('fillGaps', 'step', step, 1);
  assertCount('fillGaps', 'limit', limit, 1, true);
  const after = typeof step === 'function' ? step : stepOf(step);
  return operate((out) => new FillGapsStage(out, empty, after, limit));
}

function stepOf(step: number | undefined): (window: TimeWindow) => TimeWindow {
  return ({ start, end }) => {
    const by = step ?? end - start;
    return { start: start + by, end: end + by };
  };
}

class FillGapsStage<R, K, E>
  extends ElementStage<StreamElement<WindowResult<R, K>>, WindowResult<R | E, K>, undefined>
  implements GapSink<R, K, E>
{
  private readonly core: GapCore<R, K, E>;

  constructor(
    out: Subscriber<StreamElement<WindowResult<R | E, K>>>,
    readonly empty: (key: K, window: TimeWindow, last: R) => E,
    after: (window: TimeWindow) => TimeWindow,
    limit: number,
  ) {
    super(out);
    this.core = new GapCore(after, limit, this);
  }

  protected onNext(element: StreamElement<WindowResult<R, K>>): void {
    if (element._tag === 'Record') {
      this.core.before(element.value);
      if (this.closed) return;
      this.out.next(element);
      if (!this.closed) this.core.result(element.value);
    } else {
      if (element.timestamp === MAX_TIMESTAMP) this.core.end();
      else if (element.timestamp > this.time) this.core.watermark(element.timestamp);
      if (!this.closed) this.pass(element.timestamp, element.idle);
    }
  }

  protected override onEnd(): void {
    if (this.time < MAX_TIMESTAMP) this.core.end();
    this.end();
  }

  filler(result: WindowResult<E, K>): void {
    this.outlet.record(result, result.window.end - 1, undefined);
  }
}

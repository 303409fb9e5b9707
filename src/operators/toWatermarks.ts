import type { OperatorFunction } from 'rxjs';
import { MIN_TIMESTAMP, type StreamElement } from '../element/element.js';
import { operate, Stage } from '../internal/operate.js';

/**
 * Leaves event time with its progress alone: the time of each watermark that rises.
 *
 * **Time**: records are dropped, and so is idleness. The end of event time is `MAX_TIMESTAMP`. **State**: the last
 * watermark. **Completion and errors**: passed on.
 *
 * ```ts
 * from([record('a', 1), watermark(1), idle(1), watermark(4)]).pipe(toWatermarks()); // 1, 4
 * ```
 *
 * @category interop
 * @since 0.1.0
 */
export function toWatermarks(): OperatorFunction<StreamElement<unknown, unknown>, number> {
  return operate((out) => new ToWatermarksStage(out));
}

class ToWatermarksStage extends Stage<StreamElement<unknown, unknown>, number> {
  private time: number = MIN_TIMESTAMP;
  protected onNext(element: StreamElement<unknown, unknown>): void {
    if (element._tag !== 'Watermark' || element.timestamp <= this.time) return;
    this.time = element.timestamp;
    this.out.next(this.time);
  }
}

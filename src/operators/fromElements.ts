import { from } from 'rxjs';
import type { StreamElement } from '../element/element.js';
import { ElementStage } from '../internal/ElementStage.js';
import type { EventStream } from '../internal/eventStream.js';
import { operate } from '../internal/operate.js';

/**
 * A stream of the elements given, made whole: watermarks that don't rise are left out, and the final one is added.
 *
 * ```ts
 * fromElements(record('a', 1), watermark(5), watermark(3)); // record('a', 1), watermark(5), watermark(MAX_TIMESTAMP)
 * ```
 *
 * @category sources
 * @since 0.1.0
 */
export function fromElements<A = never, K = undefined>(...elements: ReadonlyArray<StreamElement<A, K>>): EventStream<A, K> {
  return from(elements).pipe(operate((out) => new FromElementsStage<A, K>(out)));
}

class FromElementsStage<A, K> extends ElementStage<StreamElement<A, K>, A, K> {
  protected onNext(element: StreamElement<A, K>): void {
    if (element._tag === 'Record') this.out.next(element);
    else this.pass(element.timestamp, element.idle);
  }
  protected override onEnd(): void {
    this.end();
  }
}

import type { StreamRecord } from '../../element/element.js';
import { openSink, type Producer } from '../../internal/sink.js';
import type { LateSink } from './windowConfig.js';

/**
 * Where late records of each side go; default nowhere (they are counted).
 *
 * @category combining
 * @since 0.1.0
 */
export interface LateSides<L, R, K> {
  readonly left?: LateSink<L, K>;
  readonly right?: LateSink<R, K>;
}

/** The late outputs of both sides, opened for one subscription; they end together. */
export class LateOutputs<L, R, K> {
  readonly left: Producer<StreamRecord<L, K>> | null;
  readonly right: Producer<StreamRecord<R, K>> | null;

  constructor(lateTo: LateSides<L, R, K> | undefined) {
    this.left = openSink(lateTo?.left);
    this.right = openSink(lateTo?.right);
  }
  error(cause: unknown): void {
    this.left?.error(cause);
    this.right?.error(cause);
  }
  complete(): void {
    this.left?.complete();
    this.right?.complete();
  }
  release(): void {
    this.left?.release();
    this.right?.release();
  }
}

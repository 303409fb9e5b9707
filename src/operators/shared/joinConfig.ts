import type { StreamRecord } from '../../element/element.js';
import { Endings } from '../../internal/Endings.js';
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
export class LateOutputs<L, R, K> extends Endings {
  readonly left: Producer<StreamRecord<L, K>> | null;
  readonly right: Producer<StreamRecord<R, K>> | null;

  constructor(lateTo: LateSides<L, R, K> | undefined) {
    const left = openSink(lateTo?.left);
    const right = openSink(lateTo?.right);
    super([left, right]);
    this.left = left;
    this.right = right;
  }
}

import { MAX_TIMESTAMP, MIN_TIMESTAMP } from '../../element/element.js';
import type { WindowAssigner } from '../assigner.js';
import type { TimeWindow } from '../result.js';

/**
 * The window of all records of a key: `[MIN_TIMESTAMP, MAX_TIMESTAMP)`.
 *
 * @category windows
 * @since 0.1.0
 */
export type GlobalWindow = TimeWindow;

/** The global assigner, inspectable. */
export interface GlobalAssigner extends WindowAssigner<unknown, GlobalWindow> {
  readonly type: 'global';
  readonly kind: 'global';
}

const WINDOW: GlobalWindow = { start: MIN_TIMESTAMP, end: MAX_TIMESTAMP };
const WINDOWS: ReadonlyArray<GlobalWindow> = [WINDOW];

/**
 * One window for everything, that a trigger has to fire. It is never late and never cleaned up; its results are stamped
 * `MAX_TIMESTAMP`.
 *
 * ```ts
 * assigners.global().assign('a', 7, 0); // [{ start: MIN_TIMESTAMP, end: MAX_TIMESTAMP }]
 * ```
 *
 * @see Flink's GlobalWindows.
 * @category windows
 * @since 0.1.0
 */
export function global(): GlobalAssigner {
  return GLOBAL;
}

const GLOBAL: GlobalAssigner = {
  type: 'global',
  kind: 'global',
  assign: () => WINDOWS,
  maxTimestamp: () => MAX_TIMESTAMP,
  keyOf: () => 0,
};

import type { AnyAssigner, MergingAssigner } from '../windows/assigner.js';
import type { Grid } from '../windows/grid.js';
import type { TimeWindow } from '../windows/result.js';
import type { TriggerNode } from '../windows/trigger.js';
import type { WindowCore, WindowOptions, WindowSink } from './WindowCore.js';

/** Where triggers and evictors keep the core that can run them: who uses none does not carry it. */
export const ENGINE: unique symbol = Symbol.for('tidemark.engine');

/** The core that a trigger or an evictor brings along. */
export interface Engine {
  /** Refuses a trigger that drops data by finishing early, or never fires. */
  check(where: string, kind: 'event' | 'processing' | 'global', trigger: TriggerNode | undefined, allowedLateness: number): void;
  /** The assigner of a grid, for the operator that needs none without this core. */
  tumbling(grid: Grid): AnyAssigner<unknown, TimeWindow>;
  build<A, K, R, W>(
    assigner: AnyAssigner<A, W> & { readonly merge?: MergingAssigner<A, W>['merge'] | undefined },
    trigger: TriggerNode | undefined,
    options: WindowOptions<A, R>,
    sink: WindowSink<A, K, R, W>,
  ): WindowCore<A, K>;
}

import type { AnyAssigner, MergingAssigner } from '../windows/assigner.js';
import type { Grid } from '../windows/grid.js';
import type { TimeWindow } from '../windows/result.js';
import type { TriggerNode } from '../windows/trigger.js';
import type { WindowCore, WindowOptions, WindowSink } from './WindowCore.js';

export type { WindowOptions, WindowSink };

/** Where triggers and evictors keep the core that can run them: who uses none does not carry it. */
export const ENGINE: unique symbol = Symbol.for('tidemark.engine');

/** What such a core wants to know of an operator besides the options of all cores. */
export interface EnginePlan<A, W> {
  readonly kind: 'event' | 'processing' | 'global';
  readonly config: { readonly trigger?: unknown; readonly evict?: unknown; readonly allowDataLoss?: boolean };
  readonly assigner: (engine: Engine) => AnyAssigner<A, W> & { readonly merge?: MergingAssigner<A, W>['merge'] | undefined };
  /** What is left of windows without end when the stream ends fires. */
  readonly partial?: boolean;
  /** The state that a window's function keeps for each window and key. */
  readonly local?: () => unknown;
}

/** The core that a trigger or an evictor brings along. */
export interface Engine {
  /** What builds it for each subscription. Refuses a trigger that would lose data. */
  core<A, K, R, W>(plan: EnginePlan<A, W>, options: WindowOptions<A, R>): (sink: WindowSink<A, K, R, W>) => WindowCore<A, K>;
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

/** Where an assigner keeps the core that was made for it: who doesn't use the one does not carry the other. */
export const OWN_CORE: unique symbol = Symbol.for('tidemark.core');

/**
 * Where an assigner says by which `merge` windows become one only if they touch in time: those between which there is room need
 * not be asked. Not so for a copy that merges in its own way.
 */
export const TOUCHING: unique symbol = Symbol.for('tidemark.touching');

export function touches(assigner: { readonly merge?: unknown; readonly [TOUCHING]?: unknown }): boolean {
  return assigner.merge !== undefined && assigner[TOUCHING] === assigner.merge;
}

/** Builds the core that was made for an assigner, under its default trigger; undefined if the options ask for more than it can. */
export type OwnCore<W> = <A, K, R>(
  assigner: AnyAssigner<A, W>,
  options: WindowOptions<A, R>,
  sink: WindowSink<A, K, R, W>,
) => WindowCore<A, K> | undefined;

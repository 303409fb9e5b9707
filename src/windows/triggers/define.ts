import { triggerEngine } from '../../core/engine.js';
import { ENGINE } from '../../core/engineSlot.js';
import { refuse } from '../../time/assert.js';
import type { MergeableTrigger, Trigger, TriggerNode } from '../trigger.js';

/** The trigger of a node: plain data, and the engine that can run it. */
export function define<A, W>(node: TriggerNode): MergeableTrigger<A, W>;
export function define<A, W>(node: TriggerNode, mergeable: boolean): Trigger<A, W>;
export function define(node: TriggerNode, mergeable = true): Trigger<never, never> {
  return { ...node, mergeable, [ENGINE]: triggerEngine } as unknown as Trigger<never, never>;
}

/** What the interpreter needs of a trigger that somebody gave. */
export function nodeOf(where: string, name: string, trigger: Trigger<never, never> | undefined): TriggerNode {
  if (typeof (trigger as { kind?: unknown } | undefined)?.kind === 'string') return trigger as unknown as TriggerNode;
  throw refuse(where, name, trigger, 'a trigger, such as triggers.afterCount(10)');
}

import { plainEngine } from '../../core/engine.js';
import { refuse } from '../../time/assert.js';
import type { Aggregate } from '../../windows/aggregates/aggregate.js';
import type { WindowConfig, Windowed } from './windowConfig.js';
import { type Assigner, type WindowPlan, windowOperator } from './windowOperator.js';

/** The operator of any assigner: what `windowBy` and the operators with an assigner of their own share. */
export function assignedWindow<A, R, K, W>(
  name: string,
  assigner: Assigner<A, W>,
  aggregate: Aggregate<A, R>,
  config: WindowConfig<A, K, W>,
  partial = false,
): Windowed<A, R, K, W> {
  return windowOperator({ ...assignedPlan(name, assigner, aggregate, config), partial });
}

/** The plan of an operator with any assigner, and the checks that this needs. */
export function assignedPlan<A, R, K, W>(
  name: string,
  assigner: Assigner<A, W>,
  aggregate: Aggregate<A, R>,
  config: WindowConfig<A, K, W>,
): WindowPlan<A, R, K, W> {
  assertAssigner(name, assigner);
  if (assigner.merge !== undefined && aggregate?.merge === undefined) {
    throw refuse(name, 'aggregate', aggregate, 'an aggregate with merge, as these windows merge');
  }
  if (assigner.merge !== undefined && config.trigger?.mergeable === false) {
    throw refuse(name, 'trigger', config.trigger, 'a trigger that can merge, as these windows do');
  }
  if (assigner.kind === 'global' && config.trigger === undefined && config.allowDataLoss !== true) {
    throw refuse(name, 'trigger', config.trigger, 'given: the global window never fires by itself (or set allowDataLoss: true)');
  }
  return {
    name,
    kind: assigner.kind,
    aggregate,
    config,
    assigner: () => assigner,
    plain: (options, plan) => plainEngine.core(plan, options),
  };
}

/** Throws unless `assigner` is one. */
export function assertAssigner(where: string, assigner: { readonly assign: unknown } | undefined): void {
  if (typeof assigner?.assign === 'function') return;
  throw refuse(where, 'assigner', assigner, 'an assigner, such as assigners.tumbling(5_000)');
}

import type { Subscriber } from 'rxjs';
import { ENGINE, type Engine, type EnginePlan } from '../../core/engineSlot.js';
import type { WindowCore, WindowOptions, WindowSink } from '../../core/WindowCore.js';
import type { StreamElement } from '../../element/element.js';
import { operate } from '../../internal/operate.js';
import { assertMs, assertOneOf, assertSink, refuse } from '../../time/assert.js';
import type { Aggregate } from '../../windows/aggregates/aggregate.js';
import type { AnyAssigner, MergingAssigner } from '../../windows/assigner.js';
import type { WindowResult } from '../../windows/result.js';
import { WindowStage, type WindowWiring } from './WindowStage.js';
import type { WindowConfig, Windowed } from './windowConfig.js';

/** An assigner of either sort. */
export type Assigner<A, W> = AnyAssigner<A, W> & { readonly merge?: MergingAssigner<A, W>['merge'] | undefined };

/** What an operator adds to what all share. */
export interface WindowPlan<A, R, K, W> extends EnginePlan<A, W> {
  readonly name: string;
  readonly aggregate: Aggregate<A, R>;
  readonly config: WindowConfig<A, K, W>;
  /** What builds the core without trigger and evictor. */
  readonly plain: (options: WindowOptions<A, R>, plan: EnginePlan<A, W>) => (sink: WindowSink<A, K, R, W>) => WindowCore<A, K>;
}

/** What becomes of the results of a core. */
export type MakeStage<A, R, K, W, B> = (
  out: Subscriber<StreamElement<WindowResult<B, K, W>>>,
  wiring: WindowWiring<A, K, R, W>,
) => WindowStage<A, K, R, W, B>;

/** Checks what all window operators share, and makes the operator around a core. By default it puts out what the core gives. */
export function windowOperator<A, R, K, W, B = R>(
  plan: WindowPlan<A, R, K, W>,
  makeStage: MakeStage<A, R, K, W, B> = (out, wiring) => new WindowStage(out, wiring),
): Windowed<A, B, K, W> {
  const { name, config, aggregate, kind } = plan;
  const { allowedLateness = 0, panes = 'accumulating', resultTime = 'end', trigger, evict } = config;
  assertMs(name, 'allowedLateness', allowedLateness, 0, true);
  assertOneOf(name, 'panes', panes, ['accumulating', 'discarding', 'retracting']);
  assertOneOf(name, 'resultTime', resultTime, kind === 'processing' ? ['end'] : ['end', 'earliest', 'latest']);
  assertSink(name, 'lateTo', config.lateTo);
  if (typeof aggregate?.create !== 'function') {
    throw refuse(name, 'aggregate', aggregate, 'an aggregate, such as aggregates.count()');
  }
  const evicting = engineOf(name, 'evict', evict); // looked at even if a trigger decides
  const engine = engineOf(name, 'trigger', trigger) ?? evicting;
  // field by field: a copy of the plan would have a shape of its own in each operator, and engines would learn it anew
  const options: WindowOptions<A, R> = { name, aggregate, allowedLateness, panes, resultTime };
  const core = engine?.core<A, K, R, W>(plan, options) ?? plan.plain(options, plan);
  const settling = engine !== undefined || kind === 'processing' || resultTime !== 'end';
  return operate((out) => makeStage(out, { config, settling, core }));
}

/** The core that a trigger or an evictor brings along. */
function engineOf(where: string, name: string, value: object | undefined): Engine | undefined {
  if (value === undefined) return undefined;
  const engine = (value as { readonly [ENGINE]?: Engine })[ENGINE];
  if (engine === undefined || 'mergeable' in value !== (name === 'trigger'))
    throw refuse(where, name, value, `one of ${name === 'evict' ? 'evictors' : 'triggers'}`);
  return engine;
}

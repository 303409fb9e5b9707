import { TUMBLING } from '../time/tumbling.js';
import type { AnyAssigner } from '../windows/assigner.js';
import type { EvictorRules } from '../windows/evictor.js';
import type { TriggerNode } from '../windows/trigger.js';
import { checkTrigger } from './checkTrigger.js';
import { type Engine, type EnginePlan, OWN_CORE, type OwnCore } from './engineSlot.js';
import { GeneralCore } from './GeneralCore.js';
import { interpret } from './interpretTrigger.js';
import { EVENT_TIME, NEVER, PROCESSING_TIME, type TriggerMachine } from './TriggerMachine.js';
import type { WindowCore, WindowOptions, WindowSink } from './WindowCore.js';

const tumbling: Engine['tumbling'] = (grid) => ({ ...grid, ...TUMBLING });

/** Adds to the options of all cores what only these know: windows without any of it don't carry how it is done. */
function core<A, K, R, W>(
  this: Engine,
  plan: EnginePlan<A, W>,
  common: WindowOptions<A, R>,
): (sink: WindowSink<A, K, R, W>) => WindowCore<A, K> {
  const { kind, config, local, partial } = plan;
  const trigger = config.trigger as TriggerNode | undefined;
  if (config.allowDataLoss !== true) this.check(common.name, kind, trigger, common.allowedLateness);
  const options = { ...common, evictor: config.evict as EvictorRules<A> | undefined, local, partial };
  const assigner = plan.assigner(this);
  return (sink) => this.build(assigner, trigger, options, sink);
}

/** The core without an interpreter: windows under the default trigger of their assigner, in the core made for it if there is one. */
export const plainEngine: Engine = {
  core,
  check: () => {},
  tumbling,
  build: <A, K, R, W>(
    assigner: AnyAssigner<A, W>,
    _trigger: TriggerNode | undefined,
    options: WindowOptions<A, R>,
    sink: WindowSink<A, K, R, W>,
  ): WindowCore<A, K> =>
    (assigner as { readonly [OWN_CORE]?: OwnCore<W> })[OWN_CORE]?.(assigner, options, sink) ??
    new GeneralCore<A, K, R, W, unknown, unknown>(assigner, defaultTrigger(assigner.kind), options, sink),
};

/** The core with the interpreter of triggers. */
export const triggerEngine: Engine = {
  core,
  check: checkTrigger,
  tumbling,
  build: <A, K, R, W>(
    assigner: AnyAssigner<A, W>,
    trigger: TriggerNode | undefined,
    options: WindowOptions<A, R>,
    sink: WindowSink<A, K, R, W>,
  ): WindowCore<A, K> => {
    const machine = trigger === undefined ? defaultTrigger(assigner.kind) : interpret(trigger);
    return new GeneralCore<A, K, R, W, unknown, unknown>(assigner, machine, options, sink);
  },
};

function defaultTrigger(kind: AnyAssigner<unknown, unknown>['kind']): TriggerMachine<unknown, unknown, unknown> {
  return kind === 'event' ? EVENT_TIME : kind === 'processing' ? PROCESSING_TIME : NEVER;
}

import { asyncScheduler } from 'rxjs';
import type { WindowCore, WindowOptions, WindowSink } from '../../core/WindowCore.js';
import { countersOf } from '../../internal/counters.js';
import { operate } from '../../internal/operate.js';
import { assertMs, refuse } from '../../time/assert.js';
import type { Aggregate } from '../../windows/aggregates/aggregate.js';
import { WindowStage } from './WindowStage.js';
import type { WindowConfig, Windowed } from './windowConfig.js';

/** Checks what all window operators share, and makes the operator around a core. */
export function windowOperator<A, R, K, W>(
  name: string,
  aggregate: Aggregate<A, R>,
  config: WindowConfig<A, K>,
  core: (options: WindowOptions<A, R>, sink: WindowSink<A, K, R, W>) => WindowCore<A, K>,
): Windowed<A, R, K, W> {
  const { allowedLateness = 0, panes = 'accumulating', scheduler = asyncScheduler, lateTo } = config;
  assertMs(name, 'allowedLateness', allowedLateness, 0, true);
  if (panes !== 'accumulating' && panes !== 'discarding') {
    throw refuse(name, 'panes', panes, "'accumulating' or 'discarding'");
  }
  if (typeof aggregate?.create !== 'function')
    throw refuse(name, 'aggregate', aggregate, 'an aggregate, such as aggregates.count()');
  const options: WindowOptions<A, R> = { name, aggregate, allowedLateness, panes };
  return operate((out) => new WindowStage<A, K, R, W>(out, scheduler, countersOf(config), lateTo, (sink) => core(options, sink)));
}

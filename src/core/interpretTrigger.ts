import type { TriggerNode } from '../windows/trigger.js';
import { EVENT_TIME, NEVER, PROCESSING_TIME } from './TriggerMachine.js';
import { AfterAll, AfterFirst, InOrder, Once, OrFinally, Purging, Repeatedly, Timeout, Watermark } from './triggers/composite.js';
import { Custom } from './triggers/custom.js';
import type { Machine } from './triggers/machine.js';
import { Count, Delta, EveryEventTime, EveryProcessingTime, ProcessingDelay } from './triggers/simple.js';

/**
 * Makes a trigger ready to run.
 *
 * A plain trigger fires whenever it is due, as Flink's do. Inside `once`, `repeatedly`, `afterFirst`, `afterAll`, `inOrder`
 * and `orFinally` it is *bare*, as Beam's are: it finishes with its first firing.
 */
export function interpret(node: TriggerNode): Machine {
  switch (node.kind) {
    case 'eventTime':
      return EVENT_TIME;
    case 'processingTime':
      return PROCESSING_TIME;
    case 'never':
      return NEVER;
    case 'afterCount':
      return new Count(node.n);
    case 'afterProcessingTime':
      return new ProcessingDelay(node.delay);
    case 'every':
      return node.clock === 'event'
        ? new EveryEventTime(node.interval, node.repeat)
        : new EveryProcessingTime(node.interval, node.repeat);
    case 'delta':
      return new Delta(node.distance, node.threshold);
    case 'afterWatermark':
      return new Watermark(node.early && interpret(node.early), node.late && interpret(node.late), false);
    case 'custom':
      return new Custom(node.spec);
    case 'purging':
      return new Purging(interpret(node.trigger));
    case 'timeout':
      return new Timeout(interpret(node.trigger), node.after, node.resetOnRecord, node.clearOnTimeout);
    case 'once':
      return bare(node.trigger);
    case 'repeatedly':
      return new Repeatedly(bare(node.trigger));
    case 'orFinally':
      return new OrFinally([bare(node.trigger), bare(node.until)]);
    case 'afterFirst':
      return new AfterFirst(node.triggers.map(bare));
    case 'afterAll':
      return new AfterAll(node.triggers.map(bare));
    case 'inOrder':
      return new InOrder(node.triggers.map(bare));
  }
}

/** The trigger as Beam has it: finished once it has fired. */
function bare(node: TriggerNode): Machine {
  switch (node.kind) {
    case 'once':
    case 'repeatedly':
    case 'orFinally':
    case 'afterFirst':
    case 'afterAll':
    case 'inOrder':
    case 'never':
      return interpret(node); // these say themselves when they finish
    case 'afterWatermark':
      return new Watermark(node.early && interpret(node.early), node.late && interpret(node.late), true);
    default:
      return new Once(interpret(node));
  }
}

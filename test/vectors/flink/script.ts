import type { ProcessContext } from 'tidemark';
import type { Json } from '../json.js';
import { NotYetSupported } from '../outcome.js';
import { fromTime, type Item, type Operator } from './format.js';

type Domain = 'E' | 'P';

/** The scripted process function of the vectors: a record's value, or a timer's name, says what to do with timers. */
export interface Script {
  readonly create: () => undefined;
  readonly onRecord: (item: Item, state: undefined, context: ProcessContext<unknown>) => Json[];
  readonly onTimer: (timestamp: number, state: undefined, context: ProcessContext<unknown>) => Json[];
}

export function scriptOf(spec: Operator): Script {
  const inside = (spec['onTimer'] ?? {}) as Readonly<Record<string, string>>;
  return {
    create: () => undefined,
    onRecord(item, _state, context) {
      run(String(item.value), context);
      return [{ key: context.key, element: item.value, ...clocks(context) }];
    },
    onTimer(timestamp, _state, context) {
      const domain: Domain = context.timestamp === timestamp ? 'E' : 'P';
      run(inside[`${domain}${fromTime(timestamp)}`] ?? '', context);
      const name = domain === 'E' ? 'event' : 'processing';
      return [{ key: context.key, timer: fromTime(timestamp), domain: name, ...clocks(context) }];
    },
  };
}

function clocks(context: ProcessContext<unknown>): Json {
  return { currentWatermark: fromTime(context.watermark), currentProcessingTime: context.now() };
}

function run(commands: string, { timers }: ProcessContext<unknown>): void {
  for (const command of commands.split(',')) {
    if (command === 'S') throw new NotYetSupported('side outputs of scripts');
    const [, domain, sign, text = ''] = /^([EP])([+-])(.+)$/.exec(command) ?? [];
    if (domain === undefined) continue;
    const time = text === 'MAX' ? Infinity : Number(text);
    if (domain === 'E') (sign === '+' ? timers.eventTime : timers.cancelEventTime)(time);
    else (sign === '+' ? timers.processingTime : timers.cancelProcessingTime)(time);
  }
}

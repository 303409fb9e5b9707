import {
  type Aggregate,
  aggregates,
  type MergeableAggregate,
  type MergeableAggregateSpec,
  type TimeWindow,
  type WindowProcess,
} from 'tidemark';
import type { Json } from '../json.js';
import { NotYetSupported } from '../outcome.js';
import { fromTime, type Item } from './format.js';

/** The aggregates, one line each: over the values of the records, mergeable as Flink's are. */
const AGGREGATES: Readonly<Record<string, () => MergeableAggregate<Item, unknown>>> = {
  list: () => overValues(aggregates.collect()),
  sum: () => aggregates.sum(numberOf),
  count: () => aggregates.count(),
  avg: () => aggregates.mean(numberOf),
  max: () => overValues(aggregates.reduce((left, right) => (Number(right) > Number(left) ? right : left))),
  reduceTrace: () => overValues(aggregates.reduce<unknown>((left, right) => `(${left}+${right})`)),
  trace: () => overValues(TRACE),
};

/** The aggregate of this name. */
export function aggregateOf(name: string): Aggregate<Item, unknown> {
  const make = AGGREGATES[name];
  if (make === undefined) throw new NotYetSupported(`the aggregate ${name}`);
  return make();
}

/** What the window function `context` gives: the list, what it sees, and what it has counted. */
export interface Contextual {
  readonly value: unknown;
  readonly context: Json;
}
interface Counter {
  n: number | null;
}
const counter = (): Counter => ({ n: null });

/** The window function `context`; `cleared` is its side output. */
export function contextProcess(
  cleared: (item: Json) => void,
): WindowProcess<unknown, Contextual, unknown, TimeWindow, Counter, Counter> {
  return {
    windowState: counter,
    keyState: counter,
    onPane(value, context, windowState, keyState) {
      windowState.n = (windowState.n ?? 0) + 1;
      keyState.n = (keyState.n ?? 0) + 1;
      const seen = { currentWatermark: fromTime(context.watermark), currentProcessingTime: context.now() };
      return [{ value, context: { ...seen, windowFires: windowState.n, keyFires: keyState.n } }];
    },
    // Flink stamps what the clear puts out with the time of the window
    onClear: ({ window }, { n }) => cleared({ side: { tag: 'cleared', window, windowFires: n, timestamp: window.end - 1 } }),
  };
}

const TRACE: MergeableAggregateSpec<unknown, string, string> = {
  create: () => '',
  add: (trace, value) => `${trace}${value},`,
  merge: (left, right) => left + right,
  result: (trace) => `<${trace}>`,
};

function overValues(aggregate: MergeableAggregate<unknown, unknown>): MergeableAggregate<Item, unknown> {
  return {
    ...aggregate,
    add: (state, item, timestamp) => aggregate.add(state, item.value, timestamp),
  };
}

function numberOf(item: Item): number {
  return item.value as number;
}

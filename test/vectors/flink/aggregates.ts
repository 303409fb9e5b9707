import { type Aggregate, aggregates, type MergeableAggregate, type MergeableAggregateSpec } from 'tidemark';
import { NotYetSupported } from '../outcome.js';
import type { Item } from './format.js';

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

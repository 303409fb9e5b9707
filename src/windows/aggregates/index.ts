export type { Aggregate, AggregateSpec, MergeableAggregate, MergeableAggregateSpec } from './aggregate.js';
export { collect } from './collect.js';
export { fold, foldMap } from './fold.js';
export { count, max, mean, min, sum } from './numeric.js';
export { first, last, maxBy, minBy, reduce } from './selection.js';
export { struct } from './struct.js';
export { contramapInput, mapResult } from './transform.js';

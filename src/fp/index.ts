/**
 * fp-ts instances, a module for each type as in fp-ts itself.
 *
 * ```ts
 * import { streamElement } from 'tidemark/fp';
 * ```
 *
 * @since 0.1.0
 */
export * as eventStream from './EventStream.js';
export * as mergeableAggregate from './MergeableAggregate.js';
export * as streamElement from './StreamElement.js';
export * as watermarkStrategy from './WatermarkStrategy.js';

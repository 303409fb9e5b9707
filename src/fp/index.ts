/**
 * fp-ts instances, a module for each type as in fp-ts itself.
 *
 * ```ts
 * import { streamElement } from 'tidemark/fp';
 *
 * pipe(
 *   record(1, 5),
 *   streamElement.map((n) => n + 1),
 * ); // record(2, 5)
 * ```
 *
 * @since 0.1.0
 */
export * as eventStream from './EventStream.js';
export * as mergeableAggregate from './MergeableAggregate.js';
export * as streamElement from './StreamElement.js';
export * as watermarkStrategy from './WatermarkStrategy.js';

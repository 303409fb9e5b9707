export { count, delta, type EvictorConfig, time } from './evictors.js';

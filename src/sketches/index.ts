export { type ApproxDistinctConfig, approxDistinct } from './approxDistinct.js';
export { histogram } from './histogram.js';
export { type QuantilesConfig, quantiles } from './quantiles.js';

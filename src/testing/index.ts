export { ManualScheduler, type ManualSchedulerConfig } from './ManualScheduler.js';
export { show } from './show.js';

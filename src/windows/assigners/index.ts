export { type AssignerConfig, type TumblingAssigner, tumbling } from './tumbling.js';

export { type TumblingAssigner, tumbling } from './tumbling.js';

export { type CumulativeAssigner, cumulative } from './cumulative.js';
export { type GlobalAssigner, type GlobalWindow, global } from './global.js';
export { dynamicSession, type SessionAssigner, type SessionConfig, session } from './session.js';
export { type SlidingAssigner, sliding } from './sliding.js';
export { type TumblingAssigner, tumbling } from './tumbling.js';

/// <reference types="node" />
// sources and sinks of Node
export { fromLines, type LinesConfig } from './fromLines.js';
export { fromReadable } from './fromReadable.js';
export { type LineError, LineParseError } from './LineParseError.js';
export type { PullConfig } from './PulledStage.js';
export { type PacedSink, paced } from './paced.js';

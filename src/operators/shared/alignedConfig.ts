import type { GridConfig } from '../../windows/grid.js';
import type { WindowConfig } from './windowConfig.js';

/** The config of windows on a grid. */
export interface AlignedConfig<A, K> extends WindowConfig<A, K>, GridConfig {}

import type { AlignmentGate } from './AlignmentGate.js';
import type { WatermarkMerger } from './WatermarkMerger.js';

/** Where an alignment keeps the gate that it works by: a union without one does not carry it. */
export const GATE: unique symbol = Symbol.for('tidemark.gate');

/** An alignment as unions use it. */
export interface GateKeeper {
  [GATE]<E>(merger: WatermarkMerger): AlignmentGate<E>;
}

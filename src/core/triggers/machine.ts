import type { TriggerContext, TriggerResult } from '../../windows/trigger.js';
import type { TriggerEvent, TriggerMachine } from '../TriggerMachine.js';

// What the machines of all triggers share.

export type Context = TriggerContext<unknown>;
/** What happened: a value, or the time that was reached. */
// biome-ignore lint/suspicious/noExplicitAny: which of the two it is, `what` says
export type At = any;
// biome-ignore lint/suspicious/noExplicitAny: the states of a tree of triggers have nothing in common
export type Machine = TriggerMachine<unknown, unknown, any>;

/** A machine that never finishes by itself. */
export abstract class Endless<T> implements TriggerMachine<unknown, unknown, T> {
  abstract create(): T;
  abstract on(what: TriggerEvent, at: At, state: T, context: Context): TriggerResult;
  abstract merge(states: ReadonlyArray<T>, context: Context): T;
  finished(): boolean {
    return false;
  }
}

export function fires(result: TriggerResult): boolean {
  return result === 'fire' || result === 'fireAndPurge';
}

/** Two results at the same moment: all that one of them asks for. */
export function both(a: TriggerResult, b: TriggerResult): TriggerResult {
  const purge = a === 'purge' || b === 'purge' || a === 'fireAndPurge' || b === 'fireAndPurge';
  if (fires(a) || fires(b)) return purge ? 'fireAndPurge' : 'fire';
  return purge ? 'purge' : 'continue';
}

export function earliest(states: ReadonlyArray<{ readonly at: number | null }>): number | null {
  let at: number | null = null;
  for (const state of states) if (state.at !== null && (at === null || state.at < at)) at = state.at;
  return at;
}

/** What became of a case. */
export type Outcome =
  | { readonly status: 'passed' }
  | { readonly status: 'failed'; readonly difference: string }
  | { readonly status: 'notYetSupported'; readonly reason: string }
  | { readonly status: 'notExpressible'; readonly reason: string };

/** Thrown by an adapter: the toolkit will be able to say this, it can't yet. */
export class NotYetSupported extends Error {}

/** Thrown by an adapter: an event-time toolkit can't say this, for a reason that stands in docs/parity.md. */
export class NotExpressible extends Error {}

/** What is different, in lines; `undefined` if nothing is. */
export type Difference = string | undefined;

/** Runs a comparison; what it throws is an outcome too. */
export function outcomeOf(compare: () => Difference): Outcome {
  try {
    const difference = compare();
    return difference === undefined ? { status: 'passed' } : { status: 'failed', difference };
  } catch (cause) {
    if (cause instanceof NotYetSupported) return { status: 'notYetSupported', reason: cause.message };
    if (cause instanceof NotExpressible) return { status: 'notExpressible', reason: cause.message };
    return { status: 'failed', difference: `threw ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}` };
  }
}

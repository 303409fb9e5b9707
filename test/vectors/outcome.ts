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

/** What the streams of the case under way have failed with: all of them run while it is compared. */
const failures: unknown[] = [];

/**
 * What adapters subscribe with: what a stream fails with, or `next` throws, is the outcome of the case. RxJS would report it
 * later, outside of any case.
 */
export function listener<T>(next: (value: T) => void): { next(value: T): void; error(cause: unknown): void } {
  const error = (cause: unknown): void => void failures.push(cause);
  return {
    next(value) {
      try {
        next(value);
      } catch (cause) {
        error(cause);
      }
    },
    error,
  };
}

/** Runs a comparison; what it throws, or a stream in it fails with, is an outcome too. */
export function outcomeOf(compare: () => Difference): Outcome {
  failures.length = 0;
  try {
    const difference = compare();
    if (failures.length > 0) throw failures[0];
    return difference === undefined ? { status: 'passed' } : { status: 'failed', difference };
  } catch (cause) {
    if (cause instanceof NotYetSupported) return { status: 'notYetSupported', reason: cause.message };
    if (cause instanceof NotExpressible) return { status: 'notExpressible', reason: cause.message };
    return { status: 'failed', difference: `threw ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}` };
  }
}

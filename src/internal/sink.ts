import type { Observer } from 'rxjs';

/** Where an operator puts what is not a result: an observer, of which it needs only some methods, or a function. */
export type Sink<A> = Partial<Observer<A>> | ((value: A) => void);

/** A side output knows who feeds it: see `sideOutput`. */
export const PRODUCER: unique symbol = Symbol.for('tidemark.producer');

/** How a side output ends, or several that do so together. */
export interface Ending {
  error(cause: unknown): void;
  complete(): void;
  /** Unsubscribed before the end. */
  release(): void;
}

/** One operator feeding a sink, from its subscription to its end. */
export interface Producer<A> extends Ending {
  next(value: A): void;
}

/** Opens a sink for one subscription. A sink that throws is user code: the throw reaches the caller. */
export function openSink<A>(sink: Sink<A> | undefined): Producer<A> | null {
  if (sink === undefined) return null;
  const own = (sink as { [PRODUCER]?: () => Producer<A> })[PRODUCER];
  if (own !== undefined) return own.call(sink);
  const to = typeof sink === 'function' ? { next: sink } : (sink as Partial<Observer<A>>);
  return {
    next: (value) => to.next?.(value),
    error: (cause) => to.error?.(cause),
    complete: () => to.complete?.(),
    release() {},
  };
}

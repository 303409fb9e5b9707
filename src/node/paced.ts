import type { Observer } from 'rxjs';
import { assertFunction } from '../time/assert.js';

/**
 * An observer that consumes at its own speed, and can say when it is ready for more.
 *
 * @category interop
 * @since 0.1.0
 */
export interface PacedSink<A> extends Observer<A> {
  /** Resolves when nothing waits any more; `undefined` if nothing does. Hand it to `fromLines` or `fromReadable`. */
  readonly ready: () => Promise<void> | undefined;
  /** Resolves when everything up to completion has been consumed; rejects with the first error, of the stream or of `consume`. */
  readonly done: Promise<void>;
}

/**
 * A sink whose work takes time: it consumes one value after the other, and holds its source back meanwhile.
 *
 * RxJS pushes and knows no backpressure. So this goes past it: the source asks `ready` before it reads on, and between the
 * two there may be any operators. What one value causes is kept (a watermark may fire many windows at once), never more.
 *
 * **State**: values that wait for the one in work. **Completion and errors**: `done` tells, and rejects unhandled if nobody
 * listens. When `consume` throws or rejects, `ready` rejects too, which ends the source.
 *
 * ```ts
 * import { Readable } from 'node:stream';
 * import { setTimeout } from 'node:timers/promises';
 *
 * const rows = paced(async (row: string) => {
 *   await setTimeout(1); // a database, say
 *   console.log('stored', row);
 * });
 * fromLines(() => Readable.from(['a\nb\n']), (text) => text, { ready: rows.ready }).subscribe(rows);
 * await rows.done;
 * // stored a
 * // stored b
 * ```
 *
 * @param consume called with one value at a time; the promise it gives, if any, is waited for.
 * @throws TypeError at once, if `consume` is no function.
 * @category interop
 * @since 0.1.0
 */
export function paced<A>(consume: (value: A) => unknown): PacedSink<A> {
  assertFunction('paced', 'consume', consume);
  return new Paced(consume);
}

class Paced<A> implements PacedSink<A> {
  readonly done: Promise<void>;
  private settle: { resolve(): void; reject(cause: unknown): void } = { resolve: nothing, reject: nothing };
  private waiting: A[] = [];
  private busy = false;
  private completed = false;
  private over = false;
  private idle: { promise: Promise<void>; resolve(): void; reject(cause: unknown): void } | null = null;

  constructor(private readonly consume: (value: A) => unknown) {
    this.done = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
  }

  readonly next = (value: A): void => {
    if (this.over || this.completed) return;
    this.waiting.push(value);
    if (!this.busy) this.work();
  };
  readonly complete = (): void => {
    this.completed = true;
    if (!this.busy) this.work();
  };
  readonly error = (cause: unknown): void => {
    if (this.over) return;
    this.over = true;
    this.waiting = [];
    this.settle.reject(cause);
    this.idle?.reject(cause);
    this.idle = null;
  };

  readonly ready = (): Promise<void> | undefined => {
    if (this.over && !this.completed) return this.done; // has failed: the source shall hear of it
    if (!this.busy) return undefined;
    this.idle ??= deferred();
    return this.idle.promise;
  };

  private readonly work = (): void => {
    this.busy = true;
    try {
      // the list may grow meanwhile
      for (let i = 0; i < this.waiting.length; i++) {
        const pending = this.consume(this.waiting[i] as A);
        if (isPromiseLike(pending)) {
          this.waiting.splice(0, i + 1);
          pending.then(this.work, this.error);
          return;
        }
      }
    } catch (cause) {
      this.error(cause);
      return;
    }
    this.waiting = [];
    this.busy = false;
    this.idle?.resolve();
    this.idle = null;
    if (this.completed && !this.over) {
      this.over = true;
      this.settle.resolve();
    }
  };
}

function deferred(): { promise: Promise<void>; resolve(): void; reject(cause: unknown): void } {
  let resolve: () => void = nothing;
  let reject: (cause: unknown) => void = nothing;
  const promise = new Promise<void>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
}

function nothing(): void {}

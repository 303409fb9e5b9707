import { Observable, type Observer, type OperatorFunction, type Subscriber, Subscription } from 'rxjs';
import type { Ending } from './sink.js';

// The phases of a stage. One comparison with READY guards the hot path.
export const READY = 0;
export const BUSY = 1; // inside a step: what comes in now waits
export const PENDING = 2; // inside a step, and others wait
const DONE = 3; // ended, failed or unsubscribed

/**
 * One operator at work for one subscriber.
 *
 * RxJS takes whatever is an Observer and a Subscription for a Subscriber: the source pushes straight into the stage, with
 * no wrapper between and none of RxJS's internals in use. Everything that happens to a stage (elements of any input,
 * ticks, timers, errors, the end) is a *step*: user code in it is guarded (C1), and a step that begins inside another one
 * waits for its end (C2). Unsubscribing alone is immediate.
 */
export abstract class Stage<A, B> extends Subscription implements Observer<A> {
  phase = READY as number; // further inputs have the guard as well, see `listen`
  private ended = false; // the source has completed or failed, perhaps in a step that still waits
  private waiting: Array<() => void> | null = null; // re-entrant steps; exists only while there are some
  private draining = false; // they have their turn
  /** What is not a result goes here: it fails with the stage, and is let go with it. Its end is the stage's to tell. */
  protected side: Ending | null = null;

  constructor(protected readonly out: Subscriber<B>) {
    super();
  }

  protected abstract onNext(value: A): void;
  /** The source has completed: flush, then `finish()`, now or later. */
  protected onEnd(): void {
    this.finish();
  }
  /** The source is subscribed and has not ended at once: start ticks and timers. */
  onStart(): void {}
  /** Ended, failed or unsubscribed: let go of what is held. Called once. */
  protected onFree(): void {}

  /**
   * A step for each element of the source.
   *
   * The stages that records pass one by one override it, the same guard around their own work (a test compares them): an
   * engine learns the shapes of `this` per function, and one function for all stages would meet too many. (Measured: three
   * stages at 0.93 of stock operators with one function for all, at 0.53 so.)
   */
  next(value: A): void {
    if (this.phase !== READY) {
      this.deferNext(value);
      return;
    }
    this.phase = BUSY;
    try {
      this.onNext(value);
    } catch (cause) {
      this.fail(cause);
    }
    if (this.phase === BUSY) this.phase = READY;
    else this.drain();
  }

  error(cause: unknown): void {
    if (this.ended) return;
    this.ended = true;
    this.abort(cause);
  }

  complete(): void {
    if (this.ended) return;
    this.ended = true;
    this.step(() => this.onEnd());
  }

  /** Fails after the current step, also when the source has completed already. */
  abort(cause: unknown): void {
    this.step(() => this.fail(cause));
  }

  /** Does `work` as a step: at once, or after the step in which it was asked for. */
  step(work: () => void): void {
    if (this.phase === DONE) return;
    this.waiting ??= [];
    this.waiting.push(work);
    if (this.phase === READY) this.drain();
    else this.phase = PENDING;
  }

  /** Nothing more will come out. */
  protected finish(): void {
    if (this.phase === DONE) return;
    this.phase = DONE;
    this.out.complete();
    this.unsubscribe();
  }

  override unsubscribe(): void {
    if (this.closed) return;
    this.phase = DONE;
    this.waiting = null;
    super.unsubscribe();
    this.side?.release();
    this.onFree();
  }

  // methods of their own: a closure in `next` would allocate its context for every element
  protected deferNext(value: A): void {
    if (!this.ended) this.step(() => this.onNext(value));
  }
  /** What `deferNext` is to a stage whose work is in `record`. */
  protected defer(value: unknown, timestamp: number, key: unknown): void {
    if (this.ended) return;
    this.step(() => {
      this.phase = READY; // it has its turn
      this.record(value, timestamp, key);
    });
  }

  /** A record from the stage before, in pieces (see `Outlet`). Here for the stages that want an element. */
  record(value: unknown, timestamp: number, key: unknown): void {
    this.next({ _tag: 'Record', value, timestamp, key } as A);
  }

  /** Does the steps that wait, and those that come meanwhile. */
  drain(): void {
    if (this.phase === DONE || this.draining) return;
    this.draining = true;
    try {
      // the list may grow meanwhile, and is null once the stage is done
      for (let i = 0; this.waiting !== null && i < this.waiting.length; i++) {
        this.phase = PENDING;
        (this.waiting[i] as () => void)();
      }
    } catch (cause) {
      this.fail(cause);
      return;
    }
    this.draining = false;
    this.waiting = null;
    if (this.phase !== DONE) this.phase = READY;
  }

  fail(cause: unknown): void {
    if (this.phase === DONE) return;
    this.phase = DONE;
    let error = cause;
    try {
      this.side?.error(cause);
    } catch (second) {
      error = second; // a side output's own error handler has thrown: user code too
    }
    this.out.error(error);
    this.unsubscribe();
  }
}

/** The operator whose every subscription is a stage of its own. A throw of `build` becomes an error notification. */
export function operate<A, B>(build: (out: Subscriber<B>) => Stage<A, B>): OperatorFunction<A, B> {
  return (source) =>
    new Observable<B>((out) => {
      const stage = build(out);
      out.add(stage); // not in the constructor: a closed `out` would call unsubscribe before the fields exist
      source.subscribe(stage);
      if (!stage.closed) stage.onStart();
    });
}

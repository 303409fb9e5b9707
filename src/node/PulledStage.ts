import { finished, type Readable } from 'node:stream';
import type { Subscriber } from 'rxjs';
import { Stage } from '../internal/operate.js';

/** How a Node stream is read. */
export interface PullConfig {
  /**
   * Asked before each value is put out and before each chunk is read: what it gives is waited for, `undefined` is "go on". A
   * rejection is an error of the stream. Default: as fast as the subscriber's functions return. `paced(…).ready` is one.
   */
  readonly ready?: () => PromiseLike<unknown> | undefined;
}

/**
 * Reads a Node stream by pulling: it takes a chunk when what came before has been put out and consumed, so that never more
 * waits than the chunk in hand and what the stream itself buffers (its high-water mark). Between two turns, of a chunk each
 * or of the objects that lie ready, the event loop goes round, for ticks and timers and others' work.
 */
export abstract class PulledStage<B> extends Stage<never, B> {
  private stream: NodeJS.ReadableStream | null = null;
  private read = false; // to its end
  private resting: NodeJS.Immediate | null = null; // between two turns
  private held = false; // the consumer isn't ready
  private granted = false; // it has become ready, and need not be asked again

  constructor(
    out: Subscriber<B>,
    private readonly input: () => NodeJS.ReadableStream,
    private readonly ready: PullConfig['ready'],
  ) {
    super(out);
  }

  /** The next chunk, when `putOne` has found nothing more in the one before. */
  protected abstract take(chunk: unknown): void;
  /** Puts out one value of the chunk in hand; false if there is none left. */
  protected abstract putOne(): boolean;
  /** Puts out what the end of the stream completes. */
  protected putRest(): void {}

  protected onNext(): void {} // a source has no input

  override onStart(): void {
    this.step(this.begin);
  }
  private readonly begin = (): void => {
    const stream = this.input();
    this.stream = stream;
    // it leaves its listener for errors behind: one that comes after the end is nobody's any more, and must not be thrown
    finished(stream, { writable: false }, (cause) => {
      if (cause) {
        this.abort(cause);
      } else {
        this.read = true;
        this.wake();
      }
    });
    stream.on('readable', this.wake);
  };

  private readonly wake = (): void => {
    if (this.resting === null && !this.held) this.step(this.turn);
  };
  private readonly goOn = (): void => {
    this.resting = null;
    this.step(this.turn);
  };
  private readonly grant = (): void => {
    this.held = false;
    this.granted = true;
    this.step(this.turn);
  };

  private readonly turn = (): void => {
    const { stream } = this;
    if (stream === null) return;
    const { readableObjectMode, readableLength } = stream as Partial<Readable>;
    let chunks = readableObjectMode ? Math.max(1, readableLength as number) : 1;
    while (this.isReady()) {
      if (this.putOne()) {
        if (this.closed) return;
      } else if (chunks-- === 0) {
        this.resting = setImmediate(this.goOn);
        return;
      } else {
        const chunk: unknown = stream.read();
        if (chunk !== null) {
          this.take(chunk);
        } else {
          // it will say 'readable' again, or end; the end comes with the last chunk, which may not have been consumed then
          if (this.read) this.complete();
          return;
        }
      }
    }
  };

  private isReady(): boolean {
    const wait = this.granted ? undefined : this.ready?.();
    this.granted = false;
    if (wait === undefined) return true;
    this.held = true;
    wait.then(this.grant, (cause) => this.abort(cause));
    return false;
  }

  protected override onEnd(): void {
    this.putRest();
    if (this.closed) return;
    this.side?.complete();
    this.finish();
  }

  protected override onFree(): void {
    const { stream } = this;
    this.stream = null;
    if (this.resting !== null) clearImmediate(this.resting);
    if (stream === null) return;
    stream.off('readable', this.wake);
    // one that has ended closes by itself; the other half of a duplex may still be in use
    if (!this.read) (stream as { destroy?: () => void }).destroy?.();
  }
}

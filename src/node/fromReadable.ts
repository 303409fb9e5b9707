import { NEVER, type Observable } from 'rxjs';
import { operate } from '../internal/operate.js';
import { assertFunction } from '../time/assert.js';
import { type PullConfig, PulledStage } from './PulledStage.js';

/**
 * The chunks of a Node stream, such as the objects that a parser puts out.
 *
 * **Time**: none yet: `assignWatermarks` comes next. The stream is *pulled*: an object is read when the one before has been
 * consumed, so no more is ahead of the consumer than the stream itself buffers, its high-water mark (16 objects by default)
 * and one. A consumer that works on after its `next` has returned says so by `ready`: see {@link paced}.
 * **State**: one chunk. Each subscription calls `input` for a stream of its own.
 * **Completion and errors**: completes with the stream. An error of the stream passes at once, and so does its closing early.
 * Unsubscription destroys the stream; one that other streams feed should be tied to them by Node's `pipeline`.
 *
 * ```ts
 * import { Readable } from 'node:stream';
 *
 * fromReadable<string>(() => Readable.from(['a', 'b', 'c'])); // 'a', 'b', 'c'
 * ```
 *
 * @param input makes the stream: anything with Node's paused mode (`read` and `'readable'`).
 * @throws TypeError at once, if `input` or `ready` is no function.
 * @category interop
 * @since 0.1.0
 */
export function fromReadable<A>(input: () => NodeJS.ReadableStream, config: PullConfig = {}): Observable<A> {
  assertFunction('fromReadable', 'input', input);
  if (config.ready !== undefined) assertFunction('fromReadable', 'ready', config.ready);
  return NEVER.pipe(operate((out) => new ReadableStage<A>(out, input, config.ready)));
}

class ReadableStage<A> extends PulledStage<A> {
  private full = false;
  private chunk: A | undefined = undefined;

  protected take(chunk: unknown): void {
    this.chunk = chunk as A;
    this.full = true;
  }
  protected putOne(): boolean {
    if (!this.full) return false;
    const chunk = this.chunk as A;
    this.full = false;
    this.chunk = undefined;
    this.out.next(chunk);
    return true;
  }
}

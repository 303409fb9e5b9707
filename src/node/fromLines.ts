import { StringDecoder } from 'node:string_decoder';
import { NEVER, type Observable, type Subscriber } from 'rxjs';
import { show } from '../element/errors.js';
import { operate } from '../internal/operate.js';
import { openSink, type Producer, type Sink } from '../internal/sink.js';
import { assertFunction } from '../time/assert.js';
import { type LineError, LineParseError } from './LineParseError.js';
import { type PullConfig, PulledStage } from './PulledStage.js';

/** How lines are read, and where bad ones go. */
export interface LinesConfig extends PullConfig {
  /** Where lines go that do not parse; default nowhere: the first one is an error. */
  readonly dropTo?: Sink<LineError>;
}

/**
 * The parsed lines of a byte stream, such as a file or a socket.
 *
 * A line ends with LF or CRLF; the last one may end with the stream. Bytes are UTF-8, however the chunks cut them; a byte
 * order mark at the start is left out. Empty lines are lines.
 *
 * **Time**: none yet: `assignWatermarks` comes next. The stream is *pulled*: a chunk is read when the lines of the one before
 * have been put out, so at most two chunks are ahead of the consumer, the one in hand and one that the stream has buffered
 * (if its chunks are as large as its high-water mark, as those of files are). RxJS itself pushes, so a consumer that works on
 * after its `next` has returned says so by `ready`: see {@link paced}.
 * **State**: the chunk in hand, and the beginning of an unfinished line, however long. Each subscription calls `input` for a
 * stream of its own.
 * **Completion and errors**: completes with the stream, after its last line. An error of the stream passes at once, and so
 * does its closing early. Unsubscription destroys the stream.
 *
 * ```ts
 * import { Readable } from 'node:stream';
 *
 * // a file would be () => createReadStream('readings.csv')
 * fromLines(() => Readable.from(['1000,', '20\n2000,22\n']), (text) => text.split(',').map(Number)); // [1000, 20], [2000, 22]
 * ```
 *
 * @param input makes the stream: anything with Node's paused mode (`read` and `'readable'`); one with an encoding set is
 * read as text.
 * @param parse a line without its newline, and its number, from 1. A throw means that it does not parse.
 * @throws TypeError at once, if `input`, `parse` or `ready` is no function. Errors in the stream: `LineParseError` for a
 * line that does not parse, unless `dropTo` is given.
 * @category interop
 * @since 0.1.0
 */
export function fromLines<A>(
  input: () => NodeJS.ReadableStream,
  parse: (text: string, line: number) => A,
  config: LinesConfig = {},
): Observable<A> {
  assertFunction('fromLines', 'input', input);
  assertFunction('fromLines', 'parse', parse);
  if (config.ready !== undefined) assertFunction('fromLines', 'ready', config.ready);
  return NEVER.pipe(operate((out) => new LinesStage(out, input, parse, config)));
}

class LinesStage<A> extends PulledStage<A> {
  private readonly decoder = new StringDecoder('utf8');
  private readonly dropTo: Producer<LineError> | null;
  private text = ''; // the chunk in hand
  private at = 0; // where its next line begins
  private open = ''; // the beginning of a line that the next chunk goes on with
  private line = 0;

  constructor(
    out: Subscriber<A>,
    input: () => NodeJS.ReadableStream,
    private readonly parse: (text: string, line: number) => A,
    config: LinesConfig,
  ) {
    super(out, input, config.ready);
    this.side = this.dropTo = openSink(config.dropTo);
  }

  protected take(chunk: unknown): void {
    if (typeof chunk === 'string') this.text = chunk;
    else if (chunk instanceof Uint8Array)
      this.text = this.decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
    else throw new TypeError(`fromLines: a chunk is ${show(chunk)}, it must be bytes or text`);
    this.at = 0;
  }

  protected putOne(): boolean {
    const end = this.text.indexOf('\n', this.at);
    if (end === -1) {
      // the search never looks at `open` again, so a line of many chunks costs no more than its length
      this.open += this.text.slice(this.at);
      this.text = '';
      this.at = 0;
      return false;
    }
    const line = this.open + this.text.slice(this.at, end);
    this.open = '';
    this.at = end + 1;
    this.put(line.endsWith('\r') ? line.slice(0, -1) : line);
    return true;
  }

  protected override putRest(): void {
    const line = this.open + this.decoder.end();
    this.open = '';
    if (line !== '') this.put(line);
  }

  private put(raw: string): void {
    this.line++;
    const text = this.line === 1 && raw.charCodeAt(0) === 0xfeff ? raw.slice(1) : raw;
    let value: A;
    try {
      value = this.parse(text, this.line);
    } catch (cause) {
      if (this.dropTo === null) throw new LineParseError(this.line, text, cause);
      this.dropTo.next({ line: this.line, text, cause });
      return;
    }
    this.out.next(value);
  }
}

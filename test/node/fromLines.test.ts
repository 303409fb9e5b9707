import { Readable } from 'node:stream';
import { firstValueFrom, lastValueFrom, type Observable, Subject, take, toArray } from 'rxjs';
import { sideOutput, TidemarkError } from 'tidemark';
import { fromLines, type LineError, LineParseError } from 'tidemark/node';
import { describe, expect, it } from 'vitest';

const text = (line: string): string => line;
const all = <A>(source: Observable<A>): Promise<A[]> => lastValueFrom(source.pipe(toArray()), { defaultValue: [] });

/** A byte stream that hands over exactly these chunks. One that pushed while it is asked would hand over two at a time. */
function bytes(...chunks: ReadonlyArray<string | Uint8Array>): () => Readable {
  return () => {
    let next = 0;
    return new Readable({
      highWaterMark: 1,
      read() {
        const chunk = chunks[next++];
        setImmediate(() => this.push(chunk === undefined ? null : Buffer.from(chunk as string)));
      },
    });
  };
}

function numbers(line: string): number {
  const n = Number(line);
  if (line === '' || Number.isNaN(n)) throw new RangeError(`${line} is no number`);
  return n;
}

describe('fromLines', () => {
  it('gives one value a line, with its number from 1', async () => {
    expect(await all(fromLines(bytes('a\nb\nc\n'), (line, number) => `${number}${line}`))).toEqual(['1a', '2b', '3c']);
  });

  it('gives the last line without its newline too', async () => {
    expect(await all(fromLines(bytes('a\nb'), text))).toEqual(['a', 'b']);
  });

  it('never: subscribed to a stream that says nothing, it is silent until unsubscribed', async () => {
    const seen: unknown[] = [];
    const stream = new Readable({ read: () => {} });
    const subscription = fromLines(() => stream, text).subscribe({
      next: (value) => seen.push(value),
      error: (cause) => seen.push(cause),
      complete: () => seen.push('complete'),
    });
    await new Promise((resolve) => setImmediate(resolve));
    subscription.unsubscribe();
    expect([seen, stream.destroyed]).toEqual([[], true]);
  });

  it('completes without a value for an empty stream', async () => {
    expect(await all(fromLines(bytes(), text))).toEqual([]);
  });

  it('passes empty lines to parse, and no line after the last newline', async () => {
    expect(await all(fromLines(bytes('\n\na\n\n'), text))).toEqual(['', '', 'a', '']);
  });

  it('puts lines together again that were cut at a chunk border', async () => {
    expect(await all(fromLines(bytes('on', 'e\ntw', '', 'o\nth', 're', 'e'), text))).toEqual(['one', 'two', 'three']);
  });

  it('takes CRLF for a newline, also when cut between CR and LF; a CR inside a line stays', async () => {
    expect(await all(fromLines(bytes('a\r\nb\r', '\nc\rd\r\n'), text))).toEqual(['a', 'b', 'c\rd']);
  });

  it('decodes UTF-8 across chunk borders, at any cut', async () => {
    const encoded = Buffer.from('zäh\n日本\n🦀');
    for (let cut = 0; cut <= encoded.length; cut++) {
      const lines = await all(fromLines(bytes(encoded.subarray(0, cut), encoded.subarray(cut)), text));
      expect(lines).toEqual(['zäh', '日本', '🦀']);
    }
  });

  it('drops a byte order mark, at the start only', async () => {
    expect(await all(fromLines(bytes('\uFEFFa\n\uFEFFb'), text))).toEqual(['a', '\uFEFFb']);
  });

  it('takes streams that give strings', async () => {
    expect(await all(fromLines(() => Readable.from(['a\nb', 'c\n']), text))).toEqual(['a', 'bc']);
    expect(await all(fromLines(() => bytes('ä\nb')().setEncoding('latin1'), text))).toEqual(['Ã¤', 'b']);
  });

  it('refuses chunks that are neither bytes nor text', async () => {
    await expect(all(fromLines(() => Readable.from([{ a: 1 }]), text))).rejects.toThrow(
      'fromLines: a chunk is {"a":1}, it must be bytes or text',
    );
  });

  it('fails at a line that does not parse, naming its number and text; the lines before it are out', async () => {
    const seen: number[] = [];
    const failure = await new Promise<unknown>((resolve) => {
      fromLines(bytes('1\n2\nx7\n4\n'), numbers).subscribe({ next: (n) => seen.push(n), error: resolve });
    });
    expect(seen).toEqual([1, 2]);
    expect(failure).toBeInstanceOf(LineParseError);
    expect(failure).toBeInstanceOf(TidemarkError);
    expect(failure).toMatchObject({
      _tag: 'LineParse',
      name: 'LineParseError',
      line: 3,
      text: 'x7',
      cause: new RangeError('x7 is no number'),
      message: 'fromLines: line 3 does not parse: "x7" (RangeError: x7 is no number)',
    });
  });

  it('shows in the message what parse threw, also if that is no Error', async () => {
    const source = fromLines(bytes('1'), () => {
      throw 'not today';
    });
    await expect(all(source)).rejects.toThrow('fromLines: line 1 does not parse: "1" ("not today")');
  });

  it('stops at the last line without a newline too, if that was enough', async () => {
    const bad = sideOutput<LineError>();
    let completed = false;
    bad.subscribe({
      complete: () => {
        completed = true;
      },
    });
    expect(await all(fromLines(bytes('a'), text, { dropTo: bad }).pipe(take(1)))).toEqual(['a']);
    expect(completed).toBe(false); // unsubscribed, as far as the source knows
  });

  it('puts lines that do not parse to dropTo, and loses nothing else', async () => {
    const bad = sideOutput<LineError>();
    const dropped = firstValueFrom(bad.pipe(toArray()));
    expect(await all(fromLines(bytes('1\nx\n\n4\nlast'), numbers, { dropTo: bad }))).toEqual([1, 4]);
    expect(await dropped).toEqual([
      { line: 2, text: 'x', cause: new RangeError('x is no number') },
      { line: 3, text: '', cause: new RangeError(' is no number') },
      { line: 5, text: 'last', cause: new RangeError('last is no number') },
    ]);
  });

  it('takes a function for dropTo', async () => {
    const dropped: LineError[] = [];
    expect(await all(fromLines(bytes('x\n1'), numbers, { dropTo: (e) => dropped.push(e) }))).toEqual([1]);
    expect(dropped.map((e) => e.line)).toEqual([1]);
  });

  it('a throw in dropTo is an error of the stream, unchanged', async () => {
    const boom = new Error('disk full');
    const source = fromLines(bytes('x\n1'), numbers, {
      dropTo: () => {
        throw boom;
      },
    });
    await expect(all(source)).rejects.toBe(boom);
  });

  it('leaves a side output open on an error and on unsubscription, so that retry can feed it again', async () => {
    const bad = sideOutput<LineError>();
    const lines: number[] = [];
    bad.subscribe((error) => lines.push(error.line));
    const broken = (): Readable =>
      Readable.from(
        (async function* () {
          yield Buffer.from('x\n');
          throw new Error('link down');
        })(),
      );
    await expect(all(fromLines(broken, numbers, { dropTo: bad }))).rejects.toThrow('link down');
    await all(fromLines(bytes('x\n1\n2\n'), numbers, { dropTo: bad }).pipe(take(1)));
    await all(fromLines(bytes('x\n'), numbers, { dropTo: bad }));
    expect(lines).toEqual([1, 1, 1]);
  });

  it('makes a stream of its own for each subscription', async () => {
    let made = 0;
    const source = fromLines(() => {
      made++;
      return bytes('a\nb')();
    }, text);
    expect(made).toBe(0);
    expect(await Promise.all([all(source), all(source)])).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(made).toBe(2);
  });

  it('early unsubscription destroys the stream, and no further line is parsed', async () => {
    const stream = bytes('a\nb\nc\nd\n')();
    const parsed: string[] = [];
    const source = fromLines(
      () => stream,
      (line) => parsed.push(line),
    );
    expect(await all(source.pipe(take(2)))).toEqual([1, 2]);
    expect([parsed, stream.destroyed]).toEqual([['a', 'b'], true]);
  });

  it('passes the error of the stream on, unchanged, without what is left of a line', async () => {
    const boom = new Error('link down');
    const seen: string[] = [];
    const failure = await new Promise<unknown>((resolve) => {
      const stream = bytes('a\nb')();
      stream.once('data', () => {}); // only to show that it had data
      const broken = (): Readable =>
        Readable.from(
          (async function* () {
            yield Buffer.from('a\nb');
            throw boom;
          })(),
        );
      fromLines(broken, text).subscribe({ next: (line) => seen.push(line), error: resolve });
    });
    expect([failure, seen]).toEqual([boom, ['a']]);
  });

  it('a stream that closes before its end is an error', async () => {
    const stream = new Readable({ read: () => {} });
    setImmediate(() => stream.destroy());
    await expect(all(fromLines(() => stream, text))).rejects.toThrow('Premature close');
  });

  it('a throw of the function that makes the stream is an error notification', async () => {
    const boom = new Error('no such file');
    const source = fromLines(() => {
      throw boom;
    }, text);
    await expect(all(source)).rejects.toBe(boom);
  });

  it('lets other work run between chunks, also of a stream that has them all ready', async () => {
    const order: string[] = [];
    let next = 0;
    const ready = (): Readable =>
      new Readable({
        highWaterMark: 1,
        read() {
          this.push(next < 20 ? `${next++}\n` : null);
        },
      });
    await new Promise<void>((resolve) => {
      fromLines(ready, (line) => {
        if (line === '0') setImmediate(() => order.push('other work'));
        order.push(line);
      }).subscribe({ complete: resolve });
    });
    expect(order.length).toBe(21);
    expect(order.indexOf('other work')).toBeLessThan(order.indexOf('10'));
  });

  it('a sink that unsubscribes from within stops the reading at once', async () => {
    const stop = new Subject<void>();
    const stream = bytes('a\nb\nc\n')();
    const seen: string[] = [];
    const subscription = fromLines(() => stream, text).subscribe((line) => {
      seen.push(line);
      stop.next();
    });
    stop.subscribe(() => subscription.unsubscribe());
    await new Promise((resolve) => stream.once('close', resolve));
    expect(seen).toEqual(['a']);
  });

  it.each([
    ['input', () => fromLines('file.csv' as never, text), 'fromLines: input is "file.csv", it must be a function'],
    ['parse', () => fromLines(bytes(), undefined as never), 'fromLines: parse is undefined, it must be a function'],
    ['ready', () => fromLines(bytes(), text, { ready: 'no' as never }), 'fromLines: ready is "no", it must be a function'],
  ])('refuses an %s that is no function, at once', (_name, build, message) => {
    expect(build).toThrow(new TypeError(message));
  });
});

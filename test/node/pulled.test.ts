import { Duplex, Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstValueFrom, map, take, toArray } from 'rxjs';
import { aggregates, assignWatermarks, boundedOutOfOrderness, toValues, tumblingWindow } from 'tidemark';
import { fromLines, fromReadable, paced } from 'tidemark/node';
import { describe, expect, it } from 'vitest';

/** A file of ten-line chunks that knows how many of them have been read. */
function countedFile(chunks: number) {
  const file = {
    read: 0,
    open: (): Readable =>
      new Readable({
        highWaterMark: 40,
        read() {
          const first = file.read * 10;
          const lines = Array.from({ length: 10 }, (_, i) => String(first + i).padStart(3, '0'));
          this.push(file.read++ < chunks ? Buffer.from(`${lines.join('\n')}\n`) : null);
        },
      }),
  };
  return file;
}

describe('a slow consumer', () => {
  it('P106: has at most two chunks read ahead of it by fromLines', async () => {
    const file = countedFile(20);
    let ahead = 0;
    const seen: number[] = [];
    const sink = paced(async (n: number) => {
      await sleep(1);
      ahead = Math.max(ahead, file.read - Math.ceil((n + 1) / 10));
      seen.push(n);
    });
    fromLines(file.open, Number, { ready: sink.ready }).subscribe(sink);
    await sink.done;
    expect(seen).toEqual(Array.from({ length: 200 }, (_, i) => i));
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThanOrEqual(2);
  });

  it('P106: has no more than the buffer of an object stream read ahead of it by fromReadable', async () => {
    let made = 0;
    const stream = new Readable({
      objectMode: true,
      read() {
        this.push(made < 100_000 ? made++ : null);
      },
    });
    let ahead = 0;
    const sink = paced(async (n: number) => {
      await sleep(1);
      ahead = Math.max(ahead, made - (n + 1));
    });
    fromReadable<number>(() => stream, { ready: sink.ready })
      .pipe(take(300))
      .subscribe(sink);
    await sink.done;
    expect(ahead).toBeLessThanOrEqual(stream.readableHighWaterMark + 1);
    expect(made).toBeLessThanOrEqual(300 + stream.readableHighWaterMark + 1);
    expect(stream.destroyed).toBe(true);
  });

  it('holds the reading back through a pipeline in event time', async () => {
    const file = countedFile(20);
    let ahead = 0;
    const sums: number[] = [];
    const sink = paced(async (result: { start: number; sum: number }) => {
      await sleep(2);
      // the window [start, start + 10) is the chunk start / 10; the record that closed it is of the next one
      ahead = Math.max(ahead, file.read - (result.start / 10 + 2));
      sums.push(result.sum);
    });
    fromLines(file.open, Number, { ready: sink.ready })
      .pipe(
        assignWatermarks(boundedOutOfOrderness(0), { timestamp: (n) => n, interval: 'record' }),
        tumblingWindow(10, aggregates.sum()),
        toValues(),
        map(({ window, value }) => ({ start: window.start, sum: value })),
      )
      .subscribe(sink);
    await sink.done;
    expect(sums).toEqual(Array.from({ length: 20 }, (_, i) => i * 100 + 45));
    expect(ahead).toBeLessThanOrEqual(2);
  });
});

describe('ready', () => {
  it('is waited for before the first value, and before each further one', async () => {
    const asked: string[] = [];
    const source = fromLines(
      () => Readable.from([Buffer.from('a\nb\n')]),
      (line) => asked.push(`line ${line}`),
      {
        ready: () => {
          asked.push('ready?');
          return Promise.resolve();
        },
      },
    );
    await firstValueFrom(source.pipe(toArray()));
    const lines = asked.flatMap((entry, i) => (entry.startsWith('line') ? [asked[i - 1]] : []));
    expect(lines).toEqual(['ready?', 'ready?']);
  });

  it('that rejects is an error of the stream', async () => {
    const boom = new Error('sink gone');
    const stream = Readable.from([Buffer.from('a\nb\n')]);
    const source = fromLines(() => stream, String, { ready: () => Promise.reject(boom) });
    await expect(firstValueFrom(source)).rejects.toBe(boom);
    expect(stream.destroyed).toBe(true);
  });

  it('that throws is an error of the stream', async () => {
    const boom = new Error('sink gone');
    const source = fromLines(() => Readable.from([Buffer.from('a\nb\n')]), String, {
      ready: () => {
        throw boom;
      },
    });
    await expect(firstValueFrom(source)).rejects.toBe(boom);
  });

  it('that resolves after unsubscription reads nothing', async () => {
    let go = (): void => {};
    const parsed: string[] = [];
    const subscription = fromLines(
      () => Readable.from([Buffer.from('a\nb\n')]),
      (line) => parsed.push(line),
      {
        ready: () => new Promise<void>((resolve) => (go = resolve)),
      },
    ).subscribe();
    await sleep(5);
    subscription.unsubscribe();
    go();
    await sleep(5);
    expect(parsed).toEqual([]);
  });
});

describe('fromReadable', () => {
  it('gives the chunks of a stream of objects, in order, then completes', async () => {
    const source = fromReadable<{ id: number }>(() => Readable.from([{ id: 1 }, { id: 2 }, { id: 3 }]));
    expect(await firstValueFrom(source.pipe(toArray()))).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  it('passes the error of the stream on, after what came before it', async () => {
    const boom = new Error('link down');
    const seen: number[] = [];
    const failure = await new Promise<unknown>((resolve) => {
      fromReadable<number>(() =>
        Readable.from(
          (async function* () {
            yield 1;
            throw boom;
          })(),
        ),
      ).subscribe({ next: (n) => seen.push(n), error: resolve });
    });
    expect([seen, failure]).toEqual([[1], boom]);
  });

  it('leaves the writable half of a duplex open at the end, and closes both on unsubscription', async () => {
    const duplex = (ends: boolean): Duplex =>
      new Duplex({
        objectMode: true,
        read() {
          this.push(1);
          if (ends) this.push(null);
        },
        write: (_chunk, _encoding, done) => done(),
      });
    const [ended, cut] = [duplex(true), duplex(false)];
    await firstValueFrom(fromReadable(() => ended).pipe(toArray()));
    await firstValueFrom(fromReadable(() => cut));
    expect([ended.destroyed, cut.destroyed]).toEqual([false, true]);
  });

  it('an error of the stream after unsubscription is nobody’s, and not thrown', async () => {
    const stream = new Readable({ read: () => {}, destroy: (_cause, done) => setImmediate(() => done(new Error('too late'))) });
    fromReadable(() => stream)
      .subscribe()
      .unsubscribe();
    await new Promise((resolve) => stream.once('close', resolve));
    expect(stream.errored).toEqual(new Error('too late'));
  });

  it('refuses an input that is no function, at once', () => {
    expect(() => fromReadable(Readable.from([]) as never)).toThrow(TypeError);
  });
});

describe('paced', () => {
  it('consumes one value at a time, in order', async () => {
    const log: string[] = [];
    const sink = paced(async (n: number) => {
      log.push(`${n} in`);
      await sleep(1);
      log.push(`${n} out`);
    });
    for (const n of [1, 2, 3]) sink.next(n);
    expect(log).toEqual(['1 in']);
    sink.complete();
    await sink.done;
    expect(log).toEqual(['1 in', '1 out', '2 in', '2 out', '3 in', '3 out']);
  });

  it('asks for nothing while its consumer is synchronous', async () => {
    const seen: number[] = [];
    const sink = paced((n: number) => {
      seen.push(n);
    });
    sink.next(1);
    expect([seen, sink.ready()]).toEqual([[1], undefined]);
  });

  it('writes to a Writable at its speed', async () => {
    const written: string[] = [];
    const file = new Writable({
      highWaterMark: 1,
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        written.push(chunk);
        setImmediate(done);
      },
    });
    let buffered = 0;
    const sink = paced((line: string) => {
      const full = !file.write(line);
      buffered = Math.max(buffered, file.writableLength);
      return full ? new Promise<void>((resolve) => file.once('drain', resolve)) : undefined;
    });
    fromLines(() => Readable.from([Buffer.from('a\nb\nc\nd')]), String, { ready: sink.ready }).subscribe(sink);
    await sink.done;
    expect([written, buffered]).toEqual([['a', 'b', 'c', 'd'], 1]);
  });

  it.each([
    ['a rejection', () => Promise.reject(new Error('disk full'))],
    [
      'a throw',
      (): undefined => {
        throw new Error('disk full');
      },
    ],
  ])('%s of the consumer stops the reading and fails done', async (_name, consume) => {
    const stream = Readable.from([Buffer.from('a\nb\n')]);
    const sink = paced<string>(consume);
    fromLines(() => stream, String, { ready: sink.ready }).subscribe(sink);
    await expect(sink.done).rejects.toThrow('disk full');
    await sleep(5);
    expect(stream.destroyed).toBe(true);
  });

  it('an error of the stream fails done at once, and what waited is dropped', async () => {
    const seen: number[] = [];
    const sink = paced(async (n: number) => {
      await sleep(1);
      seen.push(n);
    });
    sink.next(1);
    sink.next(2);
    sink.error(new Error('link down'));
    await expect(sink.done).rejects.toThrow('link down');
    await sleep(10);
    expect(seen).toEqual([1]);
  });

  it('after an error or completion nothing counts any more', async () => {
    const seen: number[] = [];
    const sink = paced((n: number) => {
      seen.push(n);
    });
    sink.error(new Error('first'));
    sink.error(new Error('second'));
    sink.next(1);
    await expect(sink.done).rejects.toThrow('first');
    const other = paced((n: number) => {
      seen.push(n);
    });
    other.complete();
    other.error(new Error('late'));
    other.next(2);
    await other.done;
    expect(seen).toEqual([]);
  });

  it('refuses a consumer that is no function, at once', () => {
    expect(() => paced(undefined as never)).toThrow(new TypeError('paced: consume is undefined, it must be a function'));
  });
});

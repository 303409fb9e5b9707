import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstValueFrom, lastValueFrom, map, toArray } from 'rxjs';
import {
  aggregates,
  assignWatermarks,
  boundedOutOfOrdernessTimestampExtractor,
  mapValue,
  type StreamRecord,
  sideOutput,
  toValues,
  tumblingWindow,
} from 'tidemark';
import { fromLines, type LineError, LineParseError } from 'tidemark/node';
import { afterEach, describe, expect, it } from 'vitest';

interface Reading {
  readonly at: number;
  readonly value: number;
}

/** `2020-03-01 00:00:00,1`, as UTC. */
function parseReading(line: string): Reading {
  const [, date, time, value] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{3})?),(-?\d+)$/.exec(line) ?? [];
  if (date === undefined) throw new SyntaxError('not "date time,value"');
  return { at: Date.parse(`${date}T${time}Z`), value: Number(value) };
}

const T = 1_583_020_800_000; // 2020-03-01 00:00:00 UTC

let server: Server | undefined;
let connections: Socket[] = [];
afterEach(async () => {
  for (const socket of connections) socket.destroy();
  connections = [];
  if (server !== undefined) await once(server.close(), 'close');
  server = undefined;
});

/** A TCP server that says these pieces to whoever connects, each in a packet of its own, and hangs up (if it does). */
async function serve(pieces: ReadonlyArray<string>, hangsUp = true): Promise<() => Socket> {
  server = createServer(async (socket) => {
    connections.push(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {}); // the other side may have gone
    for (const piece of pieces) {
      socket.write(piece);
      await sleep(2);
    }
    if (hangsUp) socket.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return () => connect(port, '127.0.0.1');
}

const perFiveSeconds = (late?: (record: StreamRecord<number>) => void) =>
  tumblingWindow<number, number, undefined>(5_000, aggregates.sum(), late === undefined ? {} : { lateTo: late });

describe('lines from a socket, summed per 5 s', () => {
  it('seed/lines-bounded-0-sum: 3 when the line of second 5 has come, then 3 at the end', async () => {
    const open = await serve(['2020-03-01 00:00:00,1\n', '2020-03-01 00:00:04,2\n', '2020-03-01 00:00:05,3\n']);
    const elements = fromLines(open, parseReading).pipe(
      assignWatermarks(
        boundedOutOfOrdernessTimestampExtractor(0, (r: Reading) => r.at),
        { interval: 'record' },
      ),
      mapValue((r) => r.value),
      perFiveSeconds(),
      map((e) =>
        e._tag === 'Watermark' ? `W ${e.timestamp - T}` : `${e.value.window.start - T} ${e.value.value} at ${e.timestamp - T}`,
      ),
      toArray(),
    );
    expect(await lastValueFrom(elements)).toEqual(['W 0', 'W 4000', '0 3 at 4999', 'W 5000', '5000 3 at 9999', 'W Infinity']);
  });

  it('seed/lines-bounded-0-sum-4999: a line of the last millisecond fires the window, another one of it is late', async () => {
    const late: Array<[number, number]> = [];
    const open = await serve([
      '2020-03-01 00:00:00,1\n2020-03-01 00:0',
      '0:04.999,2\r\n2020-03-01 00:00:04.999,4',
      '\n2020-03-01 00:00:05,3', // no newline at the end
    ]);
    const sums = fromLines(open, parseReading).pipe(
      assignWatermarks(
        boundedOutOfOrdernessTimestampExtractor(0, (r: Reading) => r.at),
        { interval: 'record' },
      ),
      mapValue((r) => r.value),
      perFiveSeconds((record) => late.push([record.timestamp - T, record.value])),
      toValues(),
      map(({ window, value }) => [window.start - T, value]),
      toArray(),
    );
    expect(await lastValueFrom(sums)).toEqual([
      [0, 3],
      [5_000, 3],
    ]);
    expect(late).toEqual([[4_999, 4]]);
  });

  it('a line that does not parse is an error that names its number and text, and hangs up', async () => {
    const open = await serve(['2020-03-01 00:00:00,1\n', 'no such line\n', '2020-03-01 00:00:05,3\n'], false);
    const sums = fromLines(open, parseReading).pipe(
      assignWatermarks(
        boundedOutOfOrdernessTimestampExtractor(0, (r: Reading) => r.at),
        { interval: 'record' },
      ),
      mapValue((r) => r.value),
      perFiveSeconds(),
      toArray(),
    );
    const failure = await lastValueFrom(sums).catch((cause: unknown) => cause);
    expect(failure).toBeInstanceOf(LineParseError);
    expect(failure).toMatchObject({ line: 2, text: 'no such line', message: expect.stringContaining('line 2') });
    const [socket] = connections;
    if (socket !== undefined && !socket.closed) await once(socket, 'close');
    expect(socket?.closed).toBe(true);
  });

  it('with dropTo it goes there, and nothing else is lost', async () => {
    const open = await serve([
      '2020-03-01 00:00:00,1\nno such line\n',
      '2020-03-01 00:00:04,2\n\n2020-03-01 00:00:05,3\n',
      '2020-03-01 00:00:06,x',
    ]);
    const bad = sideOutput<LineError>();
    const dropped = firstValueFrom(bad.pipe(toArray()));
    const sums = fromLines(open, parseReading, { dropTo: bad }).pipe(
      assignWatermarks(
        boundedOutOfOrdernessTimestampExtractor(0, (r: Reading) => r.at),
        { interval: 'record' },
      ),
      mapValue((r) => r.value),
      perFiveSeconds(),
      toValues(),
      map(({ window, value }) => [window.start - T, value]),
      toArray(),
    );
    expect(await lastValueFrom(sums)).toEqual([
      [0, 3],
      [5_000, 3],
    ]);
    expect((await dropped).map(({ line, text }) => [line, text])).toEqual([
      [2, 'no such line'],
      [4, ''],
      [6, '2020-03-01 00:00:06,x'],
    ]);
  });

  it('a refused connection is an error notification', async () => {
    const open = await serve([]);
    if (server !== undefined) await once(server.close(), 'close');
    server = undefined;
    await expect(lastValueFrom(fromLines(open, parseReading))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

// Compiled by `npm run check`, never run: sources.
import { of, timestamp } from 'rxjs';
import {
  aggregates,
  assignWatermarks,
  boundedOutOfOrderness,
  type EventStream,
  fromSource,
  fromTimestamped,
  type SourceContext,
  toValues,
  tumblingWindow,
  type WindowResult,
} from 'tidemark';
import { fromLines } from 'tidemark/node';
import { type Emits, same } from './expect.js';

interface Reading {
  readonly sensor: string;
}

const given = fromSource<Reading>((context) => context.collectWithTimestamp({ sensor: 'a' }, 1));
same<typeof given, EventStream<Reading>>(true);
const keyed = fromSource((context: SourceContext<Reading>) => context.collect({ sensor: 'a' }), {
  time: 'ingestion',
  key: (reading) => reading.sensor,
});
same<typeof keyed, EventStream<Reading, string>>(true);
// @ts-expect-error no such time
fromSource<Reading>(() => {}, { time: 'wall' });
fromSource<Reading>((context) => {
  // @ts-expect-error not what this source gives
  context.collect({ station: 'a' });
});

const stamped = fromTimestamped(of('a').pipe(timestamp()));
same<typeof stamped, EventStream<string>>(true);

const sums = fromLines(
  () => process.stdin,
  (text) => ({ at: Date.parse(text.slice(0, 19)), n: Number(text.slice(20)) }),
).pipe(
  assignWatermarks(boundedOutOfOrderness(1), { timestamp: (reading) => reading.at }),
  tumblingWindow(
    5_000,
    aggregates.sum((reading) => reading.n),
  ),
  toValues(),
);
same<Emits<typeof sums>, WindowResult<number>>(true);

// What an editor shows when the pointer rests on a name that is called in this file is snapshotted by hover.test.ts.
import { filter, type Observable, of } from 'rxjs';
import {
  aggregates,
  ascendingTimestamps,
  assigners,
  assignWatermarks,
  boundedOutOfOrderness,
  concatMapValue,
  countWindow,
  cumulativeWindow,
  evictors,
  filterMapValue,
  filterValue,
  flatMapValue,
  fromElements,
  fromSource,
  globalWindow,
  isRecord,
  keyBy,
  keyedRecord,
  mapValue,
  mergeMapValue,
  punctuated,
  reassignWatermarks,
  record,
  type StreamRecord,
  sessionWindow,
  sideOutput,
  slidingWindow,
  tapValue,
  toTimestamped,
  toValues,
  toWatermarks,
  triggers,
  tumblingWindow,
  unkey,
  watermark,
  windowBy,
  withIdleness,
} from 'tidemark';

interface Click {
  readonly at: number;
  readonly user: string;
  readonly n: number;
}
declare const clicks$: Observable<Click>;

export const late = sideOutput<StreamRecord<Click, string>>();

export const counts$ = clicks$.pipe(
  assignWatermarks(boundedOutOfOrderness(3_000), { timestamp: (click) => click.at, key: (click) => click.user }),
  tumblingWindow(5_000, aggregates.count(), { allowedLateness: 1_000, lateTo: late }),
  toValues(),
);

export const arrays$ = clicks$.pipe(
  assignWatermarks(withIdleness(30_000)(ascendingTimestamps()), { timestamp: (click) => click.at }),
  keyBy((click) => click.user),
  windowBy(assigners.tumbling(5_000)),
  mapValue((result) => result.value.length),
  toTimestamped(),
);

export const stats$ = clicks$.pipe(
  assignWatermarks(
    punctuated((click) => click.at),
    { timestamp: (click) => click.at, interval: 'record' },
  ),
  reassignWatermarks(boundedOutOfOrderness(10)),
  filterValue((click) => click.n > 0),
  tapValue((click) => click.user),
  tumblingWindow(
    60_000,
    aggregates.struct({
      n: aggregates.count(),
      mean: aggregates.mean((click) => click.n),
      most: aggregates.max((click) => click.n),
      all: aggregates.collect(),
    }),
  ),
  toValues(),
);

export const early$ = clicks$.pipe(
  assignWatermarks(boundedOutOfOrderness(1_000), { timestamp: (click) => click.at, key: (click) => click.user }),
  sessionWindow(30_000, aggregates.count(), {
    trigger: triggers.afterWatermark({ early: triggers.every(60_000, 'processing') }),
  }),
  toValues(),
);

export const busiest$ = clicks$.pipe(
  assignWatermarks(boundedOutOfOrderness(1_000), { timestamp: (click) => click.at }),
  slidingWindow(
    60_000,
    1_000,
    aggregates.sum((click) => click.n),
    { evict: evictors.count(100), panes: 'retracting' },
  ),
  toValues(),
);

export const running$ = clicks$.pipe(
  assignWatermarks(boundedOutOfOrderness(1_000), { timestamp: (click) => click.at }),
  cumulativeWindow(
    60_000,
    3_600_000,
    aggregates.mean((click) => click.n),
  ),
  toValues(),
);

export const fives$ = clicks$.pipe(
  assignWatermarks(boundedOutOfOrderness(1_000), { timestamp: (click) => click.at }),
  countWindow(5, aggregates.collect()),
  toValues(),
);

export const all$ = clicks$.pipe(
  assignWatermarks(boundedOutOfOrderness(1_000), { timestamp: (click) => click.at, key: (click) => click.user }),
  globalWindow(triggers.purging(triggers.afterCount(10)), aggregates.count()),
  toValues(),
);

export const letters$ = fromElements(keyedRecord('word', 1, 'k'), watermark(5)).pipe(
  flatMapValue((word) => [...word]),
  filterMapValue((letter) => ({ _tag: 'Some', value: letter })),
  concatMapValue(async (letter) => letter.charCodeAt(0)),
  mergeMapValue((code) => of(code + 1), { concurrent: 4 }),
  unkey(),
  filter(isRecord),
);

export const times$ = fromSource<string>((context) => context.collectWithTimestamp('a', 1)).pipe(toWatermarks());

export const element = record('a', 1);

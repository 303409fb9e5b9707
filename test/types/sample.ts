// What an editor shows when the pointer rests on a name that is called in this file is snapshotted by hover.test.ts.
import { debounceTime, filter, type Observable, of } from 'rxjs';
import {
  type Arrival,
  aggregates,
  alignment,
  ascendingTimestamps,
  asOfJoinWith,
  assigners,
  assignWatermarks,
  boundedOutOfOrderness,
  changes,
  closeWhenQuiet,
  coGroupWith,
  concatMapValue,
  coProcessWith,
  counters,
  countWindow,
  cumulativeWindow,
  dedupe,
  type EventStream,
  evictors,
  fillGaps,
  filterMapValue,
  filterValue,
  firstPerKey,
  flatMapValue,
  fromElements,
  fromSource,
  fromTimestamped,
  globalWindow,
  intervalJoinWith,
  isRecord,
  keyBy,
  keyedRecord,
  lastPerKey,
  mapValue,
  mergeMapValue,
  outsideZone,
  pattern,
  processWindowBy,
  processWith,
  punctuated,
  reassignWatermarks,
  record,
  recordArrivals,
  replay,
  type StreamRecord,
  sessionWindow,
  sideOutput,
  slidingWindow,
  sortByEventTime,
  tapValue,
  temporalJoinWith,
  toTimestamped,
  toValues,
  toWatermarks,
  triggers,
  tumblingWindow,
  union,
  unionAll,
  unionWith,
  unkey,
  watermark,
  windowBy,
  windowJoinWith,
  withEventTime,
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

declare const keyed$: EventStream<Click, string>;
declare const words$: EventStream<string, string>;

export const union$ = union(keyed$, words$).pipe(unionWith(words$));

export const processed$ = keyed$.pipe(
  processWith({
    create: () => ({ n: 0 }),
    onRecord: (click, state) => [click.n + state.n],
    onTimer: (timestamp) => [`${timestamp}`],
  }),
);

export const connected$ = keyed$.pipe(
  coProcessWith(words$, { create: () => ({ n: 0 }), onLeft: (click) => [click.n], onRight: (word) => [word] }),
);

export const ordered$ = clicks$.pipe(
  recordArrivals<Click>((arrival) => arrival.at),
  assignWatermarks(ascendingTimestamps(), { timestamp: (click) => click.at, key: (click) => click.user }),
  sortByEventTime(),
  dedupe((click) => click.n, { within: 5_000 }),
  firstPerKey({ within: 1_000 }),
  lastPerKey({ within: 1_000 }),
  changes((click) => click.n),
  withEventTime((values$, scheduler) => values$.pipe(debounceTime(5, scheduler)), { perKey: true }),
  pattern([{ name: 'low', where: (click) => click.n < 5 }], { within: 1_000 }),
);

declare const arrivals: ReadonlyArray<Arrival<Click>>;
declare const zone: { runOutsideAngular<T>(work: () => T): T; run<T>(work: () => T): T };
export const again$ = replay(arrivals, (values$, scheduler) => values$.pipe(debounceTime(5, scheduler)), { speed: Infinity });
export const outside = outsideZone(zone);

export const filled$ = keyed$.pipe(
  closeWhenQuiet({ quiet: 60_000, ahead: 5_000 }),
  tumblingWindow(1_000, aggregates.count(), { counters: counters() }),
  fillGaps(() => 0),
);

export const described$ = keyed$.pipe(
  processWindowBy(assigners.session(1_000), aggregates.count(), {
    keyState: () => ({ sessions: 0 }),
    onPane: (count, context, _windowState, state) => [`${context.key}: ${count} in session ${++state.sessions}`],
  }),
);

declare const shards$: Observable<EventStream<Click, string>>;
export const aligned$ = shards$.pipe(unionAll({ alignment: alignment({ maxDrift: 1_000 }) }));

export const joined = {
  pairs$: keyed$.pipe(intervalJoinWith(words$, { lower: 0, upper: 1_000 })),
  open$: keyed$.pipe(intervalJoinWith(words$, { kind: 'full', lower: 0, upper: 1_000, resultTime: 'left' })),
  inWindows$: keyed$.pipe(windowJoinWith(words$, assigners.tumbling(1_000), { kind: 'left' })),
  groups$: keyed$.pipe(coGroupWith(words$, assigners.session(1_000))),
  latest$: keyed$.pipe(asOfJoinWith(words$, { direction: 'nearest', tolerance: 100 })),
  versions$: keyed$.pipe(temporalJoinWith(words$, { kind: 'left' })),
};

declare const stamped$: Observable<{ readonly value: Click; readonly timestamp: number }>;
export const again = fromTimestamped(stamped$);

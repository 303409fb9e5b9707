// Compiled by `npm run check`, never run: what a pipe infers without an annotation (P114).

import { pipe } from 'fp-ts/lib/function.js';
import * as N from 'fp-ts/lib/number.js';
import { contramap } from 'fp-ts/lib/Ord.js';
import type { Observable, OperatorFunction } from 'rxjs';
import {
  type Aggregate,
  aggregates,
  ascendingTimestampExtractor,
  ascendingTimestamps,
  assigners,
  assignWatermarks,
  boundedOutOfOrderness,
  boundedOutOfOrdernessTimestampExtractor,
  counters,
  countWindow,
  cumulativeWindow,
  type EventStream,
  evictors,
  fromElements,
  fromGenerator,
  globalWindow,
  keyBy,
  keyedRecord,
  type MergeableAggregate,
  mapValue,
  noWatermarks,
  periodicAssigner,
  processWindowBy,
  punctuated,
  punctuatedAssigner,
  reassignWatermarks,
  record,
  type StreamElement,
  sessionWindow,
  slidingWindow,
  type TimeWindow,
  toValues,
  triggers,
  tumblingWindow,
  type WindowAssigner,
  type WindowResult,
  watermark,
  windowBy,
  withIdleness,
  withMaxFutureSkew,
} from 'tidemark';
import { type Elements, type Emits, same } from './expect.js';

interface Click {
  readonly at: number;
  readonly user: string;
  readonly n: number;
}
declare const clicks$: Observable<Click>;
const bounded = boundedOutOfOrderness(3_000);
const keyed$ = clicks$.pipe(assignWatermarks(bounded, { timestamp: (click) => click.at, key: (click) => click.user }));
const unkeyed$ = clicks$.pipe(assignWatermarks(bounded, { timestamp: (click) => click.at }));
type Result<R, K = undefined> = WindowResult<R, K, TimeWindow>;

// --- the basic job, in four slots: keyed with the timestamp, keyed apart, unkeyed
const counted = clicks$.pipe(
  assignWatermarks(boundedOutOfOrderness(3_000), { timestamp: (click) => click.at, key: (click) => click.user }),
  tumblingWindow(5_000, aggregates.count()),
  toValues(),
);
same<Emits<typeof counted>, Result<number, string>>(true);
const arrays = clicks$.pipe(assignWatermarks(bounded, { timestamp: (click) => click.at }), tumblingWindow(5_000), toValues());
same<Emits<typeof arrays>, Result<readonly Click[]>>(true);
const keyedApart = clicks$.pipe(
  assignWatermarks(bounded, { timestamp: (click) => click.at }),
  keyBy((click) => click.user),
  tumblingWindow(5_000),
  toValues(),
);
same<Emits<typeof keyedApart>, Result<readonly Click[], string>>(true);
same<Elements<typeof unkeyed$>, [Click, undefined]>(true);
same<Elements<typeof keyed$>, [Click, string]>(true);
const keyFirst = clicks$.pipe(assignWatermarks(bounded, { key: (click) => click.n, timestamp: (click) => click.at }));
same<Elements<typeof keyFirst>, [Click, number]>(true);

// --- windows of windows
const rolledUp = keyed$.pipe(
  tumblingWindow(
    5_000,
    aggregates.sum((click) => click.n),
  ),
  keyBy((result) => result.key),
  tumblingWindow(
    60_000,
    aggregates.max((result) => result.value),
  ),
  toValues(),
);
same<Emits<typeof rolledUp>, Result<number, string>>(true);

// --- windowBy
const by = keyed$.pipe(windowBy(assigners.tumbling(5_000)), toValues());
same<Emits<typeof by>, Result<readonly Click[], string>>(true);
const summed = unkeyed$.pipe(
  windowBy(
    assigners.tumbling(5_000),
    aggregates.fold(
      () => 0,
      (sum, click) => sum + click.n,
    ),
    { lateTo: (late) => late.value.user },
  ),
  toValues(),
);
same<Emits<typeof summed>, Result<number>>(true);
declare const rooms: WindowAssigner<Click, { readonly room: string }>;
const own = keyed$.pipe(windowBy(rooms, aggregates.count()), toValues());
same<Emits<typeof own>, WindowResult<number, string, { readonly room: string }>>(true);

// --- processWindowBy
const processed = keyed$.pipe(
  processWindowBy(
    assigners.tumbling(5_000),
    aggregates.sum((click) => click.n),
    {
      windowState: () => ({ fires: 0 }),
      keyState: () => new Set<string>(),
      onPane(sum, { key, window }, windowState, keyState) {
        keyState.add(key.toUpperCase());
        windowState.fires++;
        return [{ sum: sum.toFixed(), size: window.end - window.start }];
      },
    },
  ),
  toValues(),
);
same<Emits<typeof processed>, Result<{ sum: string; size: number }, string>>(true);
const merged = keyed$.pipe(
  processWindowBy(assigners.session(5_000), aggregates.count(), { onPane: (n, { key }) => [[key, n] as const] }),
  toValues(),
);
same<Emits<typeof merged>, Result<readonly [string, number], string>>(true);
const silent = keyed$.pipe(processWindowBy(assigners.session(5_000), aggregates.count(), { onPane: () => {} }), toValues());
same<Emits<typeof silent>['key'], string>(true);

// --- aggregates take their input from the stream
const byN = contramap((click: Click) => click.n)(N.Ord);
const stats = keyed$.pipe(
  tumblingWindow(
    5_000,
    aggregates.struct({
      n: aggregates.count(),
      total: aggregates.sum((click) => click.n),
      mean: aggregates.mean((click) => click.n),
      least: aggregates.minBy(byN),
      all: aggregates.collect(),
      inner: aggregates.struct({ most: aggregates.max((click) => click.n), n: aggregates.count() }),
    }),
  ),
  mapValue((result) => result.value),
  toValues(),
);
same<
  Emits<typeof stats>,
  { n: number; total: number; mean: number; least: Click; all: readonly Click[]; inner: { most: number; n: number } }
>(true);
const stored = aggregates.struct({ n: aggregates.count(), mean: aggregates.mean((click: Click) => click.n) });
const fromVariable = unkeyed$.pipe(tumblingWindow(5_000, stored), toValues());
same<Emits<typeof fromVariable>['value'], { n: number; mean: number }>(true);
const collected = unkeyed$.pipe(tumblingWindow(5_000, aggregates.collect()), toValues());
same<Emits<typeof collected>['value'], readonly Click[]>(true);
const reduced = unkeyed$.pipe(
  tumblingWindow(
    5_000,
    aggregates.reduce((a, b) => (a.n > b.n ? a : b)),
  ),
  toValues(),
);
same<Emits<typeof reduced>['value'], Click>(true);
const firsts = unkeyed$.pipe(
  tumblingWindow(5_000, aggregates.struct({ a: aggregates.first(), z: aggregates.last() })),
  toValues(),
);
same<Emits<typeof firsts>['value'], { a: Click; z: Click }>(true);
const users = unkeyed$.pipe(
  tumblingWindow(
    5_000,
    aggregates.fold(
      () => new Set<string>(),
      (set, click) => set.add(click.user),
    ),
  ),
  toValues(),
);
same<Emits<typeof users>['value'], Set<string>>(true);
const folded = unkeyed$.pipe(
  tumblingWindow(
    5_000,
    aggregates.foldMap(N.MonoidSum)((click) => click.n),
  ),
  toValues(),
);
same<Emits<typeof folded>['value'], number>(true);
const wrapped = unkeyed$.pipe(
  tumblingWindow(5_000, aggregates.mapResult((n: number) => ({ n }))(aggregates.count())),
  toValues(),
);
same<Emits<typeof wrapped>['value'], { n: number }>(true);
const contramapped = pipe(
  aggregates.sum(),
  aggregates.contramapInput((click: Click) => click.n),
);
same<typeof contramapped extends MergeableAggregate<Click, number> ? true : false, true>(true);
const total = unkeyed$.pipe(tumblingWindow(5_000, contramapped), toValues());
same<Emits<typeof total>['value'], number>(true);
// what can't merge stays so
const sizes = aggregates.mapResult((set: Set<string>) => set.size)(
  aggregates.fold(
    () => new Set<string>(),
    (set, _click: Click) => set,
  ),
);
same<typeof sizes extends Aggregate<Click, number> ? true : false, true>(true);
same<typeof sizes extends MergeableAggregate<Click, number> ? true : false, false>(true);

// --- strategies: in place, from a variable, enriched, by generator
const ascending = clicks$.pipe(assignWatermarks(ascendingTimestamps(), { timestamp: (click) => click.at }), toValues());
same<Emits<typeof ascending>, Click>(true);
const none = clicks$.pipe(assignWatermarks(noWatermarks(), { timestamp: (click) => click.at }), toValues());
same<Emits<typeof none>, Click>(true);
const idling = clicks$.pipe(
  assignWatermarks(withIdleness(1)(boundedOutOfOrderness(5)), { timestamp: (click) => click.at }),
  toValues(),
);
same<Emits<typeof idling>, Click>(true);
const piped = clicks$.pipe(assignWatermarks(pipe(bounded, withIdleness(1)), { timestamp: (click) => click.at }), toValues());
same<Emits<typeof piped>, Click>(true);
const guarded = clicks$.pipe(
  assignWatermarks(withMaxFutureSkew(1)(withIdleness(1)(punctuated((click: Click) => click.at))), {
    timestamp: (click) => click.at,
  }),
  toValues(),
);
same<Emits<typeof guarded>, Click>(true);
const marked = clicks$.pipe(
  assignWatermarks(
    punctuated((click, at) => (click.n === 0 ? at : undefined)),
    { timestamp: (click) => click.at },
  ),
  toValues(),
);
same<Emits<typeof marked>, Click>(true);
const generated = clicks$.pipe(
  assignWatermarks(
    fromGenerator(() => ({
      onRecord(click, at, output) {
        if (click.n > 0) output.emit(at);
      },
      onTick() {},
    })),
    { timestamp: (click) => click.at },
  ),
  toValues(),
);
same<Emits<typeof generated>, Click>(true);

// --- Flink 1.x's four assigners carry their timestamps
const extracted = clicks$.pipe(assignWatermarks(ascendingTimestampExtractor((click) => click.at)), tumblingWindow(5), toValues());
same<Emits<typeof extracted>, Result<readonly Click[]>>(true);
const late = clicks$.pipe(
  assignWatermarks(
    boundedOutOfOrdernessTimestampExtractor(5, (click) => click.at),
    { key: (click) => click.user, interval: 'record' },
  ),
  tumblingWindow(
    5,
    aggregates.sum((click) => click.n),
  ),
  toValues(),
);
same<Emits<typeof late>, Result<number, string>>(true);
const periodic = clicks$.pipe(
  assignWatermarks(
    periodicAssigner(() => {
      let max = 0;
      return {
        extractTimestamp: (click) => {
          max = Math.max(max, click.at);
          return click.at;
        },
        getCurrentWatermark: () => max - 5,
      };
    }),
  ),
  tumblingWindow(
    5,
    aggregates.sum((click) => click.n),
  ),
  toValues(),
);
same<Emits<typeof periodic>, Result<number>>(true);
const byMark = clicks$.pipe(
  assignWatermarks(
    punctuatedAssigner(() => ({
      extractTimestamp: (click) => click.at,
      checkAndGetNextWatermark: (click, at) => (click.n % 3 === 0 ? at : undefined),
    })),
  ),
  keyBy((click) => click.user),
  tumblingWindow(5),
  toValues(),
);
same<Emits<typeof byMark>, Result<readonly Click[], string>>(true);
const enriched = clicks$.pipe(
  assignWatermarks(withMaxFutureSkew(60_000)(withIdleness(5)(ascendingTimestampExtractor((click: Click) => click.at, 'log'))), {
    key: (click) => click.user,
  }),
);
same<Elements<typeof enriched>, [Click, string]>(true);

// --- reassigning
const again = keyed$.pipe(
  reassignWatermarks(boundedOutOfOrderness(1), { timestamp: (click, previous) => click.at + previous }),
  mapValue((click) => click.user),
);
same<Elements<typeof again>, [string, string]>(true);
const againMarked = keyed$.pipe(
  reassignWatermarks(punctuated((click) => click.at)),
  mapValue((click) => click.n),
);
same<Elements<typeof againMarked>, [number, string]>(true);

// --- elements
const unkeyedElements = fromElements(record('a', 1), watermark(5));
same<typeof unkeyedElements, EventStream<string>>(true);
const keyedElements = fromElements(keyedRecord(1, 1, 'k'), watermark(5));
same<typeof keyedElements, EventStream<number, string>>(true);
same<ReturnType<typeof fromElements<string | number>>, EventStream<string | number, undefined>>(true);

// --- an operator of one's own, generic in the key
function doubled<K>(): OperatorFunction<StreamElement<number, K>, StreamElement<number, K>> {
  return mapValue((n) => n * 2);
}
const twice = keyedElements.pipe(doubled());
same<Elements<typeof twice>, [number, string]>(true);

// --- fp-ts's pipe
const functional = pipe(clicks$, assignWatermarks(bounded, { timestamp: (click: Click) => click.at }));
same<Elements<typeof functional>, [Click, undefined]>(true);
const twofold = pipe(
  aggregates.count(),
  aggregates.mapResult((n) => n * 2),
);
same<typeof twofold, MergeableAggregate<unknown, number>>(true);

// --- counters, shared by two operators
const seen = counters();
const dropping = clicks$.pipe(
  assignWatermarks(bounded, { timestamp: (click) => click.at, onInvalidTimestamp: 'drop', counters: seen }),
  tumblingWindow(5_000, aggregates.count(), { counters: seen }),
  toValues(),
);
same<Emits<typeof dropping>, Result<number>>(true);

// --- windows of every kind, with their triggers and evictors
const slid = keyed$.pipe(slidingWindow(10_000, 1_000, aggregates.count()), toValues());
same<Emits<typeof slid>, Result<number, string>>(true);
const sessioned = keyed$.pipe(
  sessionWindow(
    (click) => click.n,
    aggregates.sum((click) => click.n),
  ),
  toValues(),
);
same<Emits<typeof sessioned>, Result<number, string>>(true);
const grown = unkeyed$.pipe(cumulativeWindow(5, 15, aggregates.collect()), toValues());
same<Emits<typeof grown>, Result<readonly Click[]>>(true);
const byCount = unkeyed$.pipe(
  countWindow(
    3,
    aggregates.sum((click) => click.n),
    { slide: 1 },
  ),
  toValues(),
);
same<Emits<typeof byCount>['value'], number>(true);
const everything = keyed$.pipe(globalWindow(triggers.afterCount(3), aggregates.count()), toValues());
same<Emits<typeof everything>, Result<number, string>>(true);
const byAssigner = keyed$.pipe(
  windowBy(
    assigners.dynamicSession((click) => click.n),
    aggregates.count(),
  ),
  toValues(),
);
same<Emits<typeof byAssigner>, Result<number, string>>(true);
const onSurge = triggers.custom<{ readonly n: number }, { peak: number }>({
  create: () => ({ peak: 0 }),
  onRecord: (sample, state, context) => {
    context.onEventTime(context.window.end - 1);
    if (sample.n < state.peak * 2) return 'continue';
    state.peak = sample.n;
    return 'fire';
  },
  onEventTime: () => 'fireAndPurge',
});
const surging = keyed$.pipe(
  tumblingWindow(5, aggregates.count(), { trigger: triggers.afterFirst(triggers.afterCount(1), onSurge), allowDataLoss: true }),
  toValues(),
);
same<Emits<typeof surging>, Result<number, string>>(true);
const evicted = unkeyed$.pipe(
  tumblingWindow(
    5,
    aggregates.sum((click) => click.n),
    { evict: evictors.delta((a, b) => b.n - a.n, 3), panes: 'retracting', resultTime: 'latest' },
  ),
  toValues(),
);
same<Emits<typeof evicted>, Result<number>>(true);

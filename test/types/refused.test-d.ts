// Compiled by `npm run check`, never run: what must not compile.
import { pipe } from 'fp-ts/lib/function.js';
import { type Observable, Subject } from 'rxjs';
import {
  aggregates,
  assigners,
  assignWatermarks,
  boundedOutOfOrderness,
  countWindow,
  type EventStream,
  evictors,
  globalWindow,
  type MergingAssigner,
  mapValue,
  processWindowBy,
  reassignWatermarks,
  record,
  type StreamRecord,
  sessionWindow,
  sideOutput,
  slidingWindow,
  type Trigger,
  toValues,
  triggers,
  tumblingWindow,
  windowBy,
} from 'tidemark';
import { type Emits, same } from './expect.js';

interface Click {
  readonly at: number;
  readonly user: string;
  readonly n: number;
  readonly page?: string;
}
declare const clicks$: Observable<Click>;
const bounded = boundedOutOfOrderness(3_000);
const keyed$ = clicks$.pipe(assignWatermarks(bounded, { timestamp: (click) => click.at, key: (click) => click.user }));
const unkeyed$ = clicks$.pipe(assignWatermarks(bounded, { timestamp: (click) => click.at }));

// --- P115: a timestamp that may be missing
declare const loose$: Observable<{ readonly at?: number; readonly when: Date; readonly text: string; readonly big: bigint }>;
// @ts-expect-error it may be undefined
loose$.pipe(assignWatermarks(bounded, { timestamp: (event) => event.at }));
// @ts-expect-error the same with a policy that is an error
loose$.pipe(assignWatermarks(bounded, { timestamp: (event) => event.at, onInvalidTimestamp: 'error' }));
// @ts-expect-error a date is no number
loose$.pipe(assignWatermarks(bounded, { timestamp: (event) => event.when }));
// @ts-expect-error nor is a date with a policy
loose$.pipe(assignWatermarks(bounded, { timestamp: (event) => event.when, onInvalidTimestamp: 'drop' }));
// @ts-expect-error a string is no number
loose$.pipe(assignWatermarks(bounded, { timestamp: (event) => event.text }));
// @ts-expect-error a BigInt is no number
loose$.pipe(assignWatermarks(bounded, { timestamp: (event) => event.big }));
declare const name: string;
declare const dictionary$: Observable<Readonly<Record<string, number>>>;
// @ts-expect-error an entry of a dictionary may be missing
dictionary$.pipe(assignWatermarks(bounded, { timestamp: (event) => event[name] }));
// @ts-expect-error a strategy that doesn't stamp needs a timestamp
clicks$.pipe(assignWatermarks(bounded));
// @ts-expect-error and so it does with a key
clicks$.pipe(assignWatermarks(bounded, { key: (click: Click) => click.user }));
// @ts-expect-error a new time may not be missing either
keyed$.pipe(reassignWatermarks(bounded, { timestamp: (click) => (click.page === undefined ? undefined : click.at) }));
// ... unless a policy says what becomes of it
const lenient = loose$.pipe(
  assignWatermarks(bounded, { timestamp: (event) => event.at, onInvalidTimestamp: 'drop' }),
  toValues(),
);
same<Emits<typeof lenient>, Emits<typeof loose$>>(true);
loose$.pipe(
  assignWatermarks(bounded, { timestamp: (event) => event.at, onInvalidTimestamp: { dropTo: (event) => event.when.getTime() } }),
);
loose$.pipe(assignWatermarks(bounded, { timestamp: (event) => event.at ?? null, onInvalidTimestamp: 'forward' }));

// --- aggregates that do not fit the stream
// @ts-expect-error sum() of what is no number
unkeyed$.pipe(tumblingWindow(5, aggregates.sum()));
const cents = aggregates.sum((event: { readonly cents: number }) => event.cents);
// @ts-expect-error an aggregate of something else
unkeyed$.pipe(tumblingWindow(5, cents));
unkeyed$.pipe(
  tumblingWindow(
    5,
    // @ts-expect-error a field that isn't there
    aggregates.sum((click) => click.nothing),
  ),
);
const clickSum = aggregates.fold(
  () => 0,
  (sum: number, click: Click) => sum + click.n,
);
// @ts-expect-error a part of a struct that can't merge
aggregates.struct({ n: clickSum });
// @ts-expect-error a part of a struct that is no aggregate
aggregates.struct({ n: 1 });

// --- windows that merge need aggregates that merge
declare const sessions: MergingAssigner<unknown>;
const half = aggregates.mapResult((n: number) => n / 2);
const ofClick = aggregates.contramapInput((event: { readonly click: Click }) => event.click);
declare const wrapped$: EventStream<{ readonly click: Click }>;
// @ts-expect-error a fold can't
unkeyed$.pipe(windowBy(sessions, clickSum));
// @ts-expect-error nor can what is made of a fold
unkeyed$.pipe(windowBy(sessions, half(clickSum)));
// @ts-expect-error in a pipe too
unkeyed$.pipe(windowBy(sessions, pipe(clickSum, half)));
// @ts-expect-error nor one for other inputs
wrapped$.pipe(windowBy(sessions, ofClick(clickSum)));
// what merges still does
const clickTotal = aggregates.sum((click: Click) => click.n);
unkeyed$.pipe(windowBy(sessions, clickTotal));
unkeyed$.pipe(windowBy(sessions, half(clickTotal)));
unkeyed$.pipe(windowBy(sessions, pipe(clickTotal, half)));
wrapped$.pipe(windowBy(sessions, ofClick(clickTotal)));
wrapped$.pipe(windowBy(sessions, pipe(clickTotal, half, ofClick)));
// --- nor a state a window
unkeyed$.pipe(processWindowBy(sessions, clickTotal, { keyState: () => [0], onPane: (total) => [total] }));
// @ts-expect-error a window may become part of another
unkeyed$.pipe(processWindowBy(sessions, clickTotal, { windowState: () => [0], onPane: (total) => [total] }));
// @ts-expect-error a string would fall apart
unkeyed$.pipe(processWindowBy(sessions, clickTotal, { onPane: (total) => `${total}` }));

// --- windows of their own kind
// @ts-expect-error a session needs what merges
unkeyed$.pipe(sessionWindow(5, clickSum));
// @ts-expect-error the same through the assigner
unkeyed$.pipe(windowBy(assigners.session(5), clickSum));
// @ts-expect-error the trigger of a session must merge
unkeyed$.pipe(sessionWindow(5, aggregates.count(), { trigger: triggers.delta((a: Click, b: Click) => b.n - a.n, 3) }));
const stateful = {
  create: () => ({ n: 0 }),
  onRecord: (_click: Click, state: { n: number }) => (state.n++ > 3 ? 'fire' : 'continue'),
} as const;
// @ts-expect-error and so must one of one's own
unkeyed$.pipe(sessionWindow(5, aggregates.count(), { trigger: triggers.custom(stateful) }));
// @ts-expect-error also inside another
unkeyed$.pipe(sessionWindow(5, aggregates.count(), { trigger: triggers.repeatedly(triggers.custom(stateful)) }));
const merging = triggers.custom({ ...stateful, merge: (left: { n: number }, right: { n: number }) => ({ n: left.n + right.n }) });
unkeyed$.pipe(sessionWindow(5, aggregates.count(), { trigger: merging }));
unkeyed$.pipe(sessionWindow(5, aggregates.count(), { trigger: triggers.afterWatermark({ early: triggers.afterCount(2) }) }));
unkeyed$.pipe(slidingWindow(10, 5, aggregates.count(), { trigger: triggers.custom(stateful) }));
declare const surge: Trigger<{ readonly load: number }>;
// @ts-expect-error a trigger of other records
unkeyed$.pipe(tumblingWindow(5, aggregates.count(), { trigger: surge }));
declare const zoned: Trigger<unknown, { readonly start: number; readonly end: number; readonly zone: string }>;
// @ts-expect-error a trigger of other windows
unkeyed$.pipe(globalWindow(zoned, aggregates.count()));
const byLoad = evictors.delta((a: { readonly load: number }, b: { readonly load: number }) => b.load - a.load, 3);
// @ts-expect-error an evictor of other records
unkeyed$.pipe(tumblingWindow(5, aggregates.count(), { evict: byLoad }));
// @ts-expect-error the trigger comes first
unkeyed$.pipe(globalWindow(triggers.afterCount(3), aggregates.count(), { trigger: triggers.afterCount(3) }));
// @ts-expect-error count windows have no lateness
unkeyed$.pipe(countWindow(3, aggregates.count(), { allowedLateness: 3 }));
// @ts-expect-error no such panes
unkeyed$.pipe(slidingWindow(10, 5, aggregates.count(), { panes: 'retract' }));

// --- configs
declare const maybe: number | undefined;
// @ts-expect-error an option is given or left out, never undefined
unkeyed$.pipe(tumblingWindow(5, aggregates.count(), { allowedLateness: maybe }));
// @ts-expect-error no such clock
unkeyed$.pipe(tumblingWindow(5, aggregates.count(), { clock: 'wall' }));
// @ts-expect-error no such option
unkeyed$.pipe(tumblingWindow(5, aggregates.count(), { lateness: 5 }));
// @ts-expect-error no such interval
clicks$.pipe(assignWatermarks(bounded, { timestamp: (click) => click.at, interval: 'tick' }));

// --- where late records go
const late = sideOutput<StreamRecord<Click>>();
const keyedLate = sideOutput<StreamRecord<Click, string>>();
unkeyed$.pipe(tumblingWindow(5, aggregates.count(), { lateTo: late }));
unkeyed$.pipe(tumblingWindow(5, aggregates.count(), { lateTo: new Subject<StreamRecord<Click>>() }));
keyed$.pipe(tumblingWindow(5, aggregates.count(), { lateTo: keyedLate }));
keyed$.pipe(tumblingWindow(5, aggregates.count(), { lateTo: (element) => element.value.page?.length ?? element.key.length }));
// @ts-expect-error these have a key
keyed$.pipe(tumblingWindow(5, aggregates.count(), { lateTo: late }));
// @ts-expect-error these have none
unkeyed$.pipe(tumblingWindow(5, aggregates.count(), { lateTo: keyedLate }));

// --- elements
// @ts-expect-error plain values have no event time yet
clicks$.pipe(tumblingWindow(5));
// @ts-expect-error a callback sees the value, not the record
keyed$.pipe(mapValue((click) => click.timestamp));
// @ts-expect-error elements are not changed
record('a', 1).timestamp = 2;
// @ts-expect-error results are not changed
keyed$.pipe(tumblingWindow(5)).pipe(mapValue((result) => result.value.push()));

import { readdirSync } from 'node:fs';
import { none, some } from 'fp-ts/lib/Option.js';
import {
  debounceTime,
  endWith,
  ignoreElements,
  merge,
  NEVER,
  Observable,
  of,
  Subject,
  type Subscriber,
  Subscription,
  take,
  takeUntil,
  tap,
} from 'rxjs';
import {
  type AggregateSpec,
  aggregates,
  alignment,
  asOfJoinWith,
  assigners,
  assignWatermarks,
  changes,
  closeWhenQuiet,
  coGroupWith,
  concatMapValue,
  coProcessWith,
  countWindow,
  cumulativeWindow,
  dedupe,
  fillGaps,
  filterMapValue,
  filterValue,
  firstPerKey,
  flatMapValue,
  fromElements,
  fromGenerator,
  fromSource,
  fromTimestamped,
  globalWindow,
  intervalJoinWith,
  keyBy,
  lastPerKey,
  mapValue,
  mergeMapValue,
  pattern,
  processWindowBy,
  processWith,
  reassignWatermarks,
  record,
  recordArrivals,
  replay,
  type StreamElement,
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
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProbeScheduler } from '../helpers/probeScheduler.js';

/** What a pipeline under test is built from. */
interface Tools {
  /** What feeds it. */
  readonly source: Subject<StreamElement<number>>;
  /** What feeds the other input, if it has two. */
  readonly other: Subject<StreamElement<number>>;
  readonly scheduler: ProbeScheduler;
  /** Every user function calls it; fails once it is told to. */
  readonly user: () => void;
}

interface Pipeline {
  readonly build: (tools: Tools) => Observable<unknown>;
  /** Does it call user code at a record? */
  readonly calls: boolean;
  /** Does it call user code in a tick or timer, at 10 ms or later? */
  readonly ticks?: true;
  /** Does `other` feed it, too? */
  readonly two?: true;
}

const generator = (user: () => void) =>
  withIdleness(50)(fromGenerator<number>(() => ({ onRecord: user, onTick: (now) => now > 0 && user() })));

/** Counts, and calls user code at its result. */
const counting = (user: () => void): AggregateSpec<number, number, number> => ({
  create: () => 0,
  add: (n) => n + 1,
  result(n) {
    user();
    return n;
  },
});

/** `value`, after a call of user code. */
function called<A>(user: () => void, value: A): A {
  user();
  return value;
}

/** Values of the records of a stream of elements. */
const values = (source: Observable<StreamElement<number>>): Observable<number> => source.pipe(toValues());

const PIPELINES: Readonly<Record<string, Pipeline>> = {
  assignWatermarks: {
    build: ({ source, scheduler, user }) =>
      values(source).pipe(assignWatermarks<number>(generator(user), { timestamp: (n) => n, interval: 10, scheduler })),
    calls: true,
    ticks: true,
  },
  reassignWatermarks: {
    build: ({ source, scheduler, user }) =>
      source.pipe(reassignWatermarks<number, undefined>(generator(user), { interval: 10, scheduler })),
    calls: true,
    ticks: true,
  },
  'assignWatermarks on the default scheduler': {
    build: ({ source, user }) => values(source).pipe(assignWatermarks<number>(generator(user), { timestamp: (n) => n })),
    calls: true,
  },
  'assignWatermarks with a timer of idleness': {
    build: ({ source, scheduler, user }) =>
      values(source).pipe(assignWatermarks<number>(generator(user), { timestamp: (n) => n, interval: 'record', scheduler })),
    calls: true,
  },
  tumblingWindow: {
    build: ({ source, scheduler, user }) =>
      source.pipe(tumblingWindow<number, number, undefined>(10, counting(user), { scheduler })),
    calls: false,
  },
  'tumblingWindow by the clock': {
    build: ({ source, scheduler, user }) =>
      source.pipe(tumblingWindow<number, number, undefined>(10, counting(user), { scheduler, clock: 'processing' })),
    calls: false,
    ticks: true,
  },
  'tumblingWindow by the clock on the default scheduler': {
    build: ({ source, user }) =>
      source.pipe(tumblingWindow<number, number, undefined>(10, counting(user), { clock: 'processing' })),
    calls: false,
  },
  windowBy: {
    build: ({ source, scheduler, user }) =>
      source.pipe(
        windowBy<number, number, undefined, { start: number; end: number }>(
          assigners.tumbling(10, { clock: 'processing' }),
          counting(user),
          { scheduler },
        ),
      ),
    calls: false,
    ticks: true,
  },
  slidingWindow: {
    build: ({ source, scheduler, user }) =>
      source.pipe(slidingWindow<number, number, undefined>(10, 5, counting(user), { scheduler, clock: 'processing' })),
    calls: false,
    ticks: true,
  },
  cumulativeWindow: {
    build: ({ source, scheduler, user }) =>
      source.pipe(cumulativeWindow<number, number, undefined>(5, 10, counting(user), { scheduler, clock: 'processing' })),
    calls: false,
    ticks: true,
  },
  sessionWindow: {
    build: ({ source, scheduler, user }) =>
      source.pipe(sessionWindow(() => called(user, 10), aggregates.count(), { scheduler, clock: 'processing' })),
    calls: true,
  },
  globalWindow: {
    build: ({ source, scheduler, user }) =>
      source.pipe(
        globalWindow<number, number, undefined>(triggers.every(5, 'processing', { repeat: true }), counting(user), { scheduler }),
      ),
    calls: false,
    ticks: true,
  },
  countWindow: {
    build: ({ source, user }) => source.pipe(countWindow<number, number, undefined>(1, counting(user))),
    calls: true,
  },
  processWindowBy: {
    build: ({ source, scheduler, user }) =>
      source.pipe(
        processWindowBy(
          assigners.tumbling(10, { clock: 'processing' }),
          aggregates.count(),
          { onPane: (n) => called(user, [n]) },
          { scheduler },
        ),
      ),
    calls: false,
    ticks: true,
  },
  closeWhenQuiet: {
    build: ({ source, scheduler }) => source.pipe(closeWhenQuiet({ quiet: 10, ahead: 10, scheduler })),
    calls: false,
  },
  fillGaps: {
    build: ({ source, user }) =>
      source.pipe(
        tumblingWindow(10, aggregates.count()),
        fillGaps(() => called(user, 0)),
      ),
    calls: false,
  },
  sideOutput: {
    build: ({ source, user }) => {
      const late = sideOutput<unknown>();
      late.subscribe(user);
      return source.pipe(tumblingWindow<number, number, undefined>(10, counting(user), { lateTo: late }));
    },
    calls: false,
  },
  fromSource: {
    build: ({ source, scheduler, user }) =>
      fromSource<number, number>(
        (context) =>
          values(source).subscribe({
            next: (n) => context.collect(n),
            error: (cause) => context.error(cause),
            complete: () => context.complete(),
          }),
        {
          time: 'ingestion',
          interval: 10,
          idleTimeout: 50,
          scheduler,
          key(n) {
            user();
            return n;
          },
        },
      ),
    calls: true,
  },
  fromTimestamped: {
    build: ({ source }) => fromTimestamped(source.pipe(toTimestamped())),
    calls: false,
  },
  fromElements: { build: ({ source }) => merge(source, fromElements(record(1, 1))), calls: false },
  mapValue: { build: ({ source, user }) => source.pipe(mapValue(user)), calls: true },
  tapValue: { build: ({ source, user }) => source.pipe(tapValue(user)), calls: true },
  keyBy: { build: ({ source, user }) => source.pipe(keyBy(user)), calls: true },
  unkey: { build: ({ source }) => source.pipe(unkey()), calls: false },
  toValues: { build: ({ source }) => source.pipe(toValues()), calls: false },
  toTimestamped: { build: ({ source }) => source.pipe(toTimestamped()), calls: false },
  toWatermarks: { build: ({ source }) => source.pipe(toWatermarks()), calls: false },
  filterValue: { build: ({ source, user }) => source.pipe(filterValue(() => called(user, true))), calls: true },
  filterMapValue: {
    build: ({ source, user }) => source.pipe(filterMapValue((n) => called(user, n > 0 ? some(n) : none))),
    calls: true,
  },
  flatMapValue: { build: ({ source, user }) => source.pipe(flatMapValue((n) => called(user, [n]))), calls: true },
  concatMapValue: { build: ({ source, user }) => source.pipe(concatMapValue((n) => called(user, of(n)))), calls: true },
  mergeMapValue: { build: ({ source, user }) => source.pipe(mergeMapValue((n) => called(user, of(n)))), calls: true },
  union: { build: ({ source, other }) => union(source, other), calls: false, two: true },
  'union, aligned': {
    build: ({ source, other }) => union(source, other, { alignment: alignment({ maxDrift: 0 }) }),
    calls: false,
    two: true,
  },
  unionWith: { build: ({ source, other }) => source.pipe(unionWith(other)), calls: false, two: true },
  unionAll: { build: ({ source, other }) => of(source, other).pipe(unionAll()), calls: false, two: true },
  intervalJoinWith: {
    build: ({ source, other }) => source.pipe(intervalJoinWith(other, { lower: -5, upper: 5, kind: 'full' })),
    calls: false,
    two: true,
  },
  windowJoinWith: {
    build: ({ source, other }) => source.pipe(windowJoinWith(other, assigners.tumbling(10))),
    calls: false,
    two: true,
  },
  'windowJoinWith by the clock': {
    build: ({ source, other, scheduler }) =>
      source.pipe(windowJoinWith(other, assigners.tumbling(10, { clock: 'processing' }), { scheduler })),
    calls: false,
    two: true,
  },
  coGroupWith: {
    build: ({ source, other, user }) =>
      source.pipe(
        coGroupWith(
          other,
          assigners.dynamicSession(() => called(user, 3)),
        ),
      ),
    calls: true,
    two: true,
  },
  asOfJoinWith: { build: ({ source, other }) => source.pipe(asOfJoinWith(other)), calls: false, two: true },
  temporalJoinWith: {
    build: ({ source, other }) => source.pipe(temporalJoinWith(other)),
    calls: false,
    two: true,
  },
  processWith: {
    build: ({ source, scheduler, user }) =>
      source.pipe(
        processWith(
          {
            create: () => null,
            onRecord: (n, _state, { timers }) => called(user, [n, timers.processingTime(10), timers.eventTime(1_000)]),
            onTimer: user,
          },
          { scheduler },
        ),
      ),
    calls: true,
    ticks: true,
  },
  coProcessWith: {
    build: ({ source, other, scheduler, user }) =>
      source.pipe(
        coProcessWith(
          other,
          {
            create: () => null,
            onLeft: (n, _state, { timers }) => called(user, [n, timers.processingTime(10)]),
            onRight: (n, _state, { timers }) => called(user, [n, timers.eventTime(1_000)]),
            onTimer: user,
          },
          { scheduler },
        ),
      ),
    calls: true,
    ticks: true,
    two: true,
  },
  sortByEventTime: { build: ({ source }) => source.pipe(sortByEventTime()), calls: false },
  dedupe: { build: ({ source, user }) => source.pipe(dedupe((n) => called(user, n), { within: 10 })), calls: true },
  firstPerKey: { build: ({ source }) => source.pipe(firstPerKey({ within: 10 })), calls: false },
  lastPerKey: { build: ({ source }) => source.pipe(lastPerKey({ within: 10 })), calls: false },
  changes: { build: ({ source, user }) => source.pipe(changes((n) => called(user, n), { within: 10 })), calls: true },
  pattern: {
    build: ({ source, user }) => source.pipe(pattern([{ name: 'any', where: () => called(user, true) }], { within: 10 })),
    calls: true,
  },
  withEventTime: {
    build: ({ source, user }) =>
      source.pipe(withEventTime((values$, scheduler) => values$.pipe(tap(user), debounceTime(5, scheduler)))),
    calls: true,
  },
  'withEventTime, one for each key': {
    build: ({ source, user }) =>
      source.pipe(
        keyBy((n) => n),
        withEventTime((values$, scheduler) => values$.pipe(tap(user), debounceTime(5, scheduler)), {
          perKey: true,
          forgetAfter: 10,
        }),
      ),
    calls: true,
  },
  recordArrivals: { build: ({ source, scheduler, user }) => source.pipe(recordArrivals(user, { scheduler })), calls: true },
  replay: {
    build: ({ source, scheduler, user }) =>
      replay(
        [
          { at: 0, notification: { kind: 'N', value: 1 } },
          { at: 50, notification: { kind: 'N', value: 2 } },
        ],
        (values$) => values$.pipe(tap(user)),
        { scheduler },
      ).pipe(takeUntil(source.pipe(ignoreElements(), endWith('the end')))),
    calls: false,
    ticks: true,
  },
};

/** Gives all inputs the same. */
function feed({ source, other }: Pick<Tools, 'source' | 'other'>, ...elements: ReadonlyArray<StreamElement<number>>): void {
  for (const element of elements) for (const input of [source, other]) input.next(element);
}

/** The ways in which a stream can end, each bringing it about. */
const ENDS: Readonly<Record<string, (tools: Tools & { fail(): void; unsubscribe(): void }, pipeline: Pipeline) => void>> = {
  completion({ source, other }) {
    source.complete();
    other.complete();
  },
  'an error of the source': ({ source }) => source.error(new Error('from the source')),
  'an error of the other input': ({ other }) => other.error(new Error('from the other')),
  unsubscription: ({ unsubscribe }) => unsubscribe(),
  'an error of a user function': (tools) => {
    tools.fail();
    feed(tools, record(6, 6), watermark(7)); // what sorts its input calls user code at the watermark
  },
  'an error in a tick': ({ scheduler, fail }) => {
    fail();
    scheduler.advanceTo(1_000);
  },
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(pipeline: Pipeline) {
  const source = new Subject<StreamElement<number>>();
  const other = new Subject<StreamElement<number>>();
  const scheduler = new ProbeScheduler();
  let failing = false;
  const user = (): void => {
    if (failing) throw new Error('from user code');
  };
  const ends: string[] = [];
  const subscription = pipeline.build({ source, other, scheduler, user }).subscribe({
    error: (error: Error) => ends.push(error.message),
    complete: () => ends.push('completed'),
  });
  return {
    source,
    other,
    scheduler,
    user,
    ends,
    fail: () => {
      failing = true;
    },
    unsubscribe: () => subscription.unsubscribe(),
    left: () => ({ observed: source.observed || other.observed, pending: scheduler.pending, hostTimers: vi.getTimerCount() }),
  };
}

const NOTHING = { observed: false, pending: 0, hostTimers: 0 };

describe('nothing is left behind', () => {
  it('by any operator there is: the table has them all', () => {
    const operators = readdirSync(new URL('../../src/operators', import.meta.url), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name.replace(/\.ts$/, ''));
    expect(operators.filter((name) => !(name in PIPELINES))).toEqual([]);
  });

  for (const [name, pipeline] of Object.entries(PIPELINES)) {
    for (const [end, bring] of Object.entries(ENDS)) {
      if (end === 'an error of a user function' && !pipeline.calls) continue;
      if (end === 'an error in a tick' && pipeline.ticks === undefined) continue;
      if (end === 'an error of the other input' && pipeline.two === undefined) continue;
      it(`${name}, after ${end}`, () => {
        const run = start(pipeline);
        feed(run, record(1, 1), watermark(5), record(3, 3));
        expect([run.source.observed, run.other.observed]).toEqual([true, pipeline.two ?? false]);
        if (pipeline.ticks) expect(run.scheduler.pending).toBeGreaterThan(0); // there is something to leave behind
        bring(run, pipeline);
        expect(run.left()).toEqual(NOTHING);
        const told = {
          completion: ['completed'],
          'an error of the source': ['from the source'],
          'an error of the other input': ['from the other'],
          unsubscription: [],
        }[end];
        expect(run.ends).toEqual(told ?? ['from user code']);
      });
    }

    it(`${name}, when downstream has enough`, () => {
      const run = start({ ...pipeline, build: (tools) => pipeline.build(tools).pipe(take(1)) });
      feed(run, record(1, 1), record(3, 3), watermark(9), watermark(19));
      run.scheduler.advanceTo(1_000);
      vi.advanceTimersByTime(1_000);
      expect(run.ends).toEqual(['completed']);
      expect(run.left()).toEqual(NOTHING);
    });

    it(`${name}, unsubscribed from inside its first element`, () => {
      const inside = new Subscription();
      const run = start({
        ...pipeline,
        build: (tools) => {
          inside.add(pipeline.build(tools).subscribe(() => inside.unsubscribe()));
          return NEVER;
        },
      });
      feed(run, record(1, 1), record(3, 3), watermark(9), watermark(19));
      run.scheduler.advanceTo(1_000);
      vi.advanceTimersByTime(1_000);
      expect(inside.closed).toBe(true);
      expect(run.left()).toEqual(NOTHING);
    });
  }
});

describe('work that has not come back', () => {
  for (const [name, operator] of Object.entries({ concatMapValue, mergeMapValue })) {
    for (const end of ['unsubscription', 'an error of the source', 'an error of the work'] as const) {
      it(`${name}, after ${end}`, () => {
        const source = new Subject<StreamElement<number>>();
        const work = new Subject<number>();
        const errors: unknown[] = [];
        const subscription = source.pipe(operator(() => work)).subscribe({ error: (error) => errors.push(error) });
        source.next(record(1, 1));
        source.next(record(2, 2));
        expect(work.observed).toBe(true);
        if (end === 'unsubscription') subscription.unsubscribe();
        else if (end === 'an error of the source') source.error('boom');
        else work.error('boom');
        expect([source.observed, work.observed]).toEqual([false, false]);
        expect(errors).toEqual(end === 'unsubscription' ? [] : ['boom']);
      });
    }

    it(`${name}, completed while work goes on: waits for it, and then nothing is left`, () => {
      const source = new Subject<StreamElement<number>>();
      const work = new Subject<number>();
      const seen: unknown[] = [];
      source.pipe(operator(() => work)).subscribe({ next: (e) => seen.push(e), complete: () => seen.push('|') });
      source.next(record(1, 1));
      source.complete();
      expect([work.observed, seen]).toEqual([true, []]);
      work.next(7);
      work.complete();
      expect(seen).toStrictEqual([record(7, 1), '|']);
      expect(work.observed).toBe(false);
    });
  }

  for (const [name, operator] of Object.entries({ concatMapValue, mergeMapValue })) {
    it(`${name}: what a broken source says after its end, while work goes on, is dropped`, () => {
      let say: Subscriber<StreamElement<number>> | undefined;
      const broken = new Observable<StreamElement<number>>((out) => {
        say = out;
      });
      const work = new Subject<number>();
      const seen: unknown[] = [];
      broken
        .pipe(operator(() => work))
        .subscribe({ next: (e) => seen.push(e), error: () => seen.push('#'), complete: () => seen.push('|') });
      say?.next(record(1, 1));
      say?.complete();
      say?.next(record(2, 2));
      say?.error(new Error('after'));
      work.next(7);
      work.complete();
      expect(seen).toStrictEqual([record(7, 1), '|']);
    });
  }

  it('a source that never says anything holds no timer of a window', () => {
    const scheduler = new ProbeScheduler();
    const subscription = NEVER.pipe(
      tumblingWindow<number, number, undefined>(
        10,
        counting(() => {}),
        { scheduler, clock: 'processing' },
      ),
    ).subscribe();
    expect(scheduler.pending).toBe(0);
    subscription.unsubscribe();
  });
});

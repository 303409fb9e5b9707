import { from, Subject } from 'rxjs';
import {
  type Aggregate,
  aggregates,
  assignWatermarks,
  boundedOutOfOrderness,
  fromGenerator,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  noWatermarks,
  type StreamElement,
} from 'tidemark';
import { ManualScheduler } from 'tidemark/testing';
import { compareRows } from '../compareRows.js';
import type { Json } from '../json.js';
import { type Difference, listener, NotYetSupported } from '../outcome.js';
import { bytewaxJoin } from '../peerJoins.js';
import { refuseBehindButOpen } from '../rows.js';
import { resultsOf } from '../run.js';
import { assignerOf, type WindowSpec, windowOperators } from '../windows.js';

interface Entry {
  readonly key: string;
  readonly value: unknown;
  readonly ts: number;
}

/** The operators, one line each. */
const OPERATORS: Readonly<Record<string, (vector: Json) => Difference>> = {
  windowedCollect,
  sessionMerge,
  assignWindows,
  watermarkGenerator,
  windowJoin: bytewaxJoin,
};

/** Replays bytewax. */
export function bytewax(vector: Json): Difference {
  const replay = OPERATORS[vector['operator'] as string];
  if (replay === undefined) throw new NotYetSupported(`the operator ${vector['operator']}`);
  return replay(vector);
}

/** bytewax's words for windows in ours: the grid begins at 0. */
function windowsOf({ period, ...spec }: Json): WindowSpec {
  return { ...(spec as unknown as WindowSpec), ...(period === undefined ? {} : { slide: period as number }) };
}

/**
 * A session ends with its last element there and is closed when the watermark is *past* last + gap; ours ends a gap later,
 * and is closed when the watermark reaches that. So its end is shown a gap earlier, and the watermark is 1 ms behind: applied
 * to all sessions, here (docs/parity.md).
 */
const SESSIONS = { delay: 1 };

/** The whole input, then the end. Each key has a watermark of its own there: here, a stream of its own. */
function windowedCollect(vector: Json): Difference {
  const windows = windowsOf(vector['windowFn'] as Json);
  const { delay = 0 } = vector['watermark'] as { readonly delay?: number };
  const input = vector['input'] as ReadonlyArray<Entry>;
  const { gap } = windows;
  const wait = gap === undefined ? delay : delay + SESSIONS.delay;
  const keys = [...new Set(input.map(({ key }) => key))];
  const width = windows.slide ?? windows.size ?? 1;
  const late: Entry[] = [];
  const operators = windowOperators<Entry, ReadonlyArray<unknown>>(windows, inTimeOrder(), {
    lateTo: ({ value }) => late.push(value),
  });
  for (const key of keys) {
    const times = input.filter((entry) => entry.key === key).map(({ ts }) => [ts]);
    refuseBehindButOpen(times, delay, (ts) =>
      Math.max(
        ...assignerOf(windows)
          .assign(undefined, ts, ts)
          .map(({ end }) => end),
      ),
    );
  }
  for (const operator of operators) {
    late.length = 0;
    const actual = keys.flatMap((key) =>
      resultsOf(
        from(input.filter((entry) => entry.key === key)).pipe(
          // bytewax's watermark, max − delay, says "nothing before it"; ours is the ms before
          assignWatermarks(boundedOutOfOrderness<Entry>(wait), {
            timestamp: ({ ts }) => ts,
            key: (entry): unknown => entry.key,
            interval: 'record',
          }),
          operator(),
        ),
      ).map(({ window: { start, end }, value }, nth) => ({
        key,
        windowId: gap === undefined ? start / width : nth, // sessions are numbered
        values: value,
        window: { start, end: end - (gap ?? 0) },
      })),
    );
    const difference =
      compareRows('results', vector['expect'] as ReadonlyArray<Json>, actual, 'perKey') ??
      compareRows(
        'late',
        vector['late'] as ReadonlyArray<Json>,
        late.map((entry) => ({ ...entry })),
        'perKey',
      );
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** bytewax puts the elements of a window in the order of their time, the earlier arrival first; here the aggregate does. */
function inTimeOrder(): Aggregate<Entry, ReadonlyArray<unknown>> {
  const all = aggregates.collect<Entry>();
  return { ...all, result: (state) => [...all.result(state)].sort((a, b) => a.ts - b.ts).map(({ value }) => value) };
}

/** The sessions of elements that come in this order, when all have come. */
function sessionMerge(vector: Json): Difference {
  const windows = windowsOf(vector['windowFn'] as Json);
  const times = vector['input'] as ReadonlyArray<number>;
  for (const operator of windowOperators<number, number>(
    windows,
    aggregates.max((ts) => ts),
    {},
  )) {
    const actual = resultsOf(
      from(times).pipe(
        assignWatermarks(noWatermarks<number>(), { timestamp: (ts) => ts, key: (): unknown => undefined }),
        operator(),
      ),
    ).map(({ window, value }) => ({ start: window.start, lastTimestamp: value }));
    const difference = compareRows('sessions', vector['expect'] as ReadonlyArray<Json>, actual);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** A table from timestamps to windows. */
function assignWindows(vector: Json): Difference {
  const assigner = assignerOf(windowsOf(vector['windowFn'] as Json));
  const cases = vector['cases'] as ReadonlyArray<{ readonly ts: number; readonly windows: ReadonlyArray<Json> }>;
  for (const { ts, windows } of cases) {
    const actual = assigner.assign(undefined, ts, ts).map(({ start, end }) => ({ start, end }));
    const difference = compareRows(
      `windows of ${ts}`,
      windows,
      actual.sort((a, b) => a.start - b.start),
    );
    if (difference !== undefined) return difference;
  }
  return undefined;
}

interface ClockStep {
  readonly element?: number;
  readonly elementSameBatch?: number;
  readonly advanceClock?: number;
  readonly end?: true;
  readonly watermark?: number | 'max';
}

/** The clock's watermark: a generator of one's own, asked after every element. */
function watermarkGenerator(vector: Json): Difference {
  const { delay = 0 } = vector['generator'] as { readonly delay?: number };
  const scheduler = new ManualScheduler();
  const input = new Subject<number>();
  let watermark = MIN_TIMESTAMP;
  const strategy = fromGenerator<number>(() => {
    let lead = MIN_TIMESTAMP; // of the watermark over the clock
    return {
      onRecord(_value, timestamp, output) {
        lead = Math.max(lead, timestamp - delay - output.now());
      },
      onTick(now, output) {
        output.emit(lead + now - 1); // "nothing before" there is "nothing at or before" here
      },
    };
  });
  input.pipe(assignWatermarks(strategy, { timestamp: (ts) => ts, interval: 'record', scheduler })).subscribe(
    listener((element: StreamElement<number>) => {
      if (element._tag === 'Watermark') watermark = element.timestamp;
    }),
  );
  for (const [i, step] of (vector['steps'] as ReadonlyArray<ClockStep>).entries()) {
    const element = step.element ?? step.elementSameBatch;
    if (element !== undefined) input.next(element);
    if (step.advanceClock !== undefined) scheduler.advanceBy(step.advanceClock);
    if (step.end) input.complete();
    const actual = watermark === MAX_TIMESTAMP ? 'max' : watermark + 1;
    if (step.watermark !== undefined && actual !== step.watermark) {
      return `  step ${i} ${JSON.stringify(step)}\n    expected ${step.watermark}\n    actual   ${actual}`;
    }
  }
  return undefined;
}

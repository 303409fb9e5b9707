import { Subject } from 'rxjs';
import {
  aggregates,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  record,
  type StreamElement,
  type WindowConfig,
  type WindowResult,
  watermark,
} from 'tidemark';
import { ManualScheduler } from 'tidemark/testing';
import { canonical, type Json } from '../json.js';
import { type Difference, listener, NotExpressible } from '../outcome.js';
import { triggerConfig, type WindowSpec, windowOperators } from '../windows.js';

interface BeamStep {
  readonly input?: ReadonlyArray<{ readonly ts: number; readonly value: unknown }>;
  readonly watermark?: number;
  readonly advanceClock?: number;
  readonly expect?: ReadonlyArray<Json>;
  readonly state?: unknown;
}

/**
 * Beam's watermark T says "nothing before T", ours "nothing at or before", and Beam drops an element only when T is past
 * end + lateness, where Flink does when it reaches it. Applied to the whole engine, here (docs/parity.md).
 */
const BEAM = { watermark: -1, allowedLateness: 1 };

/** Beam's test clock fires a timer for t when it reaches t, as Flink's does. */
const BEAM_TEST_CLOCK = { timerLag: 0 };

/** Replays Beam: panes of one key, element by element. */
export function beam(vector: Json): Difference {
  const steps = vector['steps'] as ReadonlyArray<BeamStep>;
  const elements = steps.map((step) => step.input?.length ?? 0);
  if (vector['bundleSensitive'] === true && Math.max(...elements) > 1) {
    throw new NotExpressible('triggers are evaluated after a whole bundle');
  }
  if (vector['mustFail'] === undefined) {
    refuseEmptyPanes(steps);
    refuseLateByTheClock(steps);
    return replay(vector, steps);
  }
  const difference = replay(vector, steps);
  return difference === undefined ? `  a wrong expectation was accepted (${vector['mustFail']})` : undefined;
}

/** Beam fires on time even when the early panes have left nothing; a window here puts out what it holds, or nothing (V4). */
function refuseEmptyPanes(steps: ReadonlyArray<BeamStep>): void {
  const empty = ({ values }: Json) => Array.isArray(values) && values.length === 0;
  if (steps.some(({ expect = [] }) => expect.some(empty))) throw new NotExpressible('a pane without a value in it');
}

/** Beam's Python SDK calls a pane late that the clock fires, wherever the watermark is; here the watermark alone says what is late (V7). */
function refuseLateByTheClock(steps: ReadonlyArray<BeamStep>): void {
  let now = -Infinity;
  for (const { watermark = now, expect = [] } of steps) {
    now = watermark;
    const late = expect.find(
      ({ timing, window }) => timing !== undefined && ![timing].flat().includes('early') && lastOf(window) > now,
    );
    if (late !== undefined) throw new NotExpressible('a pane is late though the watermark has not reached the end of its window');
  }
}

function lastOf(window: unknown): number {
  return (window as { readonly end?: number } | undefined)?.end ?? -Infinity;
}

/**
 * Beam judges the lateness of an element by its own window, before sessions merge; here it is judged after that (V2). Where
 * an element is kept that Beam has dropped, the case can't go on.
 */
function isExpired(windows: WindowSpec, lateness: number, ts: number, watermark: number): boolean {
  return windows.kind === 'sessionsApart' && ts + (windows.gap as number) + lateness < watermark;
}

function replay(vector: Json, steps: ReadonlyArray<BeamStep>): Difference {
  const trigger = vector['trigger'] as Json & { readonly kind: string };
  const combiner = vector['timestampCombiner'];
  if (combiner !== undefined && combiner !== 'endOfWindow') {
    if (combiner !== 'earliest' && combiner !== 'latest')
      throw new NotExpressible(`the timestamp combiner ${combiner}: output times beyond those of the elements`);
  }
  const windows = windowsOf(vector['windowFn'] as Json & { readonly kind: string });
  const allowedLateness = vector['allowedLateness'] as number;
  let late = 0;
  const config: WindowConfig<unknown, unknown> = {
    allowedLateness: allowedLateness + BEAM.allowedLateness,
    panes: vector['accumulationMode'] as 'accumulating' | 'discarding',
    lateTo: () => {
      late++;
    },
    ...(combiner === 'earliest' || combiner === 'latest' ? { resultTime: combiner as 'earliest' | 'latest' } : {}),
    ...(trigger.kind === 'default' ? {} : triggerConfig(trigger.kind, trigger)),
  };
  for (const variant of windowOperators(windows, aggregates.collect<unknown>(), config).keys()) {
    const clock = new ManualScheduler(BEAM_TEST_CLOCK);
    const operators = windowOperators(windows, aggregates.collect<unknown>(), { ...config, scheduler: clock });
    const operator = operators[variant] as (typeof operators)[0];
    const input = new Subject<StreamElement<unknown, unknown>>();
    let out: Json[] = [];
    let time = -Infinity;
    input.pipe(operator()).subscribe(
      listener((element) => {
        if (element._tag === 'Record') out.push(paneOf(element.value, element.timestamp));
      }),
    );
    for (const [i, step] of steps.entries()) {
      for (const { ts, value } of step.input ?? []) {
        const dropped = late;
        input.next(record(value, ts));
        if (late === dropped && isExpired(windows, allowedLateness, ts, time)) {
          throw new NotExpressible(
            'an element whose own window is over is dropped, although it belongs to a session that is open',
          );
        }
      }
      time = step.watermark ?? time;
      if (step.watermark !== undefined) input.next(watermark(step.watermark + BEAM.watermark));
      if (step.advanceClock !== undefined) clock.advanceBy(step.advanceClock);
      if (step.expect === undefined) continue;
      const difference = comparePanes(i, step.expect, out);
      if (difference !== undefined) return difference;
      out = [];
    }
  }
  return undefined;
}

function paneOf({ window, value, pane }: WindowResult<ReadonlyArray<unknown>, unknown>, timestamp: number): Json {
  return {
    window: window.start === MIN_TIMESTAMP ? { global: true } : { start: window.start, end: window.end },
    values: value,
    timestamp: timestamp === MAX_TIMESTAMP ? 'maxTimestamp' : timestamp,
    timing: pane.timing,
    index: pane.index,
    nonSpeculativeIndex: pane.onTimeIndex,
    isFirst: pane.index === 0,
    isLast: pane.last,
  };
}

/** The panes of a step are a set, and so are the values of a pane. A pane is held to what is asserted of it. */
function comparePanes(step: number, expected: ReadonlyArray<Json>, actual: ReadonlyArray<Json>): Difference {
  const left = [...actual];
  const missing = expected.filter((pane) => {
    const at = left.findIndex((candidate) => satisfies(candidate, pane));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  if (missing.length === 0 && left.length === 0) return undefined;
  return [
    `  step ${step}`,
    ...missing.map((pane) => `    missing    ${canonical(pane)}`),
    ...left.map((pane) => `    unexpected ${canonical(pane)}`),
  ].join('\n');
}

function satisfies(actual: Json, asserted: Json): boolean {
  return Object.entries(asserted).every(([field, value]) => {
    if (field === 'timing') return [value].flat().includes(actual['timing']);
    if (field === 'values') return asSet(actual['values']) === asSet(value);
    return canonical(actual[field]) === canonical(value);
  });
}

function asSet(values: unknown): string {
  return (values as ReadonlyArray<unknown>).map(canonical).sort().join('\n');
}

/** Beam's sessions stay apart when they only touch. */
const KINDS: Readonly<Record<string, string>> = { fixed: 'tumbling', session: 'sessionsApart' };

/** Beam's words for windows in ours. */
function windowsOf({ kind, period, ...spec }: Json & { readonly kind: string }): WindowSpec {
  const slide = period === undefined ? {} : { slide: period as number };
  return { ...(spec as unknown as WindowSpec), ...slide, kind: KINDS[kind] ?? kind };
}

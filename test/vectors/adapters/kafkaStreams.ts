import { Subject } from 'rxjs';
import {
  type Aggregate,
  aggregates,
  assignWatermarks,
  boundedOutOfOrderness,
  type WindowConfig,
  type WindowResult,
} from 'tidemark';
import { compareRows, orderOf } from '../compareRows.js';
import type { Json } from '../json.js';
import { type Difference, listener, NotExpressible, NotYetSupported } from '../outcome.js';
import { kafkaJoin } from '../peerJoins.js';
import { columnsIn, rowOf } from '../rows.js';
import { assignerOf, triggerConfig, type WindowSpec, windowOperators } from '../windows.js';

interface Entry {
  readonly key: string;
  readonly value: unknown;
  readonly ts: number;
}

interface KafkaStep {
  readonly input?: Entry;
  readonly expect?: ReadonlyArray<Json>;
}

/** What comes out of the windows of a case. */
type Result = WindowResult<Json, unknown>;

/** How a case puts out rows, in our words. */
interface Emission {
  readonly delay: number;
  readonly config: WindowConfig<Entry, unknown>;
  /** In which order the rows of one record come. */
  readonly order: (results: ReadonlyArray<Result>) => ReadonlyArray<Result>;
}

/** Replays Kafka Streams: one record a step, and what comes out with it. */
export function kafkaStreams(vector: Json): Difference {
  if (vector['operator'] === 'intervalJoin') return kafkaJoin(vector);
  if (vector['operator'] !== 'windowedAggregate') throw new NotYetSupported(`the operator ${vector['operator']}`);
  const windows = windowsOf(vector['windowFn'] as Json & { readonly kind: string });
  const steps = vector['steps'] as ReadonlyArray<KafkaStep>;
  const { delay, config, order } = emission(vector['emit'] as string, vector['grace'] as number, windows);
  if (vector['emit'] === 'onWindowClose' && windows.slide !== undefined) refuseExpired(steps, windows, vector['grace'] as number);
  const columns = columnsIn(steps.flatMap((step) => step.expect ?? []));
  for (const operator of windowOperators(windows, row(), config)) {
    const input = new Subject<Entry>();
    let out: Result[] = [];
    input
      .pipe(
        assignWatermarks(boundedOutOfOrderness<Entry>(delay), {
          timestamp: ({ ts }) => ts,
          key: ({ key }): unknown => key,
          interval: 'record',
        }),
        operator(),
      )
      .subscribe(
        listener((element) => {
          if (element._tag === 'Record') out.push(element.value);
        }),
      );
    for (const [i, step] of steps.entries()) {
      if (step.input !== undefined) input.next(step.input);
      if (step.expect === undefined) continue;
      const rows = order(out).map((result) => shown(result, columns, windows.gap ?? 0));
      const difference = compareRows(`step ${i}`, step.expect, rows, orderOf(vector['ordered']));
      if (difference !== undefined) return difference;
      out = [];
    }
  }
  return undefined;
}

/**
 * The store of a windowed aggregate keeps windows that start at most size + grace before the newest one. A record that moves
 * time far enough makes it forget windows that are still open, so that their final result never comes out. Here each comes.
 */
function refuseExpired(steps: ReadonlyArray<KafkaStep>, windows: WindowSpec, grace: number): void {
  const { size = 0, slide = size } = windows;
  const starts = new Set<number>();
  let time = -Infinity;
  for (const { input } of steps) {
    if (input === undefined) continue;
    const before = time;
    time = Math.max(time, input.ts);
    const newest = Math.floor(time / slide) * slide;
    for (const start of starts) {
      if (start + size + grace > before && start < newest - size - grace) {
        throw new NotExpressible('a window that the store has forgotten before its final result could come out');
      }
    }
    for (const { start } of assignerOf(windows).assign(undefined, input.ts, 0)) starts.add(start);
  }
}

/**
 * A session ends with its last record there, a gap later here, and is closed when stream time is *past* end + gap + grace: our
 * watermark is 1 ms behind for them. Applied to all sessions, here (docs/parity.md).
 */
const SESSIONS = { delay: 1 };

/**
 * Kafka Streams has no watermark: time is the largest timestamp. A window is closed when that reaches end + grace, so the
 * final result of a window is ours under a watermark of max − grace − 1: the grace is the delay of the bounded strategy. Rows
 * at each change are firings of each record under a watermark without delay, with the grace as allowed lateness. A session that
 * has changed withdraws its row first: panes that retract. Of the windows of one record it begins with the earliest, we with
 * the latest.
 */
function emission(emit: string, grace: number, { gap }: WindowSpec): Emission {
  const past = gap === undefined ? 0 : SESSIONS.delay;
  const asIs = (results: ReadonlyArray<Result>) => results;
  if (emit === 'onWindowClose' || emit === 'suppressUntilClose') return { delay: grace + past, config: {}, order: asIs };
  if (emit !== 'onWindowUpdate') throw new NotYetSupported(`the emission ${emit}`);
  const config = { ...triggerConfig('eachRecord', {}), allowedLateness: grace };
  if (gap === undefined) return { delay: 0, config, order: (results) => [...results].reverse() };
  return { delay: past, config: { ...config, panes: 'retracting' }, order: asIs };
}

/** A row under the names of the case: the end of a session is a gap earlier, and what is withdrawn has no values. */
function shown({ window, ...result }: Result, columns: ReadonlyArray<string>, gap: number): Json {
  const { retraction } = result.pane;
  const value = { ...result.value, retraction: retraction ? true : undefined, ...(retraction ? { values: null } : {}) };
  return rowOf({ ...result, value, window: { start: window.start, end: window.end - gap } }, columns);
}

/** The values in order of arrival, and the largest timestamp, with which Kafka Streams stamps a row. */
function row(): Aggregate<Entry, Json> {
  return aggregates.struct<Entry, { values: ReadonlyArray<unknown>; count: number; timestamp: number }>({
    values: aggregates.mapResult((entries: ReadonlyArray<Entry>) => entries.map(({ value }) => value))(
      aggregates.collect<Entry>(),
    ),
    count: aggregates.count(),
    timestamp: aggregates.max(({ ts }) => ts),
  }) as unknown as Aggregate<Entry, Json>;
}

/** Kafka Streams' words for windows in ours. */
function windowsOf({ kind, ...spec }: Json & { readonly kind: string }): WindowSpec {
  if (kind === 'hopping') return { kind: 'slidingFromZero', size: spec['size'] as number, slide: spec['advance'] as number };
  if (kind === 'slidingPair') {
    throw new NotExpressible(
      'record-aligned sliding windows: their bounds depend on the other records of the key, no assigner can give them',
    );
  }
  return { kind, ...spec } as WindowSpec;
}

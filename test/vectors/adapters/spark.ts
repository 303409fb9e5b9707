import { Subject } from 'rxjs';
import {
  assignWatermarks,
  boundedOutOfOrderness,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  toWatermarks,
  triggers,
  union,
  type WindowConfig,
  type WindowResult,
} from 'tidemark';
import { ManualScheduler } from 'tidemark/testing';
import { compareRows, orderOf } from '../compareRows.js';
import type { Json } from '../json.js';
import { type Difference, listener, NotExpressible, NotYetSupported } from '../outcome.js';
import { columnsIn, rowOf } from '../rows.js';
import { columnsOf, type Row, rowAggregate } from '../sqlAggregates.js';
import { type WindowSpec, windowOperators } from '../windows.js';

interface SparkStep {
  readonly input?: ReadonlyArray<Row>;
  readonly expect?: ReadonlyArray<Json>;
  readonly expectTotal?: ReadonlyArray<Json>;
  readonly engineWatermark?: string;
}

/** How long a batch is, ms: rows at its start, the watermark at its end. */
const BATCH = 4;

/**
 * The modes, one line each. Update mode puts out each window that has changed, once, at the end of the batch and before
 * the watermark rises: firings by the clock in the middle of it.
 */
const MODES: Readonly<Record<string, WindowConfig<Row, unknown>>> = {
  onWindowClose: {},
  onUpdate: { trigger: triggers.every(BATCH / 2, 'processing'), allowDataLoss: true },
};

/** Replays Spark: a micro-batch is what comes between two ticks, and only the tick moves the watermark. */
export function spark(vector: Json): Difference {
  if (vector['operator'] === 'combineWatermarks') return combined(vector);
  if (vector['operator'] !== 'windowedAggregate') throw new NotYetSupported(`the operator ${vector['operator']}`);
  const mode = MODES[vector['emit'] as string];
  if (mode === undefined) {
    throw new NotExpressible(`the mode ${vector['emit']}: the whole table again after each batch, with no window ever closed`);
  }
  const steps = vector['steps'] as ReadonlyArray<SparkStep>;
  const { delay = 0 } = vector['watermark'] as { readonly delay?: number };
  const { keyBy, keyOf } = keyed(vector['keyBy']);
  const columns = columnsIn(steps.flatMap((step) => step.expect ?? []));
  const aggregate = rowAggregate(columnsOf(vector['aggregate'] as string));
  for (const variant of windowOperators(windowsOf(vector['windowFn'] as Json), aggregate, mode).keys()) {
    const scheduler = new ManualScheduler();
    const operators = windowOperators(windowsOf(vector['windowFn'] as Json), aggregate, { ...mode, scheduler });
    const operator = operators[variant] as (typeof operators)[0];
    const input = new Subject<Row>();
    let out: WindowResult<Json, unknown>[] = [];
    let watermark = MIN_TIMESTAMP;
    // Spark's watermark, max − delay, says "nothing before it"; ours is the ms before
    input
      .pipe(
        assignWatermarks(boundedOutOfOrderness<Row>(delay), {
          timestamp: (row) => row['ts'] as number,
          key: keyOf,
          interval: BATCH,
          scheduler,
        }),
        operator(),
      )
      .subscribe(
        listener((element) => {
          if (element._tag === 'Record') out.push(element.value);
          else watermark = element.timestamp;
        }),
      );
    for (const [i, step] of steps.entries()) {
      if (step.input !== undefined) {
        for (const row of step.input) input.next(row);
        scheduler.advanceBy(BATCH);
      }
      if (step.expect === undefined) continue;
      const rows = out.map((result) => rowOf(result, columns, keyBy));
      const difference = compareRows(`step ${i}`, step.expect, rows, orderOf(vector['ordered'])) ?? reported(i, step, watermark);
      if (difference !== undefined) return difference;
      out = [];
    }
  }
  return undefined;
}

/** A key is a column, or a column times a number. */
function keyed(keyBy: unknown): { readonly keyBy: string | undefined; readonly keyOf: (row: Row) => unknown } {
  if (typeof keyBy !== 'string') return { keyBy: undefined, keyOf: () => undefined };
  const [, column = '', factor] = /^(\w+)(?: \* (\d+))?$/.exec(keyBy) ?? [];
  if (column === '') throw new NotYetSupported(`the key ${keyBy}`);
  return {
    keyBy: column,
    keyOf: (row) => (factor === undefined ? row[column] : (row[column] as number) * Number(factor)),
  };
}

/** What Spark reported as its watermark, which begins at 0. */
function reported(i: number, { engineWatermark }: SparkStep, watermark: number): Difference {
  if (engineWatermark === undefined || watermark === MAX_TIMESTAMP) return undefined;
  const actual = new Date(Math.max(0, watermark + 1)).toISOString();
  return actual === engineWatermark
    ? undefined
    : `  step ${i}, watermark\n    expected ${engineWatermark}\n    actual   ${actual}`;
}

function combined(vector: Json): Difference {
  if (vector['policy'] !== 'min') {
    throw new NotExpressible(
      `the policy ${vector['policy']} for two inputs: a watermark beyond an input's own would break that input's promise`,
    );
  }
  const delays = vector['delays'] as Readonly<Record<'left' | 'right', number>>;
  const scheduler = new ManualScheduler();
  const stamped = (input: Subject<number>, delay: number) =>
    input.pipe(assignWatermarks(boundedOutOfOrderness<number>(delay), { timestamp: (time) => time, interval: 1, scheduler }));
  const left = new Subject<number>();
  const right = new Subject<number>();
  let watermark = MIN_TIMESTAMP;
  union(stamped(left, delays.left), stamped(right, delays.right))
    .pipe(toWatermarks())
    .subscribe(
      listener((time) => {
        watermark = time;
      }),
    );
  const initial = vector['initial'] as number;
  for (const [i, step] of (vector['steps'] as ReadonlyArray<CombineStep>).entries()) {
    for (const time of step.left) left.next(time);
    for (const time of step.right) right.next(time);
    scheduler.advanceBy(1);
    // Spark's says "nothing before it", ours is the ms before
    const actual = Math.max(initial, watermark + 1);
    if (actual !== step.watermark) return `  step ${i}\n    expected ${step.watermark}\n    actual   ${actual}`;
  }
  return undefined;
}

interface CombineStep {
  readonly left: ReadonlyArray<number>;
  readonly right: ReadonlyArray<number>;
  readonly watermark: number;
}

/** Spark's words for windows in ours. */
function windowsOf({ period, ...spec }: Json): WindowSpec {
  return { ...(spec as unknown as WindowSpec), ...(period === undefined ? {} : { slide: period as number }) };
}

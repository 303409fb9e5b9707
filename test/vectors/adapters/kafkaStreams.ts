import { Subject } from 'rxjs';
import { type Aggregate, aggregates, assignWatermarks, boundedOutOfOrderness } from 'tidemark';
import { compareRows, orderOf } from '../compareRows.js';
import type { Json } from '../json.js';
import { type Difference, NotExpressible, NotYetSupported } from '../outcome.js';
import { kafkaJoin } from '../peerJoins.js';
import { columnsIn, rowOf } from '../rows.js';
import { triggerConfig, type WindowSpec, windowOperators } from '../windows.js';

interface Entry {
  readonly key: string;
  readonly value: unknown;
  readonly ts: number;
}

interface KafkaStep {
  readonly input?: Entry;
  readonly expect?: ReadonlyArray<Json>;
}

/** Replays Kafka Streams: one record a step, and what comes out with it. */
export function kafkaStreams(vector: Json): Difference {
  if (vector['operator'] === 'intervalJoin') return kafkaJoin(vector);
  if (vector['operator'] !== 'windowedAggregate') throw new NotYetSupported(`the operator ${vector['operator']}`);
  const windows = windowsOf(vector['windowFn'] as Json & { readonly kind: string });
  const steps = vector['steps'] as ReadonlyArray<KafkaStep>;
  const { delay, config } = emission(vector['emit'] as string, vector['grace'] as number);
  const columns = columnsIn(steps.flatMap((step) => step.expect ?? []));
  for (const operator of windowOperators(windows, row(), config)) {
    const input = new Subject<Entry>();
    let out: Json[] = [];
    input
      .pipe(
        assignWatermarks(boundedOutOfOrderness<Entry>(delay), {
          timestamp: ({ ts }) => ts,
          key: ({ key }): unknown => key,
          interval: 'record',
        }),
        operator(),
      )
      .subscribe((element) => {
        if (element._tag === 'Record') out.push(rowOf(element.value, columns));
      });
    for (const [i, step] of steps.entries()) {
      if (step.input !== undefined) input.next(step.input);
      if (step.expect === undefined) continue;
      const difference = compareRows(`step ${i}`, step.expect, out, orderOf(vector['ordered']));
      if (difference !== undefined) return difference;
      out = [];
    }
  }
  return undefined;
}

/**
 * Kafka Streams has no watermark: time is the largest timestamp. A window is closed when that reaches end + grace, so the
 * final result of a window is ours under a watermark of max − grace − 1: the grace is the delay of the bounded strategy. Rows
 * at each change are early and late firings under a watermark without delay, with the grace as allowed lateness.
 */
function emission(emit: string, grace: number): { readonly delay: number; readonly config: Json } {
  if (emit === 'onWindowClose' || emit === 'suppressUntilClose') return { delay: grace, config: {} };
  if (emit === 'onWindowUpdate') return { delay: 0, config: { ...triggerConfig('eachRecord', {}), allowedLateness: grace } };
  throw new NotYetSupported(`the emission ${emit}`);
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
  if (kind === 'hopping') return { kind: 'sliding', size: spec['size'] as number, slide: spec['advance'] as number };
  if (kind === 'slidingPair') {
    throw new NotExpressible(
      'record-aligned sliding windows: their bounds depend on the other records of the key, no assigner can give them',
    );
  }
  return { kind, ...spec } as WindowSpec;
}

import { type Observable, Subject } from 'rxjs';
import {
  coProcessWith,
  fromSource,
  keyBy,
  MIN_TIMESTAMP,
  type ProcessContext,
  processWindowBy,
  processWith,
  reassignWatermarks,
  type SourceContext,
  type StreamElement,
  type StreamRecord,
  type TimeCharacteristic,
  union,
  type WatermarkStrategy,
  type WindowConfig,
  type Windowed,
} from 'tidemark';
import { ManualScheduler } from 'tidemark/testing';
import type { Json } from '../json.js';
import { NotYetSupported } from '../outcome.js';
import { assignerOf, evictorConfig, triggerConfig, type WindowSpec, windowOperators } from '../windows.js';
import { aggregateOf, type Contextual, contextProcess } from './aggregates.js';
import { fromTime, type Item, type Operator, Reader, type Step, stamped, toTime } from './format.js';
import { coGroupStage, intervalJoinStage, windowJoinStage } from './joins.js';
import { scriptOf } from './script.js';
import { stampOf, strategyOf } from './strategies.js';

/** What leaves a stage: the record as the vectors write it, and as the next stage takes it. */
export interface Passed {
  readonly shown: Json;
  readonly item: Item;
}

/** Where a stage puts its side outputs. */
export type Side = (item: Json) => void;

/**
 * Flink's test clock fires a timer for t when it reaches t, a real one at t + 1. The whole engine is replayed with the
 * former, here (rule T6, docs/parity.md).
 */
export const FLINK_TEST_CLOCK = { timerLag: 0 };

/** One operator under replay, with a clock of its own. */
export abstract class Stage {
  readonly scheduler: ManualScheduler;
  private passed: StreamElement<Passed, unknown>[] = [];
  /** The error that ended it, in a box. */
  failure: { readonly cause: unknown } | undefined;
  completed = false;

  constructor(start = 0) {
    this.scheduler = new ManualScheduler({ ...FLINK_TEST_CLOCK, start });
  }

  /** A step of the case other than the clock and the end, for one of the inputs. */
  abstract feed(step: Step, input: number): void;
  /** An element of the stage before. */
  abstract accept(element: StreamElement<Item, unknown>): void;
  /** The end of input. */
  abstract end(): void;

  /** What has come out since the last time. */
  take(): StreamElement<Passed, unknown>[] {
    const passed = this.passed;
    this.passed = [];
    return passed;
  }

  protected listen<A>(output: Observable<StreamElement<A, unknown>>, pass: (value: A, timestamp: number) => Passed): void {
    output.subscribe({
      next: (element) =>
        this.passed.push(element._tag === 'Watermark' ? element : { ...element, value: pass(element.value, element.timestamp) }),
      error: (cause: unknown) => {
        this.failure = { cause };
      },
      complete: () => {
        this.completed = true;
      },
    });
  }
}

/** An operator with one input. */
class OperatorStage extends Stage {
  private readonly input = new Subject<StreamElement<Item, unknown>>();
  protected readonly reader = new Reader();

  feed(step: Step): void {
    const element = this.reader.read(step);
    if (element === undefined) throw new NotYetSupported(`the step ${JSON.stringify(step)}`);
    this.input.next(element);
  }
  accept(element: StreamElement<Item, unknown>): void {
    this.input.next(element);
  }
  end(): void {
    this.input.complete();
  }
  through<A>(
    build: (input: Observable<StreamElement<Item, unknown>>) => Observable<StreamElement<A, unknown>>,
    pass: (value: A, timestamp: number) => Passed,
  ): this {
    this.listen(build(this.input), pass);
    return this;
  }
}

export type Input = Observable<StreamElement<Item, unknown>>;

/** An operator with several inputs; what a stage before it puts out goes into the first. */
export class InputsStage extends Stage {
  private readonly inputs: ReadonlyArray<{ readonly reader: Reader; readonly subject: Subject<StreamElement<Item, unknown>> }>;

  constructor(
    count: number,
    start: number,
    /** What a watermark on an idle input does: a valve ignores it, other operators take the input for active. */
    private readonly whileIdle: 'ignored' | 'wakes',
  ) {
    super(start);
    this.inputs = Array.from({ length: count }, () => ({ reader: new Reader(), subject: new Subject() }));
  }

  feed(step: Step, input: number): void {
    const { reader, subject } = this.inputs[input] as (typeof this.inputs)[0];
    if (step.watermark !== undefined && reader.isIdle) {
      if (this.whileIdle === 'ignored') return; // unsayable where a watermark carries its idleness
      reader.read({ active: true });
    }
    const element = reader.read(step);
    if (element === undefined) throw new NotYetSupported(`the step ${JSON.stringify(step)}`);
    subject.next(element);
  }
  accept(element: StreamElement<Item, unknown>): void {
    this.inputs[0]?.subject.next(element);
  }
  end(): void {
    for (const { subject } of this.inputs) subject.complete();
  }
  through<A>(
    build: (...inputs: ReadonlyArray<Input>) => Observable<StreamElement<A, unknown>>,
    pass: (value: A, timestamp: number) => Passed,
  ): this {
    this.listen(build(...this.inputs.map(({ subject }) => subject)), pass);
    return this;
  }
}

const CHARACTERISTICS: Readonly<Record<string, TimeCharacteristic>> = {
  EventTime: 'event',
  IngestionTime: 'ingestion',
  ProcessingTime: 'processing',
};

/** A source that is told what to do step by step. */
class SourceStage extends Stage {
  private context: SourceContext<Item> | undefined;

  constructor(spec: Operator, start: number) {
    super(start);
    const { timeCharacteristic = 'EventTime', interval, idleTimeout } = spec;
    const time = CHARACTERISTICS[timeCharacteristic as string];
    if (time === undefined) throw new NotYetSupported(`the time characteristic ${timeCharacteristic}`);
    const run = (context: SourceContext<Item>): void => {
      this.context = context;
    };
    const config = {
      time,
      scheduler: this.scheduler,
      ...(interval === undefined ? {} : { interval: intervalOf(interval) }),
      ...(idleTimeout === undefined ? {} : { idleTimeout: idleTimeout as number }),
    };
    this.listen(fromSource(run, config), passItem);
  }

  feed(step: Step): void {
    if (step.record !== undefined) {
      const { timestamp, ...item } = step.record;
      if (timestamp === undefined) this.context?.collect(item);
      else this.context?.collectWithTimestamp(item, timestamp);
    } else if (step.watermark !== undefined) this.context?.emitWatermark(toTime(step.watermark));
    else if (step.idle) this.context?.markIdle();
    else throw new NotYetSupported(`the step ${JSON.stringify(step)} of a source`);
  }
  accept(): void {
    throw new Error('a source has no input');
  }
  end(): void {
    this.context?.complete();
  }
}

function sourceStage(spec: Operator, _side: Side, _variant: number, start: number): Stage {
  return new SourceStage(spec, start);
}

/** A stage by its kind; `variant` picks one of several operators that do the same. */
type MakeStage = (spec: Operator, side: Side, variant: number, start: number) => Stage;

/** The kinds of operators, one line each. */
const STAGES: Readonly<Record<string, MakeStage>> = {
  assigner: assignerStage,
  window: windowStage,
  valve: valveStage,
  source: sourceStage,
  process: processStage,
  connect: connectStage,
  intervalJoin: intervalJoinStage,
  join: (spec, _side, _variant, start) => windowJoinStage(spec, windowSpec(spec), start),
  coGroup: (spec, _side, _variant, start) => coGroupStage(spec, windowSpec(spec), start),
};

export function stageOf(spec: Operator, side: Side, variant: number, start: number): Stage {
  const make = STAGES[spec.kind];
  if (make === undefined) throw new NotYetSupported(`the operator ${spec.kind}`);
  return make(spec, side, variant, start);
}

/** How many operators do what this one does. */
export function variantsOf(spec: Operator): number {
  if (spec.kind !== 'window' || spec['aggregate'] === 'context') return 1;
  return windowOperators(windowSpec(spec), aggregateOf('list'), {}).length;
}

function passItem(item: Item, timestamp: number): Passed {
  return { shown: stamped({ ...item }, timestamp), item };
}

/** An interval of 0 means no ticks in Flink and is `Infinity` here, for the whole engine (docs/parity.md). */
export function intervalOf(interval: unknown): number {
  return interval === 0 ? Infinity : (interval as number);
}

function assignerStage(spec: Operator, side: Side, _variant: number, start: number): Stage {
  const settings = spec['strategy'] as Parameters<typeof strategyOf>[0];
  const strategy = strategyOf(settings, spec['emitProgressiveWatermarks'] !== false, (timestamp, last) =>
    side({ violation: { timestamp: fromTime(timestamp), last: fromTime(last) } }),
  );
  const timestamp = stampOf(settings);
  const stage = new OperatorStage(start);
  const config = {
    interval: intervalOf(spec['interval'] ?? 200),
    scheduler: stage.scheduler,
    ...(timestamp === undefined ? {} : { timestamp }),
  };
  return stage.through(reassignWatermarks<Item, unknown>(strategy as WatermarkStrategy<Item>, config), passItem);
}

function valveStage(spec: Operator, _side: Side, _variant: number, start: number): Stage {
  const inputs = (spec['inputs'] as number | undefined) ?? 1;
  return new InputsStage(inputs, start, 'ignored').through((...streams) => union(...streams), passItem);
}

function processStage(spec: Operator, _side: Side, _variant: number, start: number): Stage {
  const stage = new OperatorStage(start);
  const script = scriptOf(spec);
  return stage.through((input) => input.pipe(processWith(script, { scheduler: stage.scheduler })), passShown);
}

function connectStage(spec: Operator, _side: Side, _variant: number, start: number): Stage {
  const stage = new InputsStage(2, start, 'wakes');
  const { create, onRecord, onTimer } = scriptOf(spec);
  const [onLeft, onRight] = [0, 1].map(
    (input) =>
      (value: Item, state: undefined, context: ProcessContext<unknown>): Json[] =>
        onRecord(value, state, context).map((shown) => ({ ...shown, input })),
  ) as [typeof onRecord, typeof onRecord];
  return stage.through(
    (left, right) =>
      (left as Input).pipe(coProcessWith(right as Input, { create, onLeft, onRight, onTimer }, { scheduler: stage.scheduler })),
    passShown,
  );
}

function passShown(shown: Json, timestamp: number): Passed {
  return { shown: stamped(shown, timestamp), item: { key: shown['key'], value: shown } };
}

/** Flink's assigners in our words: processing time is a clock here, not a kind. */
function windowSpec(spec: Operator): WindowSpec {
  const { type, ...rest } = spec['assigner'] as Json & { readonly type: string };
  const byClock = type.endsWith('ProcessingTime');
  return { ...rest, kind: byClock ? type.slice(0, -'ProcessingTime'.length) : type, clock: byClock ? 'processing' : 'event' };
}

function windowStage(spec: Operator, side: Side, variant: number, start: number): Stage {
  const keyed = spec['keyed'] !== false;
  const windows = windowSpec(spec);
  const trigger = spec['trigger'] as (Json & { readonly type: string }) | undefined;
  const evictor = spec['evictor'] as (Json & { readonly type: string }) | undefined;
  const ownDefault = windows.clock === 'processing' ? 'processingTime' : 'eventTime';
  const stage = new OperatorStage(start);
  const config: WindowConfig<Item, unknown> = {
    allowedLateness: toTime(spec['allowedLateness'] ?? 0),
    scheduler: stage.scheduler,
    ...(spec['sideOutputLate'] === true
      ? { lateTo: (late: StreamRecord<Item, unknown>) => side({ late: passItem(late.value, late.timestamp).shown }) }
      : {}),
    ...(trigger === undefined || trigger.type === ownDefault ? {} : triggerConfig(trigger.type, trigger)),
    ...(evictor === undefined ? {} : evictorConfig(evictor.type, evictor)),
  };
  const name = (spec['aggregate'] as string | undefined) ?? 'list';
  const byKey = keyBy((item: Item): unknown => (keyed ? item.key : undefined));
  if (name === 'context') {
    const operator: Windowed<Item, Contextual, unknown> = processWindowBy(
      assignerOf(windows),
      aggregateOf('list'),
      contextProcess(side),
      config,
    );
    return stage.through(
      (input) => input.pipe(byKey, operator),
      ({ key, window, value }, timestamp) => ({
        shown: stamped({ ...(keyed ? { key } : {}), window: windowOf(window), ...value }, timestamp),
        item: { key: keyed ? key : 'all', value: value.value },
      }),
    );
  }
  const build = windowOperators<Item, unknown>(windows, aggregateOf(name), config);
  const operator = (build[variant] ?? (build[0] as (typeof build)[0]))();
  return stage.through(
    (input) => operator(input.pipe(byKey)),
    ({ key, window, value }, timestamp) => ({
      shown: stamped({ ...(keyed ? { key } : {}), window: windowOf(window), value }, timestamp),
      item: { key: keyed ? key : 'all', value },
    }),
  );
}

function windowOf(window: { readonly start: number; readonly end: number }): unknown {
  return window.start === MIN_TIMESTAMP ? 'global' : { start: window.start, end: window.end };
}

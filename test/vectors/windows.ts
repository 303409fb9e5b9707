import type { Observable } from 'rxjs';
import {
  type Aggregate,
  assigners,
  countWindow,
  cumulativeWindow,
  type Evictor,
  evictors,
  globalWindow,
  type MergeableAggregate,
  type MergeableTrigger,
  type MergingAssigner,
  type MergingConfig,
  processWindowBy,
  type StreamElement,
  sessionWindow,
  slidingWindow,
  type TimeWindow,
  type Trigger,
  type TriggerResult,
  triggers,
  tumblingWindow,
  type WindowAssigner,
  type WindowConfig,
  type WindowResult,
  windowBy,
} from 'tidemark';
import type { Json } from './json.js';
import { NotYetSupported } from './outcome.js';

/** The windows of a case, in tidemark's own words whatever the engine calls them. */
export interface WindowSpec {
  readonly kind: string;
  readonly size?: number;
  readonly slide?: number;
  readonly step?: number;
  readonly offset?: number;
  readonly gap?: number;
  readonly clock?: 'event' | 'processing';
}

/** A window operator whose types don't matter any more. */
export type AnyWindowed<A, R> = (
  source: Observable<StreamElement<A, unknown>>,
) => Observable<StreamElement<WindowResult<R, unknown>, unknown>>;

type AnyAssigner = WindowAssigner<never> | MergingAssigner<never>;
type Config<A> = WindowConfig<A, unknown>;
type Build = <A, R>(spec: WindowSpec, aggregate: Aggregate<A, R>, config: Config<A>) => AnyWindowed<A, R>;

/** The assigners, one line each. */
const ASSIGNERS: Readonly<Record<string, (spec: WindowSpec) => AnyAssigner>> = {
  tumbling: (spec) => assigners.tumbling(need(spec.size), aligned(spec)),
  sliding: (spec) => assigners.sliding(need(spec.size), need(spec.slide), aligned(spec)),
  slidingFromZero: (spec) => fromZero(assigners.sliding(need(spec.size), need(spec.slide), aligned(spec))),
  cumulative: (spec) => assigners.cumulative(need(spec.step), need(spec.size), aligned(spec)),
  session: (spec) => assigners.session(need(spec.gap), clocked(spec)),
  dynamicSession: (spec) => assigners.dynamicSession(gapOf, clocked(spec)),
  sessionsApart: (spec) => sessionsApart(need(spec.gap)),
  global: () => assigners.global(),
  countTumbling: () => assigners.global(),
  countSliding: () => assigners.global(),
};

/** The operators that have a name of their own, one line each. */
const OPERATORS: Readonly<Record<string, Build>> = {
  tumbling: (spec, aggregate, config) => tumblingWindow(need(spec.size), aggregate, { ...config, ...aligned(spec) }),
  sliding: (spec, aggregate, config) =>
    slidingWindow(need(spec.size), need(spec.slide), aggregate, { ...config, ...aligned(spec) }),
  cumulative: (spec, aggregate, config) =>
    cumulativeWindow(need(spec.step), need(spec.size), aggregate, { ...config, ...aligned(spec) }),
  session: (spec, aggregate, config) =>
    sessionWindow(need(spec.gap), merging(aggregate), { ...mergingConfig(config), ...clocked(spec) }),
  dynamicSession: (spec, aggregate, config) =>
    sessionWindow(gapOf, merging(aggregate), { ...mergingConfig(config), ...clocked(spec) }),
  global: (_spec, aggregate, { trigger = triggers.never(), ...config }) => globalWindow(trigger, aggregate, config),
  countTumbling: (spec, aggregate) => countWindow(need(spec.size), aggregate),
  countSliding: (spec, aggregate) => countWindow(need(spec.size), aggregate, { slide: need(spec.slide) }),
};

/** What windows of a kind have besides their assigner, one line each: there a count window is a global one with a trigger. */
const DEFAULTS: Readonly<Record<string, (spec: WindowSpec) => Config<unknown>>> = {
  global: () => ({ allowDataLoss: true }),
  countTumbling: (spec) => ({ trigger: triggers.purging(triggers.afterCount(need(spec.size))) }),
  countSliding: (spec) => ({ trigger: triggers.afterCount(need(spec.slide)), evict: evictors.count(need(spec.size)) }),
};

/** The triggers, one line each; the key is their name in the case. */
const TRIGGERS: Readonly<Record<string, (trigger: Json) => Trigger<never, never>>> = {
  eventTime: () => triggers.eventTime(),
  processingTime: () => triggers.processingTime(),
  continuousEventTime: ({ interval }) => triggers.every(interval as number, 'event', { repeat: true }),
  continuousProcessingTime: ({ interval }) => triggers.every(interval as number, 'processing', { repeat: true }),
  count: ({ n }) => triggers.afterCount(n as number),
  purging: ({ inner }) => triggers.purging(triggerOf(inner)),
  delta: ({ threshold }) => triggers.delta(difference, threshold as number),
  processingTimeout: ({ inner, timeout, resetTimerOnNewRecord, shouldClearOnTimeout }) =>
    triggers.timeout(triggerOf(inner), {
      after: timeout as number,
      resetOnRecord: resetTimerOnNewRecord as boolean,
      clearOnTimeout: shouldClearOnTimeout as boolean,
    }),
  earlyLate: ({ earlyCount, late }) =>
    triggers.afterWatermark({
      ...(earlyCount === 0 ? {} : { early: triggers.afterCount(earlyCount as number) }),
      ...(late === false ? { late: triggers.never() } : {}),
    }),
  earlyProcessing: ({ interval, late }) =>
    triggers.afterWatermark({
      early: triggers.afterProcessingTime(interval as number),
      ...(late === false ? { late: triggers.never() } : {}),
    }),
  byValue: ({ onEventTime }) => byValue(RESULTS[onEventTime as string] ?? 'continue'),
  // Kafka Streams
  eachRecord: () => triggers.afterCount(1),
  // Beam: a trigger is bare, it finishes unless something repeats it
  afterCount: ({ count }) => triggers.once(triggers.afterCount(count as number)),
  afterProcessingTime: ({ delay }) => triggers.once(triggers.afterProcessingTime(delay as number)),
  afterWatermark: ({ early, late }) =>
    triggers.once(
      triggers.afterWatermark({
        ...(early === undefined ? {} : { early: repeated(early) }),
        ...(late === undefined ? {} : { late: repeated(late) }),
      }),
    ),
  repeatedly: ({ trigger, of }) => triggers.repeatedly(triggerOf(trigger ?? of)),
  afterAny: ({ of }) => triggers.afterFirst(...(of as ReadonlyArray<unknown>).map(triggerOf)),
  afterAll: ({ of }) => triggers.afterAll(...(of as ReadonlyArray<unknown>).map(triggerOf)),
  afterEach: ({ of }) => triggers.inOrder(...(of as ReadonlyArray<unknown>).map(triggerOf)),
};

/** The evictors, one line each. */
const EVICTORS: Readonly<Record<string, (evictor: Json) => Evictor<never>>> = {
  count: ({ n, after }) => evictors.count(n as number, { after: after === true }),
  time: ({ size, after }) => evictors.time(size as number, { after: after === true }),
  delta: ({ threshold, after }) => evictors.delta(difference, threshold as number, { after: after === true }),
};

const RESULTS: Readonly<Record<string, TriggerResult>> = {
  CONTINUE: 'continue',
  FIRE: 'fire',
  PURGE: 'purge',
  FIRE_AND_PURGE: 'fireAndPurge',
};

/** A trigger of a case, by its name under `type` (Flink) or `kind` (Beam). */
function triggerOf(trigger: unknown): MergeableTrigger<never, never> {
  const { type, kind } = trigger as { readonly type?: string; readonly kind?: string };
  const name = type ?? kind ?? '';
  const make = TRIGGERS[name];
  if (make === undefined) throw new NotYetSupported(`the trigger ${name}`);
  return make(trigger as Json) as MergeableTrigger<never, never>;
}

/** What fires before and after the watermark repeats by itself, in Beam too. */
function repeated(trigger: unknown): MergeableTrigger<never, never> {
  return triggers.repeatedly(triggerOf(trigger));
}

/** The script of a test trigger: the value says what happens. */
function byValue(onEventTime: TriggerResult): Trigger<never, never> {
  return triggers.custom<{ readonly value: number }, null, unknown>({
    create: () => null,
    onRecord(item, _state, context) {
      context.onEventTime(context.maxTimestamp);
      return (['continue', 'fire', 'purge', 'fireAndPurge'] as const)[item.value % 10] ?? 'continue';
    },
    onEventTime: (timestamp, _state, context) => (timestamp === context.maxTimestamp ? onEventTime : 'continue'),
  });
}

function difference(older: { readonly value: number }, newer: { readonly value: number }): number {
  return newer.value - older.value;
}

/** The gap of a session that each element gives. */
function gapOf(item: unknown): number {
  return (item as { readonly value: number }).value;
}

/** Kafka Streams: no window starts before 0. */
function fromZero(assigner: WindowAssigner<unknown>): WindowAssigner<unknown> {
  return {
    ...assigner,
    assign: (value, timestamp, now) => assigner.assign(value, timestamp, now).filter(({ start }) => start >= 0),
  };
}

/** Beam's sessions: windows that only touch stay apart. */
function sessionsApart(gap: number): MergingAssigner<unknown> {
  return {
    ...assigners.session(gap),
    merge(windows) {
      const groups: TimeWindow[][] = [];
      for (const window of [...windows].sort((a, b) => a.start - b.start)) {
        const last = groups.at(-1);
        if (last !== undefined && window.start < Math.max(...last.map(({ end }) => end))) last.push(window);
        else groups.push([window]);
      }
      return groups.map((parts) => {
        const end = Math.max(...parts.map((part) => part.end));
        return [{ start: Math.min(...parts.map(({ start }) => start)), end }, parts] as const;
      });
    },
  };
}

/**
 * The operators for windows of this kind, all to be replayed: the one with a name of its own, `windowBy`, and
 * `processWindowBy` with a function that changes nothing. All must give the same.
 */
export function windowOperators<A, R>(
  given: WindowSpec,
  aggregate: Aggregate<A, R>,
  config: Config<A>,
): ReadonlyArray<() => AnyWindowed<A, R>> {
  const spec = canonicalKind(given);
  const { kind } = spec;
  if (ASSIGNERS[kind] === undefined) throw new NotYetSupported(`${kind} windows`);
  const named = OPERATORS[kind];
  const full = (): Config<A> => ({ ...DEFAULTS[kind]?.(spec), ...config });
  return [
    ...(named === undefined ? [] : [() => named(spec, aggregate, full())]),
    () => windowBy(assignerOf(spec), aggregate, full()),
    () => processWindowBy(assignerOf(spec), aggregate, { onPane: (value: R) => [value] }, full()),
  ];
}

/** The assigner of such windows; one that merges, too, is one that doesn't for the types. */
export function assignerOf(given: WindowSpec): WindowAssigner<unknown> {
  const spec = canonicalKind(given);
  const make = ASSIGNERS[spec.kind];
  if (make === undefined) throw new NotYetSupported(`the assigner of ${spec.kind} windows`);
  return make(spec) as WindowAssigner<unknown>;
}

/** An assigner that may merge. */
export function anyAssignerOf(spec: WindowSpec): WindowAssigner<unknown> | MergingAssigner<unknown> {
  return spec.kind === 'session' ? assigners.session(need(spec.gap), clocked(spec)) : assignerOf(spec);
}

/** What a trigger of this name adds to the config. */
export function triggerConfig(name: string, trigger: Json): Config<unknown> {
  return { trigger: triggerOf({ kind: name, ...trigger }) as Trigger<unknown>, allowDataLoss: true };
}

/** What an evictor of this name adds to the config. */
export function evictorConfig(name: string, evictor: Json): Config<unknown> {
  const make = EVICTORS[name];
  if (make === undefined) throw new NotYetSupported(`the evictor ${name}`);
  return { evict: make(evictor) as Evictor<unknown> };
}

/** Sliding by a whole size is tumbling. */
function canonicalKind(spec: WindowSpec): WindowSpec {
  return spec.kind === 'sliding' && spec.slide === spec.size ? { ...spec, kind: 'tumbling' } : spec;
}

function need(value: number | undefined): number {
  if (value === undefined) throw new Error('a window without one of its sizes');
  return value;
}

function merging<A, R>(aggregate: Aggregate<A, R>): MergeableAggregate<A, R> {
  return aggregate as MergeableAggregate<A, R>;
}

function mergingConfig<A>(config: Config<A>): MergingConfig<A, unknown> {
  return config as MergingConfig<A, unknown>;
}

function aligned(spec: WindowSpec): { offset: number; clock: 'event' | 'processing' } {
  return { offset: spec.offset ?? 0, ...clocked(spec) };
}

function clocked({ clock = 'event' }: WindowSpec): { clock: 'event' | 'processing' } {
  return { clock };
}

import type { Observable } from 'rxjs';
import {
  type Aggregate,
  assigners,
  countWindow,
  cumulativeWindow,
  type Evictor,
  evictors,
  type MergeableAggregate,
  type MergeableTrigger,
  type MergingAssigner,
  type MergingConfig,
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

type Config<A> = WindowConfig<A, unknown>;
type Build = <A, R>(spec: WindowSpec, aggregate: Aggregate<A, R>, config: Config<A>) => AnyWindowed<A, R>;

/**
 * The operators that make windows of a kind, one line each. All of those of a line are replayed, and all must give the same:
 * a specialised operator and the general one are held to the same vectors.
 */
const KINDS: Readonly<Record<string, ReadonlyArray<Build>>> = {
  tumbling: [
    (spec, aggregate, config) => tumblingWindow(need(spec.size), aggregate, { ...config, ...aligned(spec) }),
    (spec, aggregate, config) => windowBy(assigners.tumbling(need(spec.size), aligned(spec)), aggregate, config),
  ],
  sliding: [
    (spec, aggregate, config) => slidingWindow(need(spec.size), need(spec.slide), aggregate, { ...config, ...aligned(spec) }),
    (spec, aggregate, config) => windowBy(assigners.sliding(need(spec.size), need(spec.slide), aligned(spec)), aggregate, config),
  ],
  cumulative: [
    (spec, aggregate, config) => cumulativeWindow(need(spec.step), need(spec.size), aggregate, { ...config, ...aligned(spec) }),
  ],
  session: [(spec, aggregate, config) => sessionWindow(need(spec.gap), merging(aggregate), { ...mergingConfig(config), ...clocked(spec) })],
  dynamicSession: [
    <A, R>(spec: WindowSpec, aggregate: Aggregate<A, R>, config: Config<A>) =>
      sessionWindow<A, R, unknown>((item) => (item as { readonly value: number }).value, merging(aggregate), {
        ...mergingConfig(config),
        ...clocked(spec),
      }),
  ],
  sessionsApart: [(spec, aggregate, config) => windowBy(sessionsApart(need(spec.gap)), merging(aggregate), mergingConfig(config))],
  global: [(_spec, aggregate, config) => windowBy(assigners.global(), aggregate, { ...config, allowDataLoss: true })],
  countTumbling: [(spec, aggregate) => countWindow(need(spec.size), aggregate)],
  countSliding: [(spec, aggregate) => countWindow(need(spec.size), aggregate, { slide: need(spec.slide) })],
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

/** The operators for windows of this kind: at least one, all to be replayed. */
export function windowOperators<A, R>(
  given: WindowSpec,
  aggregate: Aggregate<A, R>,
  config: Config<A>,
): ReadonlyArray<() => AnyWindowed<A, R>> {
  const spec = canonicalKind(given);
  const builds = KINDS[spec.kind];
  if (builds === undefined) throw new NotYetSupported(`${spec.kind} windows`);
  return builds.map((build) => () => build(spec, aggregate, config));
}

/** The assigner's own table, for vectors that list windows of timestamps. */
export function assignerOf(given: WindowSpec): WindowAssigner<unknown> {
  const spec = canonicalKind(given);
  if (spec.kind === 'tumbling') return assigners.tumbling(need(spec.size), aligned(spec));
  if (spec.kind === 'sliding') return assigners.sliding(need(spec.size), need(spec.slide), aligned(spec));
  throw new NotYetSupported(`the assigner of ${spec.kind} windows`);
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

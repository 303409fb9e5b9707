import type { Observable } from 'rxjs';
import {
  type Aggregate,
  assigners,
  type StreamElement,
  tumblingWindow,
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
    (spec, aggregate, config) => tumblingWindow(sizeOf(spec), aggregate, { ...config, ...aligned(spec) }),
    (spec, aggregate, config) => windowBy(assigners.tumbling(sizeOf(spec), aligned(spec)), aggregate, config),
  ],
};

/** The triggers, one line each, as what they add to the config of a window operator; the key is their name in the case. */
const TRIGGERS: Readonly<Record<string, (trigger: Json) => Config<unknown> & Json>> = {
  purging(trigger) {
    const { type } = trigger['inner'] as { readonly type: string };
    if (type === 'eventTime') return { panes: 'discarding' };
    throw new NotYetSupported(`the trigger purging(${type})`);
  },
};

/** The evictors, as the triggers. */
const EVICTORS: Readonly<Record<string, (evictor: Json) => Config<unknown> & Json>> = {};

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
export function assignerOf(given: WindowSpec): ReturnType<typeof assigners.tumbling> {
  const spec = canonicalKind(given);
  if (spec.kind !== 'tumbling') throw new NotYetSupported(`the assigner of ${spec.kind} windows`);
  return assigners.tumbling(sizeOf(spec), aligned(spec));
}

/** What a trigger of this name adds to the config. */
export function triggerConfig(name: string, trigger: Json): Config<unknown> {
  const config = TRIGGERS[name];
  if (config === undefined) throw new NotYetSupported(`the trigger ${name}`);
  return config(trigger);
}

/** What an evictor of this name adds to the config. */
export function evictorConfig(name: string, evictor: Json): Config<unknown> {
  const config = EVICTORS[name];
  if (config === undefined) throw new NotYetSupported(`the evictor ${name}`);
  return config(evictor);
}

/** Sliding by a whole size is tumbling. */
function canonicalKind(spec: WindowSpec): WindowSpec {
  return spec.kind === 'sliding' && spec.slide === spec.size ? { ...spec, kind: 'tumbling' } : spec;
}

function sizeOf(spec: WindowSpec): number {
  if (spec.size === undefined) throw new Error('a window without a size');
  return spec.size;
}

function aligned({ offset = 0, clock = 'event' }: WindowSpec): { offset: number; clock: 'event' | 'processing' } {
  return { offset, clock };
}

import { MAX_TIMESTAMP, MIN_TIMESTAMP } from '../../element/element.js';
import { onward } from '../../time/onward.js';
import type { TriggerResult } from '../../windows/trigger.js';
import type { TriggerEvent } from '../TriggerMachine.js';
import { type At, type Context, Endless, earliest } from './machine.js';

// Triggers of one rule.

/** Flink's CountTrigger: at every nth record. */
export class Count extends Endless<{ n: number }> {
  constructor(private readonly limit: number) {
    super();
  }
  create(): { n: number } {
    return { n: 0 };
  }
  on(what: TriggerEvent, _at: At, state: { n: number }): TriggerResult {
    if (what !== 'record' || ++state.n < this.limit) return 'continue';
    state.n = 0;
    return 'fire';
  }
  merge(states: ReadonlyArray<{ n: number }>): { n: number } {
    return { n: states.reduce((n, state) => n + state.n, 0) };
  }
}

interface Plan {
  /** When it is due next, null if it has no plan. */
  at: number | null;
  /** A record has come since the last firing. */
  fresh: boolean;
}

/** A machine that plans its next firing. */
abstract class Planned extends Endless<Plan> {
  create(): Plan {
    return { at: null, fresh: false };
  }
  merge(states: ReadonlyArray<Plan>, context: Context): Plan {
    const state: Plan = { at: null, fresh: states.some(({ fresh }) => fresh) };
    const at = earliest(states);
    if (at !== null) this.plan(at, state, context);
    return state;
  }
  protected abstract plan(at: number, state: Plan, context: Context): void;
}

/** Beam's AfterProcessingTime: `delay` after the first record since the last firing. */
export class ProcessingDelay extends Planned {
  constructor(private readonly delay: number) {
    super();
  }
  on(what: TriggerEvent, at: At, state: Plan, context: Context): TriggerResult {
    if (what === 'record' && state.at === null) this.plan(context.now() + this.delay, state, context);
    if (what !== 'processing' || at !== state.at) return 'continue';
    state.at = null;
    return 'fire';
  }
  protected plan(at: number, state: Plan, context: Context): void {
    state.at = at;
    context.onProcessingTime(at);
  }
}

/**
 * Flink's ContinuousEventTimeTrigger: at multiples of the interval, from the first record on, and at the window's end.
 * Fires for what is new only, unless `repeat`; at the end always.
 */
export class EveryEventTime extends Planned {
  constructor(
    private readonly interval: number,
    private readonly repeat: boolean,
  ) {
    super();
  }
  on(what: TriggerEvent, at: At, state: Plan, context: Context): TriggerResult {
    const { maxTimestamp, timestamp } = context;
    if (what === 'record') {
      state.fresh = true;
      if (maxTimestamp <= context.watermark) return this.fire(state);
      context.onEventTime(maxTimestamp);
      if (state.at === null) this.plan(floor(timestamp, this.interval) + this.interval, state, context);
      return 'continue';
    }
    if (what === 'processing' || (at !== state.at && at !== maxTimestamp)) return 'continue';
    if (at === state.at) {
      state.at = null;
      // there is nothing new in what the watermark has passed meanwhile, and nothing to repeat before time began
      const from = this.repeat && at !== MIN_TIMESTAMP ? at : floor(context.watermark, this.interval);
      if (at < maxTimestamp) this.plan(onward(from, this.interval), state, context);
    }
    return state.fresh || this.repeat || at === maxTimestamp ? this.fire(state) : 'continue';
  }
  override merge(states: ReadonlyArray<Plan>, context: Context): Plan {
    if (context.maxTimestamp > context.watermark) context.onEventTime(context.maxTimestamp);
    return super.merge(states, context);
  }
  protected plan(at: number, state: Plan, context: Context): void {
    const { maxTimestamp, watermark } = context;
    // at the end of time a window without end would be planned for ever
    state.at = watermark === MAX_TIMESTAMP && maxTimestamp === MAX_TIMESTAMP ? MAX_TIMESTAMP : Math.min(at, maxTimestamp);
    context.onEventTime(state.at);
  }
  private fire(state: Plan): TriggerResult {
    state.fresh = false;
    return 'fire';
  }
}

/** Flink's ContinuousProcessingTimeTrigger: at multiples of the interval, up to the window's end. Fires for what is new only, unless `repeat`. */
export class EveryProcessingTime extends Planned {
  constructor(
    private readonly interval: number,
    private readonly repeat: boolean,
  ) {
    super();
  }
  on(what: TriggerEvent, at: At, state: Plan, context: Context): TriggerResult {
    if (what === 'record') {
      state.fresh = true;
      if (state.at === null) this.plan(floor(context.now(), this.interval) + this.interval, state, context);
    }
    if (what !== 'processing' || at !== state.at) return 'continue';
    const due = state.fresh || this.repeat;
    state.fresh = false;
    state.at = null;
    // without `repeat` the next record makes a plan; with it, it goes on by itself until the window goes
    if (this.repeat && at !== context.maxTimestamp) this.plan(at + this.interval, state, context);
    return due ? 'fire' : 'continue';
  }
  protected plan(at: number, state: Plan, context: Context): void {
    // Flink caps the plan at the window's end, whatever clock that is of; for windows of the past each record would fire
    const { maxTimestamp } = context;
    state.at = at > maxTimestamp && at - this.interval < maxTimestamp ? maxTimestamp : at;
    context.onProcessingTime(state.at);
  }
}

/** Flink's DeltaTrigger: when a record is further than the threshold from the one of the last firing. Its type says that it can't merge. */
export class Delta extends Endless<{ last?: unknown }> {
  constructor(
    private readonly distance: (older: never, newer: never) => number,
    private readonly threshold: number,
  ) {
    super();
  }
  create(): { last?: unknown } {
    return {};
  }
  on(what: TriggerEvent, value: At, state: { last?: unknown }): TriggerResult {
    if (what !== 'record') return 'continue';
    const first = !('last' in state);
    if (!first && !(this.distance(state.last as never, value as never) > this.threshold)) return 'continue';
    state.last = value;
    return first ? 'continue' : 'fire';
  }
  merge(states: ReadonlyArray<{ last?: unknown }>): { last?: unknown } {
    return states[0] ?? {};
  }
}

/** The last multiple of `by` at or before `time` (rule T3). */
function floor(time: number, by: number): number {
  return Math.floor(time / by) * by;
}

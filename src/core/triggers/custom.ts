import type { CustomTrigger, TriggerContext, TriggerResult } from '../../windows/trigger.js';
import type { TriggerEvent } from '../TriggerMachine.js';
import { drop, insert } from '../times.js';
import { type At, type Context, Endless } from './machine.js';

interface CustomState {
  state: unknown;
  /** What it has asked for: only these times are its own. */
  event: number[];
  clock: number[];
  /** The end of its window, when it last asked. */
  end: number;
}

/** A trigger of the user's. Others may share its window: it is called for the times that it asked for, and can take back only those. */
export class Custom extends Endless<CustomState> {
  private readonly own = new OwnTimes();
  constructor(private readonly spec: CustomTrigger<never, unknown, never>) {
    super();
  }
  create(): CustomState {
    return { state: this.spec.create(), event: [], clock: [], end: NaN };
  }
  on(what: TriggerEvent, at: At, state: CustomState, context: Context): TriggerResult {
    const { spec } = this;
    const own = this.own.of(state, context);
    let result: TriggerResult | undefined;
    if (what === 'record') result = spec.onRecord(at as never, state.state, own);
    else if (!drop(what === 'event' ? state.event : state.clock, at as number)) return 'continue';
    else if (what === 'event') result = spec.onEventTime?.(at as number, state.state, own) ?? 'continue';
    else result = spec.onProcessingTime?.(at as number, state.state, own) ?? 'continue';
    if (result === 'continue' || result === 'fire' || result === 'purge' || result === 'fireAndPurge') return result;
    throw new TypeError(
      `triggers.custom: the trigger said ${String(result)}, it must say 'continue', 'fire', 'purge' or 'fireAndPurge'`,
    );
  }
  merge(states: ReadonlyArray<CustomState>, context: Context): CustomState {
    const merged: CustomState = { ...(states[0] ?? this.create()), event: [], clock: [] };
    for (const other of states.slice(1)) merged.state = this.spec.merge?.(merged.state as never, other.state as never);
    const own = this.own.of(merged, context);
    for (const { event, clock, end } of states) {
      // what was asked for the end of a part is meant for the end of the whole
      for (const at of event) own.onEventTime(at === end ? context.maxTimestamp : at);
      for (const at of clock) own.onProcessingTime(at === end ? context.maxTimestamp : at);
    }
    return merged;
  }
}

/** The context of a custom trigger: it keeps which times the trigger has asked for. */
class OwnTimes implements TriggerContext<never> {
  private state!: CustomState;
  private context!: Context;
  of(state: CustomState, context: Context): this {
    this.state = state;
    this.context = context;
    state.end = context.maxTimestamp;
    return this;
  }
  get window(): never {
    return this.context.window as never;
  }
  get maxTimestamp(): number {
    return this.context.maxTimestamp;
  }
  get timestamp(): number {
    return this.context.timestamp;
  }
  get watermark(): number {
    return this.context.watermark;
  }
  now(): number {
    return this.context.now();
  }
  onEventTime(timestamp: number): void {
    insert(this.state.event, timestamp);
    this.context.onEventTime(timestamp);
  }
  onProcessingTime(timestamp: number): void {
    insert(this.state.clock, timestamp);
    this.context.onProcessingTime(timestamp);
  }
  // the timer itself may be another trigger's too, and stays: nobody is called who did not ask
  cancelEventTime(timestamp: number): void {
    drop(this.state.event, timestamp);
  }
  cancelProcessingTime(timestamp: number): void {
    drop(this.state.clock, timestamp);
  }
}

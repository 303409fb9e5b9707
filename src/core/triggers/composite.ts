import type { TriggerResult } from '../../windows/trigger.js';
import type { TriggerEvent, TriggerMachine } from '../TriggerMachine.js';
import { type At, both, type Context, Endless, earliest, fires, type Machine } from './machine.js';

// Triggers around others.

interface Inner {
  inner: unknown;
}

interface WatermarkState extends Inner {
  /** The watermark has reached the window's end: the early trigger is over, and the state inside is that of the late one. */
  onTime: boolean;
}

/**
 * Beam's AfterWatermark: early firings, one when the watermark reaches the end, late ones. Without a late trigger each
 * late record fires, as with Flink's EventTimeTrigger; or, bare, none.
 */
export class Watermark implements TriggerMachine<unknown, unknown, WatermarkState> {
  constructor(
    private readonly early: Machine | undefined,
    private readonly late: Machine | undefined,
    private readonly bare: boolean,
  ) {}
  create(): WatermarkState {
    return { onTime: false, inner: this.early?.create() };
  }
  on(what: TriggerEvent, at: At, state: WatermarkState, context: Context): TriggerResult {
    const { maxTimestamp } = context;
    if (state.onTime) {
      if (this.late !== undefined) return this.late.on(what, at, state.inner, context);
      return what === 'record' && !this.bare ? 'fire' : 'continue';
    }
    // the end has come, by the watermark or, if the window itself is late, before its first record
    if ((what === 'record' && maxTimestamp <= context.watermark) || (what === 'event' && at === maxTimestamp)) {
      state.onTime = true;
      state.inner = this.late?.create();
      return 'fire';
    }
    if (what === 'record') context.onEventTime(maxTimestamp);
    return this.early?.on(what, at, state.inner, context) ?? 'continue';
  }
  merge(states: ReadonlyArray<WatermarkState>, context: Context): WatermarkState {
    const merged = this.create();
    if (context.maxTimestamp <= context.watermark) {
      const fired = states.filter((state) => state.onTime);
      merged.onTime = fired.length > 0;
      if (merged.onTime) merged.inner = this.late && mergeInner(this.late, fired, context);
      return merged;
    }
    // the end is ahead, even if a part had fired: a late record has made the session longer
    context.onEventTime(context.maxTimestamp);
    const early = states.filter((state) => !state.onTime);
    if (early.length > 0) merged.inner = this.early && mergeInner(this.early, early, context);
    return merged;
  }
  finished(state: WatermarkState): boolean {
    return this.bare && state.onTime && (this.late === undefined || this.late.finished(state.inner));
  }
}

/** Each firing drops the pane. */
export class Purging implements Machine {
  constructor(private readonly inner: Machine) {}
  create(): unknown {
    return this.inner.create();
  }
  on(what: TriggerEvent, at: At, state: unknown, context: Context): TriggerResult {
    const result = this.inner.on(what, at, state, context);
    return result === 'fire' ? 'fireAndPurge' : result;
  }
  merge(states: ReadonlyArray<unknown>, context: Context): unknown {
    return this.inner.merge(states, context);
  }
  finished(state: unknown): boolean {
    return this.inner.finished(state);
  }
}

/** Starts anew whenever the trigger inside has finished. */
export class Repeatedly extends Endless<Inner> {
  constructor(private readonly inner: Machine) {
    super();
  }
  create(): Inner {
    return { inner: this.inner.create() };
  }
  on(what: TriggerEvent, at: At, state: Inner, context: Context): TriggerResult {
    const result = this.inner.on(what, at, state.inner, context);
    if (this.inner.finished(state.inner)) state.inner = this.inner.create();
    return result;
  }
  merge(states: ReadonlyArray<Inner>, context: Context): Inner {
    return { inner: mergeInner(this.inner, states, context) };
  }
}

interface TimeoutState extends Inner {
  /** When the time is out, null if it does not run. */
  at: number | null;
  /** The timer that was asked for: one at a time, moved on when it comes rather than with each record. */
  asked: number | null;
}

/** Flink's ProcessingTimeoutTrigger: fires when the trigger inside does, or `after` ms after the first (or last) record. */
export class Timeout implements TriggerMachine<unknown, unknown, TimeoutState> {
  constructor(
    private readonly inner: Machine,
    private readonly after: number,
    private readonly resetOnRecord: boolean,
    private readonly clearOnTimeout: boolean,
  ) {}
  create(): TimeoutState {
    return { inner: this.inner.create(), at: null, asked: null };
  }
  on(what: TriggerEvent, at: At, state: TimeoutState, context: Context): TriggerResult {
    let result = this.inner.on(what, at, state.inner, context);
    if (what === 'processing' && at === state.asked) {
      state.asked = null;
      if (at === state.at) {
        state.at = null;
        result = both(result, 'fire');
      }
    }
    if (what === 'record' && !fires(result) && (state.at === null || this.resetOnRecord)) state.at = context.now() + this.after;
    if (fires(result) && (what === 'record' || this.clearOnTimeout)) {
      state.at = null;
      state.inner = this.inner.create();
    }
    this.ask(state, context);
    return result;
  }
  merge(states: ReadonlyArray<TimeoutState>, context: Context): TimeoutState {
    const state = { inner: mergeInner(this.inner, states, context), at: earliest(states), asked: null };
    this.ask(state, context);
    return state;
  }
  finished(state: TimeoutState): boolean {
    return this.inner.finished(state.inner);
  }
  private ask(state: TimeoutState, context: Context): void {
    if (state.at === null || state.asked !== null) return;
    state.asked = state.at;
    context.onProcessingTime(state.at);
  }
}

interface OnceState extends Inner {
  done: boolean;
}

/** Finishes with its first firing. */
export class Once implements TriggerMachine<unknown, unknown, OnceState> {
  constructor(private readonly inner: Machine) {}
  create(): OnceState {
    return { inner: this.inner.create(), done: false };
  }
  on(what: TriggerEvent, at: At, state: OnceState, context: Context): TriggerResult {
    if (state.done) return 'continue';
    const result = this.inner.on(what, at, state.inner, context);
    state.done = fires(result);
    return result;
  }
  merge(states: ReadonlyArray<OnceState>, context: Context): OnceState {
    // as Beam: what has finished in one part has finished in the whole
    if (states.some((state) => state.done)) return { ...this.create(), done: true };
    return { inner: mergeInner(this.inner, states, context), done: false };
  }
  finished(state: OnceState): boolean {
    return state.done;
  }
}

interface SeveralState {
  inner: unknown[];
  /** Which of them have had their turn. */
  fired: boolean[];
  done: boolean;
}

/** Several triggers in one. */
abstract class Several implements TriggerMachine<unknown, unknown, SeveralState> {
  constructor(protected readonly inner: ReadonlyArray<Machine>) {}
  create(): SeveralState {
    return { inner: this.inner.map((machine) => machine.create()), fired: this.inner.map(() => false), done: false };
  }
  abstract on(what: TriggerEvent, at: At, state: SeveralState, context: Context): TriggerResult;
  merge(states: ReadonlyArray<SeveralState>, context: Context): SeveralState {
    return {
      inner: this.inner.map((machine, i) =>
        machine.merge(
          states.map((state) => state.inner[i]),
          context,
        ),
      ),
      fired: this.inner.map((_machine, i) => states.some((state) => state.fired[i] === true)),
      done: states.some((state) => state.done),
    };
  }
  finished(state: SeveralState): boolean {
    return state.done;
  }
}

/** Fires with the first of them, and has finished then. */
export class AfterFirst extends Several {
  on(what: TriggerEvent, at: At, state: SeveralState, context: Context): TriggerResult {
    let result: TriggerResult = 'continue';
    if (state.done) return result;
    this.inner.forEach((machine, i) => {
      result = both(result, machine.on(what, at, state.inner[i], context));
    });
    state.done = fires(result);
    return result;
  }
}

/** Fires when each of them has been due, and has finished then. */
export class AfterAll extends Several {
  on(what: TriggerEvent, at: At, state: SeveralState, context: Context): TriggerResult {
    if (state.done) return 'continue';
    this.inner.forEach((machine, i) => {
      if (state.fired[i] !== true) state.fired[i] = fires(machine.on(what, at, state.inner[i], context));
    });
    state.done = !state.fired.includes(false);
    return state.done ? 'fire' : 'continue';
  }
}

/** The first until it finishes, then the next. */
export class InOrder extends Several {
  on(what: TriggerEvent, at: At, state: SeveralState, context: Context): TriggerResult {
    const turn = state.fired.indexOf(false);
    const machine = this.inner[turn];
    if (machine === undefined) return 'continue';
    const result = machine.on(what, at, state.inner[turn], context);
    state.fired[turn] = machine.finished(state.inner[turn]);
    state.done = !state.fired.includes(false);
    return result;
  }
}

/** Fires with either; has finished when the second has fired or the first has finished. */
export class OrFinally extends Several {
  on(what: TriggerEvent, at: At, state: SeveralState, context: Context): TriggerResult {
    if (state.done) return 'continue';
    const [main, until] = this.inner as readonly [Machine, Machine];
    const first = main.on(what, at, state.inner[0], context);
    const last = until.on(what, at, state.inner[1], context);
    state.done = fires(last) || main.finished(state.inner[0]);
    return both(first, last);
  }
}

function mergeInner(machine: Machine, states: ReadonlyArray<Inner>, context: Context): unknown {
  return machine.merge(
    states.map((state) => state.inner),
    context,
  );
}

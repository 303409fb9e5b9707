import { MAX_TIMESTAMP, MIN_TIMESTAMP } from '../element/element.js';
import { onward } from '../time/onward.js';
import type { CustomTrigger, TriggerContext, TriggerNode, TriggerResult } from '../windows/trigger.js';
import { EVENT_TIME, NEVER, PROCESSING_TIME, type TriggerEvent, type TriggerMachine } from './TriggerMachine.js';

type Context = TriggerContext<unknown>;
/** What happened: a value, or the time that was reached. */
// biome-ignore lint/suspicious/noExplicitAny: which of the two it is, `what` says
type At = any;
// biome-ignore lint/suspicious/noExplicitAny: the states of a tree of triggers have nothing in common
type Machine = TriggerMachine<unknown, unknown, any>;

/**
 * Makes a trigger ready to run.
 *
 * A plain trigger fires whenever it is due, as Flink's do. Inside `once`, `repeatedly`, `afterFirst`, `afterAll`, `inOrder`
 * and `orFinally` it is *bare*, as Beam's are: it finishes with its first firing.
 */
export function interpret(node: TriggerNode): Machine {
  switch (node.kind) {
    case 'eventTime':
      return EVENT_TIME;
    case 'processingTime':
      return PROCESSING_TIME;
    case 'never':
      return NEVER;
    case 'afterCount':
      return new Count(node.n);
    case 'afterProcessingTime':
      return new ProcessingDelay(node.delay);
    case 'every':
      return node.clock === 'event'
        ? new EveryEventTime(node.interval, node.repeat)
        : new EveryProcessingTime(node.interval, node.repeat);
    case 'delta':
      return new Delta(node.distance, node.threshold);
    case 'afterWatermark':
      return new Watermark(node.early && interpret(node.early), node.late && interpret(node.late), false);
    case 'custom':
      return new Custom(node.spec);
    case 'purging':
      return new Purging(interpret(node.trigger));
    case 'timeout':
      return new Timeout(interpret(node.trigger), node.after, node.resetOnRecord, node.clearOnTimeout);
    case 'once':
      return bare(node.trigger);
    case 'repeatedly':
      return new Repeatedly(bare(node.trigger));
    case 'orFinally':
      return new OrFinally([bare(node.trigger), bare(node.until)]);
    case 'afterFirst':
      return new AfterFirst(node.triggers.map(bare));
    case 'afterAll':
      return new AfterAll(node.triggers.map(bare));
    case 'inOrder':
      return new InOrder(node.triggers.map(bare));
  }
}

/** The trigger as Beam has it: finished once it has fired. */
function bare(node: TriggerNode): Machine {
  switch (node.kind) {
    case 'once':
    case 'repeatedly':
    case 'orFinally':
    case 'afterFirst':
    case 'afterAll':
    case 'inOrder':
    case 'never':
      return interpret(node); // these say themselves when they finish
    case 'afterWatermark':
      return new Watermark(node.early && interpret(node.early), node.late && interpret(node.late), true);
    default:
      return new Once(interpret(node));
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Triggers of one rule

/** A machine that never finishes by itself. */
abstract class Endless<T> implements TriggerMachine<unknown, unknown, T> {
  abstract create(): T;
  abstract on(what: TriggerEvent, at: At, state: T, context: Context): TriggerResult;
  abstract merge(states: ReadonlyArray<T>, context: Context): T;
  finished(): boolean {
    return false;
  }
}

/** Flink's CountTrigger: at every nth record. */
class Count extends Endless<{ n: number }> {
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
class ProcessingDelay extends Planned {
  constructor(private readonly delay: number) {
    super();
  }
  on(what: TriggerEvent, at: At, state: Plan, context: Context): TriggerResult {
    if (what === 'record' && state.at === null) this.plan(context.now() + this.delay, state, context);
    if (what !== 'clock' || at !== state.at) return 'continue';
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
class EveryEventTime extends Planned {
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
    if (what === 'clock' || (at !== state.at && at !== maxTimestamp)) return 'continue';
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
class EveryProcessingTime extends Planned {
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
    if (what !== 'clock' || at !== state.at) return 'continue';
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
class Delta extends Endless<{ last?: unknown }> {
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

interface CustomState {
  state: unknown;
  /** What it has asked for: only these times are its own. */
  event: number[];
  clock: number[];
  /** The end of its window, when it last asked. */
  end: number;
}

/** A trigger of the user's. Others may share its window: it is called for the times that it asked for, and can take back only those. */
class Custom extends Endless<CustomState> {
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
    if (!this.state.event.includes(timestamp)) this.state.event.push(timestamp);
    this.context.onEventTime(timestamp);
  }
  onProcessingTime(timestamp: number): void {
    if (!this.state.clock.includes(timestamp)) this.state.clock.push(timestamp);
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

// ---------------------------------------------------------------------------------------------------------------------
// Triggers around others

interface WatermarkState {
  /** The watermark has reached the window's end: the early trigger is over. */
  onTime: boolean;
  early: unknown;
  late: unknown;
}

/**
 * Beam's AfterWatermark: early firings, one when the watermark reaches the end, late ones. Without a late trigger each
 * late record fires, as with Flink's EventTimeTrigger; or, bare, none.
 */
class Watermark implements TriggerMachine<unknown, unknown, WatermarkState> {
  constructor(
    private readonly early: Machine | undefined,
    private readonly late: Machine | undefined,
    private readonly bare: boolean,
  ) {}
  create(): WatermarkState {
    return { onTime: false, early: this.early?.create(), late: this.late?.create() };
  }
  on(what: TriggerEvent, at: At, state: WatermarkState, context: Context): TriggerResult {
    const { maxTimestamp } = context;
    if (state.onTime) {
      if (this.late !== undefined) return this.late.on(what, at, state.late, context);
      return what === 'record' && !this.bare ? 'fire' : 'continue';
    }
    // the end has come, by the watermark or, if the window itself is late, before its first record
    if ((what === 'record' && maxTimestamp <= context.watermark) || (what === 'event' && at === maxTimestamp)) {
      state.onTime = true;
      return 'fire';
    }
    if (what === 'record') context.onEventTime(maxTimestamp);
    return this.early?.on(what, at, state.early, context) ?? 'continue';
  }
  merge(states: ReadonlyArray<WatermarkState>, context: Context): WatermarkState {
    const merged = this.create();
    if (context.maxTimestamp <= context.watermark) {
      const fired = states.filter((state) => state.onTime);
      merged.onTime = fired.length > 0;
      if (merged.onTime)
        merged.late = this.late?.merge(
          fired.map((state) => state.late),
          context,
        );
      return merged;
    }
    // the end is ahead, even if a part had fired: a late record has made the session longer
    context.onEventTime(context.maxTimestamp);
    const early = states.filter((state) => !state.onTime);
    if (early.length > 0)
      merged.early = this.early?.merge(
        early.map((state) => state.early),
        context,
      );
    return merged;
  }
  finished(state: WatermarkState): boolean {
    return this.bare && state.onTime && (this.late === undefined || this.late.finished(state.late));
  }
}

/** Each firing drops the pane. */
class Purging implements Machine {
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

interface Inner {
  inner: unknown;
}

/** Starts anew whenever the trigger inside has finished. */
class Repeatedly extends Endless<Inner> {
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
class Timeout implements TriggerMachine<unknown, unknown, TimeoutState> {
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
    if (what === 'clock' && at === state.asked) {
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
class Once implements TriggerMachine<unknown, unknown, OnceState> {
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
class AfterFirst extends Several {
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
class AfterAll extends Several {
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
class InOrder extends Several {
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
class OrFinally extends Several {
  on(what: TriggerEvent, at: At, state: SeveralState, context: Context): TriggerResult {
    if (state.done) return 'continue';
    const [main, until] = this.inner as readonly [Machine, Machine];
    const first = main.on(what, at, state.inner[0], context);
    const last = until.on(what, at, state.inner[1], context);
    state.done = fires(last) || main.finished(state.inner[0]);
    return both(first, last);
  }
}

// ---------------------------------------------------------------------------------------------------------------------

function fires(result: TriggerResult): boolean {
  return result === 'fire' || result === 'fireAndPurge';
}

/** Two results at the same moment: all that one of them asks for. */
function both(a: TriggerResult, b: TriggerResult): TriggerResult {
  const purge = a === 'purge' || b === 'purge' || a === 'fireAndPurge' || b === 'fireAndPurge';
  if (fires(a) || fires(b)) return purge ? 'fireAndPurge' : 'fire';
  return purge ? 'purge' : 'continue';
}

function mergeInner(machine: Machine, states: ReadonlyArray<Inner>, context: Context): unknown {
  return machine.merge(
    states.map((state) => state.inner),
    context,
  );
}

function earliest(states: ReadonlyArray<{ readonly at: number | null }>): number | null {
  let at: number | null = null;
  for (const state of states) if (state.at !== null && (at === null || state.at < at)) at = state.at;
  return at;
}

/** The last multiple of `by` at or before `time` (rule T3). */
function floor(time: number, by: number): number {
  return Math.floor(time / by) * by;
}

function drop(times: number[], time: number): boolean {
  const at = times.indexOf(time);
  if (at < 0) return false;
  times.splice(at, 1);
  return true;
}

import type { Observer, Subscriber } from 'rxjs';
import type { StreamElement } from '../../element/element.js';
import type { Pane, WindowResult } from '../../windows/result.js';
import { assertItems, type Items } from './items.js';
import { SideOutputs } from './SideOutputs.js';
import { WindowStage, type WindowWiring } from './WindowStage.js';

/**
 * What a window function may see and do, at one firing of one window.
 *
 * It is good for the one call: what is to be kept is taken out of it.
 *
 * @category windows
 * @since 0.1.0
 */
export interface WindowContext<K, W> {
  readonly key: K;
  readonly window: W;
  /** Which firing this is; when the window is cleared the last one, of index −1 if there was none. */
  readonly pane: Pane;
  /** The watermark, ms since the epoch; in a firing that it causes already the new one. */
  readonly watermark: number;
  /** The clock, ms. */
  now(): number;
  /** Puts `value` into a side output, which ends with the operator. */
  output<T>(to: Observer<T>, value: T): void;
}

/**
 * What runs at each firing of a window, over the folded value.
 *
 * @typeParam R what the aggregate gives. @typeParam B what comes out. @typeParam S state of a window and key. @typeParam G state of a key.
 * @category windows
 * @since 0.1.0
 */
export interface WindowProcess<R, B, K, W, S, G> {
  /** A fresh state for each window and key; it goes with the window. Windows that merge can have none. */
  readonly windowState?: () => S;
  /** A fresh state for each key; it stays as long as the subscription. */
  readonly keyState?: () => G;
  /** The results of a firing, if any. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that only fills side outputs returns nothing
  readonly onPane: (value: R, context: WindowContext<K, W>, windowState: S, keyState: G) => Items<B> | void;
  /** The window is gone: its last word. */
  readonly onClear?: (context: WindowContext<K, W>, windowState: S, keyState: G) => void;
}

/** What a window keeps besides its fold, where it has a state, a last word, or something to withdraw. */
export interface WindowLocal<S, B> {
  readonly state: S;
  /** Its last firing. */
  pane: Pane;
  /** What that put out, where it may have to be withdrawn. */
  results: ReadonlyArray<B>;
}

const NO_RESULTS: ReadonlyArray<never> = [];
const UNFIRED: Pane = { index: -1, onTimeIndex: -1, timing: 'early', last: false, retraction: false };

export function windowLocal<S, B>(state: S): WindowLocal<S, B> {
  return { state, pane: UNFIRED, results: NO_RESULTS };
}

/** A window core whose results go through a function of the user's. */
export class ProcessWindowStage<A, K, R, W, B, S, G> extends WindowStage<A, K, R, W, B> {
  private readonly keyStates = new Map<K, G>();
  private readonly sides = new SideOutputs([this.lateTo]);
  protected readonly context: Context<K, W> = new Context<K, W>(this, this.sides);

  constructor(
    out: Subscriber<StreamElement<WindowResult<B, K, W>>>,
    wiring: WindowWiring<A, K, R, W>,
    private readonly name: string,
    protected readonly process: WindowProcess<R, B, K, W, S, G>,
    private readonly retracting: boolean,
  ) {
    super(out, wiring);
    this.side = this.sides;
  }

  get watermark(): number {
    return this.seen;
  }

  override result(key: K, window: W, value: R, pane: Pane, timestamp: number, local: unknown): void {
    const own = local as WindowLocal<S, B> | undefined;
    if (pane.retraction) {
      // the function is not asked again: what its firing put out is withdrawn, as it was
      for (const result of (local as WindowLocal<S, B>).results) {
        this.put(key, window, result, pane, timestamp);
        if (this.closed) return;
      }
      return;
    }
    if (own !== undefined) own.pane = pane;
    const context = this.context.at(key, window, pane);
    const results: unknown = this.process.onPane(value, context, own?.state as S, this.keyState(key));
    assertItems(this.name, 'process.onPane', results, ', or nothing');
    const kept: B[] | undefined = this.retracting ? [] : undefined;
    if (own !== undefined && kept !== undefined) own.results = kept;
    if (results === undefined || results === null) return;
    for (const result of results as Items<B>) {
      kept?.push(result);
      this.put(key, window, result, pane, timestamp);
      if (this.closed) return;
    }
  }

  private put(key: K, window: W, value: B, pane: Pane, timestamp: number): void {
    this.outlet.record({ key, window, value, pane }, timestamp, undefined);
  }

  protected keyState(key: K): G {
    const { keyState } = this.process;
    if (keyState === undefined) return undefined as G;
    const known = this.keyStates.get(key);
    if (known !== undefined || this.keyStates.has(key)) return known as G;
    const state = keyState();
    this.keyStates.set(key, state);
    return state;
  }

  protected override onFree(): void {
    this.keyStates.clear();
  }
}

/** The same, with a last word for each window. */
export class ClearingWindowStage<A, K, R, W, B, S, G> extends ProcessWindowStage<A, K, R, W, B, S, G> {
  cleared(key: K, window: W, local: unknown): void {
    if (this.closed) return;
    const { state, pane } = local as WindowLocal<S, B>;
    this.process.onClear?.(this.context.at(key, window, pane), state, this.keyState(key));
  }
}

/** The one context, pointed at each firing in turn: no allocation a call. */
class Context<K, W> implements WindowContext<K, W> {
  key!: K;
  window!: W;
  pane: Pane = UNFIRED;

  constructor(
    private readonly stage: { readonly watermark: number; now(): number },
    private readonly sides: SideOutputs,
  ) {}

  at(key: K, window: W, pane: Pane): this {
    this.key = key;
    this.window = window;
    this.pane = pane;
    return this;
  }
  get watermark(): number {
    return this.stage.watermark;
  }
  now(): number {
    return this.stage.now();
  }
  output<T>(to: Observer<T>, value: T): void {
    this.sides.next(to, value);
  }
}

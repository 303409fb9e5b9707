import type { OperatorFunction, Subscriber } from 'rxjs';
import { TOUCHING, touches } from '../../core/engineSlot.js';
import type { StreamElement, StreamRecord } from '../../element/element.js';
import { ElementStage } from '../../internal/ElementStage.js';
import type { EventStream } from '../../internal/eventStream.js';
import { operate } from '../../internal/operate.js';
import { PRODUCER, type Producer, type Sink } from '../../internal/sink.js';
import { assertStream } from '../../time/assert.js';
import type { MergeableAggregateSpec } from '../../windows/aggregates/aggregate.js';
import type { AnyAssigner, MergingAssigner, WindowAssigner } from '../../windows/assigner.js';
import type { TimeWindow, WindowResult } from '../../windows/result.js';
import { assertAssigner, assignedWindow } from './assignedWindow.js';
import { LateOutputs, type LateSides } from './joinConfig.js';
import { unionOf } from './UnionStage.js';
import type { WindowConfig } from './windowConfig.js';

/**
 * What a join in windows does besides joining. Triggers and evictors see the records of both sides.
 *
 * @category combining
 * @since 0.1.0
 */
export interface WindowJoinConfig<L, R, K, W = TimeWindow> extends Omit<WindowConfig<unknown, K, W>, 'lateTo'> {
  /** Where records of each side go that are late for all of their windows; default nowhere (they are counted). */
  readonly lateTo?: LateSides<L, R, K>;
}

/** An assigner of either sort, over the values of both sides. */
export type SidesAssigner<L, R, W> = WindowAssigner<L | R, W> | MergingAssigner<L | R, W>;

/** A value, and where it comes from. */
interface Sided<V> {
  readonly right: boolean;
  readonly value: V;
}

/** The values of a pane, each side in the order of arrival. */
export interface Sides<L, R> {
  readonly left: L[];
  readonly right: R[];
}

/** Results of a pane: none, one or many. */
export type Expand<L, R, B> = (sides: Sides<L, R>) => ReadonlyArray<B>;

/**
 * A window join is a union of both sides, a window over it that keeps them apart, and what is made of each pane. So windows,
 * triggers, lateness and panes are those of `windowBy`, and the watermark is that of `union`.
 */
export function windowJoin<L, R, K, W, B>(
  name: string,
  right: EventStream<R, K>,
  assigner: SidesAssigner<L, R, W>,
  config: WindowJoinConfig<L, R, K, W>,
  expand: Expand<L, R, B>,
): OperatorFunction<StreamElement<L, K>, StreamElement<WindowResult<B, K, W>>> {
  assertStream(name, 'right', right);
  assertAssigner(name, assigner);
  const { lateTo, ...rest } = config;
  const window = assignedWindow<Sided<L | R>, Sides<L, R>, K, W>(name, new SidedAssigner<L, R, W>(assigner), SIDES, {
    ...rest,
    ...(lateTo === undefined ? {} : { lateTo: lateSink(lateTo) }),
  });
  const rightSide = right.pipe(sided<L | R, R, K>(true));
  return (left) => {
    const both = unionOf([left.pipe(sided<L | R, L, K>(false)), rightSide], undefined) as EventStream<Sided<L | R>, K>;
    return both.pipe(
      window,
      operate((out) => new ExpandStage<Sides<L, R>, B, K, W>(out, expand)),
    );
  };
}

/** Windows are assigned by the values themselves. */
class SidedAssigner<L, R, W> implements AnyAssigner<Sided<L | R>, W> {
  readonly kind: 'event' | 'processing' | 'global';
  readonly merge: MergingAssigner<unknown, W>['merge'] | undefined;
  declare readonly [TOUCHING]: unknown; // set below: bundlers keep a class that has a member whose name is computed

  constructor(private readonly of: SidesAssigner<L, R, W>) {
    this.kind = of.kind;
    this.merge = of.merge === undefined ? undefined : (windows) => (of as MergingAssigner<L | R, W>).merge(windows);
    this[TOUCHING] = touches(of) ? this.merge : undefined;
  }
  assign({ value }: Sided<L | R>, timestamp: number, now: number): ReadonlyArray<W> {
    return this.of.assign(value, timestamp, now);
  }
  maxTimestamp(window: W): number {
    return this.of.maxTimestamp(window);
  }
  keyOf(window: W): string | number {
    return this.of.keyOf(window);
  }
}

const SIDES: MergeableAggregateSpec<Sided<unknown>, Sides<never, never>, Sides<unknown, unknown>> = {
  create: () => ({ left: [], right: [] }),
  add(state, { right, value }) {
    (right ? state.right : state.left).push(value);
    return state;
  },
  merge(state, other) {
    for (const value of other.left) state.left.push(value);
    for (const value of other.right) state.right.push(value);
    return state;
  },
  // copies: panes that are given or kept must not change when the next record comes
  result: ({ left, right }) => ({ left: left.slice(), right: right.slice() }) as Sides<never, never>,
};

/** Says of each record where it comes from. */
function sided<V, A extends V, K>(right: boolean): OperatorFunction<StreamElement<A, K>, StreamElement<Sided<V>, K>> {
  return operate((out) => new SidedStage<V, A, K>(out, right));
}

class SidedStage<V, A extends V, K> extends ElementStage<StreamElement<A, K>, Sided<V>, K> {
  constructor(
    out: Subscriber<StreamElement<Sided<V>, K>>,
    private readonly right: boolean,
  ) {
    super(out);
  }
  protected onNext(element: StreamElement<A, K>): void {
    if (element._tag === 'Record') {
      const { value, timestamp, key } = element;
      this.outlet.record({ right: this.right, value }, timestamp, key);
    } else this.pass(element.timestamp, element.idle);
  }
}

/** Makes results of panes. */
class ExpandStage<S, B, K, W> extends ElementStage<StreamElement<WindowResult<S, K, W>>, WindowResult<B, K, W>, undefined> {
  constructor(
    out: Subscriber<StreamElement<WindowResult<B, K, W>>>,
    private readonly expand: (sides: S) => ReadonlyArray<B>,
  ) {
    super(out);
  }
  protected onNext(element: StreamElement<WindowResult<S, K, W>>): void {
    if (element._tag === 'Watermark') {
      this.pass(element.timestamp, element.idle);
      return;
    }
    const { key, window, value: sides, pane } = element.value;
    for (const value of this.expand(sides)) {
      this.outlet.record({ key, window, value, pane }, element.timestamp, undefined);
      if (this.closed) return;
    }
  }
}

/** One late output that parts records by their side. */
function lateSink<L, R, K>(lateTo: LateSides<L, R, K>): Sink<StreamRecord<Sided<L | R>, K>> {
  return {
    // opened for each subscription: side outputs want to know who feeds them
    [PRODUCER]: () => new SidedOutputs(lateTo),
  } as Sink<StreamRecord<Sided<L | R>, K>>;
}

class SidedOutputs<L, R, K> extends LateOutputs<L, R, K> implements Producer<StreamRecord<Sided<L | R>, K>> {
  next({ value: { right, value }, timestamp, key }: StreamRecord<Sided<L | R>, K>): void {
    if (right) this.right?.next({ _tag: 'Record', value: value as R, timestamp, key });
    else this.left?.next({ _tag: 'Record', value: value as L, timestamp, key });
  }
}

import { NEVER, type Observable, type Subscriber } from 'rxjs';
import type { AlignmentGate } from '../../core/AlignmentGate.js';
import { GATE, type GateKeeper } from '../../core/gateSlot.js';
import { type MergerInput, WatermarkMerger } from '../../core/WatermarkMerger.js';
import type { StreamElement } from '../../element/element.js';
import type { EventStream } from '../../internal/eventStream.js';
import { listen } from '../../internal/listen.js';
import { operate } from '../../internal/operate.js';
import { SubscribingStage } from '../../internal/SubscribingStage.js';
import { assertObject, assertStream, isStream, refuse } from '../../time/assert.js';
import type { Alignment } from './alignment.js';

/** What a union may be told besides its inputs. */
export interface UnionConfig {
  /** Holds inputs back that run ahead of the others, see {@link alignment}; default: every input runs as it likes. */
  readonly alignment?: Alignment;
}

/** The values of a stream. */
// biome-ignore lint/suspicious/noExplicitAny: a stream of any key
export type ValueOf<S> = S extends EventStream<infer A, any> ? A : never;

/** The keys of a stream. */
// biome-ignore lint/suspicious/noExplicitAny: a stream of any value
export type KeyOf<S> = S extends EventStream<any, infer K> ? K : never;

type AnyStream = EventStream<unknown, unknown>;

/** The end of an input, as it waits behind what the input has brought. */
const END: unique symbol = Symbol('end');
type Brought<A, K> = StreamElement<A, K> | typeof END;

/** Parts the streams from the config that may be last. */
export function unionArguments(
  where: string,
  given: ReadonlyArray<AnyStream | UnionConfig>,
): { readonly streams: ReadonlyArray<AnyStream>; readonly keeper: GateKeeper | undefined } {
  const last = given.at(-1);
  const config = isConfig(last) ? last : {};
  const streams = config === last ? given.slice(0, -1) : given;
  for (const [i, stream] of streams.entries()) assertStream(where, `stream ${i}`, stream);
  return { streams: streams as ReadonlyArray<AnyStream>, keeper: keeperOf(where, config) };
}

/** A plain object that is no stream; a promise or an array is neither. */
function isConfig(value: unknown): value is UnionConfig {
  return typeof value === 'object' && value !== null && !isStream(value) && Object.getPrototypeOf(value) === Object.prototype;
}

/** The alignment of a config, checked. */
export function keeperOf(where: string, config: UnionConfig): GateKeeper | undefined {
  assertObject(where, 'config', config);
  const keeper = config.alignment as (Alignment & Partial<GateKeeper>) | undefined;
  if (keeper !== undefined && keeper?.[GATE] === undefined) {
    throw refuse(where, 'alignment', keeper, 'what alignment(…) gives');
  }
  return keeper as GateKeeper | undefined;
}

/** One stream of several. */
export function unionOf(streams: ReadonlyArray<AnyStream>, keeper: GateKeeper | undefined): AnyStream {
  // an operator on a silent source: its start is outside of any step, so that a synchronous input hears when downstream closes
  return NEVER.pipe(operate((out: Subscriber<StreamElement<unknown, unknown>>) => new StaticUnionStage(out, keeper, streams)));
}

/** The union of streams that come and go. */
export function unionOfAll<A, K>(streams: Observable<EventStream<A, K>>, keeper: GateKeeper | undefined): EventStream<A, K> {
  return NEVER.pipe(operate((out: Subscriber<StreamElement<A, K>>) => new DynamicUnionStage(out, keeper, streams)));
}

/** An input that has joined, and waits to be subscribed. */
interface Joining<A, K> {
  readonly stream: EventStream<A, K>;
  readonly index: number;
  readonly merged: MergerInput;
}

/** Several inputs as one: records as they come, watermarks by the merger. */
abstract class UnionStage<A, K> extends SubscribingStage<never, A, K> {
  protected readonly merger = new WatermarkMerger();
  private readonly gate: AlignmentGate<Brought<A, K>> | null;
  private joining: Joining<A, K>[] = [];
  private joined = 0;
  private live = 1; // inputs that have not ended, and where they come from
  private readonly merged: MergerInput[] = []; // by the index of the input; only if there is a gate

  constructor(out: Subscriber<StreamElement<A, K>>, keeper: GateKeeper | undefined) {
    super(out);
    this.gate = keeper?.[GATE]<Brought<A, K>>(this.merger) ?? null;
  }

  protected onNext(): void {} // the silent source

  /** An input that is waited for from now on, and subscribed after the step. */
  protected join(stream: EventStream<A, K>): void {
    const merged = this.merger.add();
    if (this.gate !== null) {
      this.merged.push(merged);
      this.gate.add(merged);
    }
    this.live++;
    this.joining.push({ stream, index: this.joined++, merged });
  }

  protected begin(): boolean {
    const next = this.joining.shift();
    if (next === undefined) return false;
    const { stream, index, merged } = next;
    const { gate } = this;
    if (gate === null) {
      listen(
        this,
        stream,
        (element: StreamElement<A, K>) => this.take(merged, element),
        () => this.leave(merged),
      );
    } else {
      const bring = (brought: Brought<A, K>): void => {
        if (!gate.holds(index, brought)) this.handle(index, brought);
      };
      listen(this, stream, bring, () => bring(END));
    }
    return true;
  }

  private take(input: MergerInput, element: StreamElement<A, K>): void {
    if (element._tag === 'Record') {
      this.out.next(element);
    } else {
      this.merger.mark(input, element.timestamp, element.idle);
      this.settle();
    }
  }

  private leave(input: MergerInput): void {
    this.merger.finish(input);
    this.settle();
    this.done();
  }

  /** One that is waited for has ended. */
  protected done(): void {
    if (--this.live === 0 && !this.closed) this.finish();
  }

  protected settle(): void {
    const { time, idle } = this.merger;
    this.pass(time, idle);
    if (!this.closed) this.gate?.release(this.handle);
  }

  /** Something that need not wait. */
  private readonly handle = (index: number, brought: Brought<A, K>): void => {
    if (this.closed) return;
    const input = this.merged[index] as MergerInput;
    if (brought === END) this.leave(input);
    else this.take(input, brought);
  };

  protected override onFree(): void {
    this.gate?.close();
    this.joining = [];
  }
}

class StaticUnionStage<A, K> extends UnionStage<A, K> {
  constructor(
    out: Subscriber<StreamElement<A, K>>,
    keeper: GateKeeper | undefined,
    private readonly streams: ReadonlyArray<EventStream<A, K>>,
  ) {
    super(out, keeper);
  }

  override onStart(): void {
    // all are waited for from the start, also by those that speak at once
    for (const stream of this.streams) this.join(stream);
    this.merger.seal();
    this.step(() => {
      this.settle(); // of no streams at all
      this.done();
    });
  }
}

class DynamicUnionStage<A, K> extends UnionStage<A, K> {
  constructor(
    out: Subscriber<StreamElement<A, K>>,
    keeper: GateKeeper | undefined,
    private readonly streams: Observable<EventStream<A, K>>,
  ) {
    super(out, keeper);
  }

  override onStart(): void {
    listen(
      this,
      this.streams,
      (stream: EventStream<A, K>) => {
        this.join(stream);
        this.beginSoon();
        this.settle(); // it may end that all are idle
      },
      () => {
        this.merger.seal();
        this.settle();
        this.done();
      },
    );
  }
}

import { MIN_TIMESTAMP } from '../element/element.js';
import { TidemarkError } from '../element/errors.js';
import type { MergerInput, WatermarkMerger } from './WatermarkMerger.js';

/**
 * More waits in a union than its alignment allows, since one input runs too far ahead of the others.
 *
 * @category combining
 * @since 0.1.0
 */
export class AlignmentOverflowError extends TidemarkError {
  readonly _tag = 'AlignmentOverflow';
  constructor(
    /** The place of the input that brought one element too many, from 0. */
    readonly input: number,
    /** Its watermark. */
    readonly time: number,
    /** The watermark of the slowest input. */
    readonly slowest: number,
    /** How many elements may wait. */
    readonly buffer: number,
  ) {
    super(
      `union: input ${input} is at ${time}, the slowest one at ${slowest}, and ${buffer} elements wait already; slow it down, mark silent inputs as idle, or allow for a larger buffer or drift`,
    );
  }
}

/** What waits of one input. */
class GateInput<E> {
  private waiting: Array<E | undefined> = [];
  private from = 0; // what lies before it has been taken
  ready: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null;
  constructor(readonly merged: MergerInput) {}

  get size(): number {
    return this.waiting.length - this.from;
  }
  add(element: E): void {
    this.waiting.push(element);
  }
  take(): E {
    const element = this.waiting[this.from] as E;
    this.waiting[this.from++] = undefined; // let go of it
    // the room in front is given back when it is half of all: a move for each element, on average
    if (this.from * 2 > this.waiting.length) {
      this.waiting = this.waiting.slice(this.from);
      this.from = 0;
    }
    return element;
  }
  clear(): void {
    this.waiting = [];
    this.from = 0;
  }
}

/** Holds back what inputs bring that are further than `maxDrift` ahead of the slowest one. */
export class AlignmentGate<E> {
  /** How many elements wait. */
  buffered = 0;
  /** The most that have waited. */
  peak = 0;
  private readonly inputs: GateInput<E>[] = [];
  private limit = Infinity; // an input beyond it is held
  private slowest: number = MIN_TIMESTAMP;
  private first = Infinity; // the least that an input began with, while others have said nothing
  private releasing = false;

  constructor(
    private readonly merger: WatermarkMerger,
    private readonly maxDrift: number,
    private readonly buffer: number,
  ) {}

  /** An input has joined. */
  add(merged: MergerInput): void {
    this.inputs.push(new GateInput(merged));
    this.measure();
  }

  /** Does this element have to wait? Then it is kept. */
  holds(index: number, element: E): boolean {
    const input = this.inputs[index] as GateInput<E>;
    if (input.size === 0 && !this.ahead(input)) return false;
    if (this.buffered >= this.buffer) throw new AlignmentOverflowError(index, input.merged.time, this.slowest, this.buffer);
    input.add(element);
    if (++this.buffered > this.peak) this.peak = this.buffered;
    return true;
  }

  /** The watermarks have changed: hands over what need not wait any more, in the order of the inputs. */
  release(hand: (index: number, element: E) => void): void {
    this.measure();
    if (this.releasing) return; // what is handed over changes the watermarks, too
    this.releasing = true;
    for (let again = true; again; ) {
      again = false;
      for (let index = 0; index < this.inputs.length; index++) again = this.releaseOne(index, hand) || again;
    }
    this.releasing = false;
  }

  /** What the source of an input waits for before it brings more. */
  ready(index: number): Promise<void> | undefined {
    const input = this.inputs[index];
    if (input === undefined || (input.size === 0 && !this.ahead(input))) return undefined;
    input.ready ??= deferred();
    return input.ready.promise;
  }

  /** The union is over: nothing waits. */
  close(): void {
    this.limit = Infinity;
    this.buffered = 0;
    for (const input of this.inputs) {
      input.clear();
      input.ready?.resolve();
      input.ready = null;
    }
  }

  private releaseOne(index: number, hand: (index: number, element: E) => void): boolean {
    const input = this.inputs[index] as GateInput<E>;
    let any = false;
    while (input.size > 0 && !this.ahead(input)) {
      this.buffered--;
      any = true;
      hand(index, input.take());
    }
    if (input.ready !== null && input.size === 0 && !this.ahead(input)) {
      input.ready.resolve();
      input.ready = null;
    }
    return any;
  }

  private ahead({ merged }: GateInput<E>): boolean {
    return merged.place >= 0 && merged.time > this.limit;
  }

  private measure(): void {
    const { merger } = this;
    let slowest = merger.slowest();
    if (slowest === MIN_TIMESTAMP) {
      slowest = merger.time;
      if (slowest === MIN_TIMESTAMP) {
        for (const { merged } of this.inputs)
          if (merged.time > MIN_TIMESTAMP && merged.time < this.first) this.first = merged.time;
        slowest = this.first;
      }
    }
    this.slowest = slowest;
    this.limit = slowest + this.maxDrift;
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((yes) => {
    resolve = yes;
  });
  return { promise, resolve };
}

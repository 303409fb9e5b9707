import { MAX_TIMESTAMP, MIN_TIMESTAMP } from '../element/element.js';

/** What the merger knows of one input. */
export class MergerInput {
  /** Its watermark. */
  time: number = MIN_TIMESTAMP;
  idle = false;
  /** It takes part in the minimum: it is neither idle nor behind the output since it came back from idleness. */
  aligned = true;
  /** Its place among the inputs that have not finished; −1 once it has. */
  place: number;
  constructor(place: number) {
    this.place = place;
  }
}

/**
 * The watermark of a union: the minimum over the inputs that take part in it (rule W6).
 *
 * - An idle input is left out. It comes back at once if it is not behind the output, and otherwise when it has caught up;
 *   until then it holds nothing.
 * - When all are idle the output stands at the greatest watermark of them, whoever went last. (Flink releases it only if the
 *   last one's watermark was the output; FLINK-40475 mends that, and what a return may release.)
 * - An input that has ended, or given `MAX_TIMESTAMP`, has finished, which is neither active nor idle: it drops out of every
 *   minimum and maximum. `MAX_TIMESTAMP` comes when all have. (Flink would let an idle input be overtaken by MAX; FLINK-38477.)
 * - A new input stands at `MIN_TIMESTAMP` and holds the output where it is.
 *
 * `time` and `idle` are the output after each call. Cost: an input that holds the output is remembered and looked for in a
 * circle, so a watermark costs a comparison or two, and a walk over the inputs only when the output rises.
 */
export class WatermarkMerger {
  /** The watermark of the output; it never falls. */
  time: number = MIN_TIMESTAMP;
  idle = false;
  private readonly inputs: MergerInput[] = []; // those that have not finished
  private active = 0; // how many of them are not idle
  private blocker = 0; // the place of one that held the output when it was last looked for
  private open = true;

  /** An input joins. */
  add(): MergerInput {
    const input = new MergerInput(this.inputs.length);
    this.inputs.push(input);
    this.active++;
    this.idle = false;
    return input;
  }

  /** No further input will join: the end of all that are there is the end. */
  seal(): void {
    this.open = false;
    if (this.inputs.length === 0) this.end();
  }

  /** An input says that (`time`, `idle`) holds from now on: it is active again, has advanced, goes idle, in this order. */
  mark(input: MergerInput, time: number, idle: boolean): void {
    if (input.place < 0) return;
    if (time === MAX_TIMESTAMP) {
      this.finish(input);
      return;
    }
    if (input.idle && !idle) this.wake(input);
    if (!input.idle && time > input.time) this.advance(input, time);
    if (!input.idle && idle) this.rest(input);
  }

  /** An input has ended. */
  finish(input: MergerInput): void {
    const { inputs } = this;
    const { place } = input;
    if (place < 0) return;
    const last = inputs.pop() as MergerInput;
    if (last !== input) {
      inputs[place] = last;
      last.place = place;
    }
    input.place = -1;
    if (!input.idle) this.active--;
    if (inputs.length > 0) this.leave();
    else if (!this.open) this.end();
  }

  /** The minimum over the inputs that take part, `Infinity` if there is none. A walk over all. */
  slowest(): number {
    let least = Infinity;
    for (const { aligned, time } of this.inputs) if (aligned && time < least) least = time;
    return least;
  }

  private wake(input: MergerInput): void {
    input.idle = false;
    input.aligned = input.time >= this.time;
    this.active++;
    this.idle = false;
    this.combine();
  }

  private advance(input: MergerInput, time: number): void {
    const held = input.aligned && input.time <= this.time;
    input.time = time;
    if (input.aligned) {
      if (held) this.combine(); // who was not the last to be waited for is not waited for now
    } else if (time >= this.time) {
      input.aligned = true;
      this.combine();
    }
  }

  private rest(input: MergerInput): void {
    input.idle = true;
    input.aligned = false;
    this.active--;
    this.leave();
  }

  /** An input takes no part any more: the others may be further, or all idle. */
  private leave(): void {
    if (this.active > 0) {
      this.combine();
      return;
    }
    for (const { time } of this.inputs) if (time > this.time) this.time = time;
    this.idle = true;
  }

  /** Raises the output to the minimum, unless an input is found that holds it. */
  private combine(): void {
    const { inputs } = this;
    const { length } = inputs;
    let least = Infinity;
    for (let step = 0, at = this.blocker; step < length; step++, at++) {
      if (at >= length) at = 0;
      const { aligned, time } = inputs[at] as MergerInput;
      if (!aligned) continue;
      if (time <= this.time) {
        this.blocker = at;
        return;
      }
      if (time < least) {
        least = time;
        this.blocker = at;
      }
    }
    if (least !== Infinity) this.time = least;
  }

  private end(): void {
    this.time = MAX_TIMESTAMP;
    this.idle = false;
  }
}

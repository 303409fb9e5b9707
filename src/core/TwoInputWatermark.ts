import { MAX_TIMESTAMP, MIN_TIMESTAMP } from '../element/element.js';

/** Which input of two. */
export type InputIndex = 0 | 1;

/** What is known of one input. */
class Input {
  time = MIN_TIMESTAMP;
  idle = false;
  /** It gave MAX or completed: neither active nor idle, and in no minimum or maximum (rule W6). */
  finished = false;
}

/**
 * What two inputs promise together (joins, connected process functions): the smaller watermark of those that are not idle
 * or, if all are idle, the greater one. An input that returns behind holds what has been said; nothing is ever taken back.
 *
 * @see Flink's combination in two-input operators, with its finished inputs left out (FLINK-38477).
 */
export class TwoInputWatermark {
  private readonly inputs: readonly [Input, Input] = [new Input(), new Input()];
  /** The combined watermark. */
  time: number = MIN_TIMESTAMP;
  /** All inputs that are not finished are idle. */
  idle = false;

  /** An input has said (timestamp, idle); true if that changes what both say together. */
  update(index: InputIndex, timestamp: number, idle: boolean): boolean {
    const input = this.inputs[index];
    if (input.finished) return false;
    if (timestamp > input.time) input.time = timestamp;
    input.idle = idle;
    if (timestamp === MAX_TIMESTAMP) input.finished = true;
    return this.combine();
  }

  /** An input has completed; true if that changes what both say together. */
  finish(index: InputIndex): boolean {
    return this.update(index, MAX_TIMESTAMP, false);
  }

  /** Have both inputs finished? */
  get finished(): boolean {
    return this.inputs[0].finished && this.inputs[1].finished;
  }

  private combine(): boolean {
    let least = Infinity;
    let most = -Infinity;
    let active = this.finished;
    for (const { time, idle, finished } of this.inputs) {
      if (finished) continue;
      if (time > most) most = time;
      if (idle) continue;
      active = true;
      if (time < least) least = time;
    }
    const time = active ? least : most; // MAX when both have finished: the least of none
    const changed = time > this.time || active === this.idle;
    if (time > this.time) this.time = time;
    this.idle = !active;
    return changed;
  }
}

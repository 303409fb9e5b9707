import { from, type ObservableInput, type Observer, Subscription } from 'rxjs';
import { BUSY, READY, type Stage } from './operate.js';

/**
 * Subscribes a stage to a further input or an inner stream. What comes in takes its turn with everything else that
 * happens to the stage; an error there is the stage's; `done` is the end of that input alone.
 */
export function listen<C>(
  stage: Stage<never, unknown>,
  source: ObservableInput<C>,
  next: (value: C) => void,
  done: () => void,
): Subscription {
  const input = new Input(stage, next, done);
  stage.add(input);
  from(source).subscribe(input);
  return input;
}

/** A further input of a stage; once it is closed, nothing of it reaches the stage. */
class Input<C> extends Subscription implements Observer<C> {
  private ended = false;
  constructor(
    private readonly stage: Stage<never, unknown>,
    private readonly onNext: (value: C) => void,
    private readonly onDone: () => void,
  ) {
    super();
  }
  next(value: C): void {
    if (this.ended || this.closed) return;
    // the guard of `Stage.next` around what is done with this input, and without a closure as long as it need not wait
    const { stage } = this;
    if (stage.phase !== READY) {
      this.defer(value);
      return;
    }
    stage.phase = BUSY;
    try {
      this.onNext(value);
    } catch (cause) {
      stage.fail(cause);
    }
    if (stage.phase === BUSY) stage.phase = READY;
    else stage.drain();
  }
  private defer(value: C): void {
    this.stage.step(() => this.onNext(value));
  }
  error(cause: unknown): void {
    if (!this.ended && !this.closed) this.stage.abort(cause);
  }
  complete(): void {
    if (this.ended || this.closed) return;
    this.ended = true;
    this.unsubscribe();
    this.stage.step(this.onDone);
  }
}

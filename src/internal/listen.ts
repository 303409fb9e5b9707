import { from, type ObservableInput, type Observer, Subscription } from 'rxjs';
import type { Stage } from './operate.js';

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
    if (!this.ended && !this.closed) this.stage.receive(value, this.onNext);
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

import { ElementStage } from './ElementStage.js';
import { PENDING, READY } from './operate.js';

/**
 * A stage that subscribes to further streams as it goes: between its steps, and not within them. What such a stream gives at
 * once is then handled at once, so that it hears when downstream closes, and long ones don't pile up in the queue of the stage.
 */
export abstract class SubscribingStage<A, B, K> extends ElementStage<A, B, K> {
  private beginning = false;

  /** Subscribes to the next stream that waits for it; false if there is none. */
  protected abstract begin(): boolean;

  /** Within a step: there is something to begin when it is over. */
  protected beginSoon(): void {
    this.phase = PENDING;
  }

  override drain(): void {
    super.drain();
    if (this.beginning) return; // what begins may end at once, and let the next one begin: a loop and no recursion
    this.beginning = true;
    try {
      while (this.phase === READY && this.begin());
    } catch (cause) {
      this.abort(cause); // no observable, or the user's function has thrown
    }
    this.beginning = false;
  }
}

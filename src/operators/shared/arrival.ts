import type { ObservableNotification } from 'rxjs';

/** What arrived, and when. */
export interface Arrival<out A> {
  /** When it arrived by the scheduler's clock, in ms. */
  readonly at: number;
  /** A value, an error or the end, as RxJS's `materialize` has them. */
  readonly notification: ObservableNotification<A>;
}

import { from, type ObservableInput, type Observer, type Subscription } from 'rxjs';

/**
 * Subscribes an observer that is a subscription too, without a wrapper: for a stream that the stage itself drives, and of
 * which it must hear within the same step. For all others there is `listen`.
 */
export function follow<B>(source: ObservableInput<B>, observer: Observer<B> & Subscription): void {
  from(source).subscribe(observer);
}

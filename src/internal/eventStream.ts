import type { Observable } from 'rxjs';
import type { StreamElement } from '../element/element.js';

/**
 * A stream with event time.
 *
 * @category elements
 * @since 0.1.0
 */
export type EventStream<A, K = undefined> = Observable<StreamElement<A, K>>;

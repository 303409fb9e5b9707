import { from, Observable, type ObservableInput, type OperatorFunction, type SchedulerLike } from 'rxjs';
import {
  isRecord,
  MAX_TIMESTAMP,
  record,
  type StreamElement,
  type StreamRecord,
  type Watermark,
  type WindowResult,
  watermark,
} from 'tidemark';
import { show } from 'tidemark/testing';

// The notation of the requirements: r(t, v), W(t), and a stream as the list of what it says.

/** A record of time `t`; its value is `v`, or its time. */
export function r(t: number): StreamRecord<number>;
export function r<A>(t: number, v: A): StreamRecord<A>;
export function r(t: number, v: unknown = t): StreamRecord<unknown> {
  return record(v, t);
}

export const W = (t: number): Watermark => watermark(t);
export const MAX: number = MAX_TIMESTAMP;

/** An element in a word: `v@t`, `W(t)`, and for a window's result `[start,end) value`, with its key and `late` if it has them. */
export function word(element: StreamElement<unknown, unknown>): string {
  if (!isRecord(element) || !isResult(element.value)) return show(element);
  const { key, window, value, pane } = element.value;
  const timing = pane.timing === 'onTime' ? '' : ` ${pane.timing}`;
  return `[${window.start},${window.end})${key === undefined ? '' : ` ${String(key)}:`} ${String(value)}${timing}`;
}

function isResult(value: unknown): value is WindowResult<unknown, unknown> {
  return typeof value === 'object' && value !== null && 'window' in value && 'pane' in value;
}

/** Everything a stream says, so far and later: words, `|` for completion, `#message` for an error. */
export function listen(stream: Observable<StreamElement<unknown, unknown>>): string[] {
  const words: string[] = [];
  stream.subscribe({
    next: (element) => words.push(word(element)),
    error: (error: unknown) => words.push(`#${error instanceof Error ? error.message : String(error)}`),
    complete: () => words.push('|'),
  });
  return words;
}

/** The elements, one after the other at once, and then (unless something follows) nothing more. */
export function open<A, K = undefined>(...elements: ReadonlyArray<StreamElement<A, K>>): Observable<StreamElement<A, K>> {
  return new Observable((out) => {
    for (const element of elements) out.next(element);
  });
}

/** What an operator makes of elements that come at once from a source that completes. */
export function through<A, B, K, L>(
  operator: OperatorFunction<StreamElement<A, K>, StreamElement<B, L>>,
  elements: ObservableInput<StreamElement<A, K>>,
): string[] {
  return listen(from(elements).pipe(operator));
}

/** Times of ticks and results, by a scheduler's clock. */
export function timed(stream: Observable<StreamElement<unknown, unknown>>, scheduler: SchedulerLike): string[] {
  const words: string[] = [];
  stream.subscribe({
    next: (element) => words.push(`${scheduler.now()}: ${word(element)}`),
    complete: () => words.push(`${scheduler.now()}: |`),
  });
  return words;
}

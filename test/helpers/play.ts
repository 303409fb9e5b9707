import { type OperatorFunction, type SchedulerLike, Subject } from 'rxjs';
import { MAX_TIMESTAMP, type StreamElement, type WindowResult } from 'tidemark';
import { show } from 'tidemark/testing';
import { expect } from 'vitest';
import { ProbeScheduler } from './probeScheduler.js';

/** What happens to an operator: an element comes in, the clock reaches a time (a number), or the source ends. */
export type Step<A = unknown, K = unknown> = StreamElement<A, K> | number | '|';

type Result = WindowResult<unknown, unknown>;

/**
 * A result in words: `[0,10) k: 1,2 early 0`. After the timing come the index and, if it is another one, that of the firings
 * on time; a time of its own (`@5`) is shown where it is not the window's end − 1, a withdrawal begins with a minus.
 */
export function shown({ key, window, value, pane }: Result, timestamp: number): string {
  const { index, onTimeIndex, timing, last, retraction } = pane;
  const indices = onTimeIndex === (timing === 'early' ? -1 : index) ? `${index}` : `${index}/${onTimeIndex}`;
  const bounds = window.end === MAX_TIMESTAMP ? '' : `[${window.start},${window.end}) `;
  return [
    `${retraction ? '-' : ''}${bounds}${key === undefined ? '' : `${String(key)}: `}${String(value)} ${timing} ${indices}`,
    ...(last ? ['last'] : []),
    ...(timestamp === window.end - 1 ? [] : [`@${timestamp}`]),
  ].join(' ');
}

/**
 * What comes out for each step, under a clock that stops at each timer. The source completes after the last step, unless it
 * has; `W(MAX)` and `|` are only shown where a step says so.
 */
export function play<A, K = undefined>(
  make: (scheduler: SchedulerLike) => OperatorFunction<StreamElement<A, K>, StreamElement<Result>>,
  steps: ReadonlyArray<Step<A, K>>,
): string[][] {
  const scheduler = new ProbeScheduler();
  const source = new Subject<StreamElement<A, K>>();
  let words: string[] = [];
  source.pipe(make(scheduler)).subscribe({
    next: (element) => words.push(element._tag === 'Watermark' ? show(element) : shown(element.value, element.timestamp)),
    error: (error: unknown) => words.push(`#${String(error)}`),
    complete: () => words.push('|'),
  });
  const all = steps.map((step) => {
    words = [];
    if (typeof step === 'number') scheduler.advanceTo(step);
    else if (step === '|') source.complete();
    else source.next(step);
    return words;
  });
  words = [];
  source.complete();
  expect(scheduler.pending).toBe(0);
  return all;
}

/** The results alone, without the steps and the watermarks. */
export function results<A, K = undefined>(...args: Parameters<typeof play<A, K>>): string[] {
  return play(...args)
    .flat()
    .filter((word) => word !== '|' && !word.startsWith('W('));
}

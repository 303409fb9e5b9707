import type { Pane, TimeWindow, WindowResult } from 'tidemark';

/** A pane as most are: fired once, on time. */
export const ON_TIME: Pane = { index: 0, onTimeIndex: 0, timing: 'onTime', last: false, retraction: false };

/** The pane of a window's nth late firing under the default trigger. */
export function latePane(index: number): Pane {
  return { index, onTimeIndex: index, timing: 'late', last: false, retraction: false };
}

/** The result of an unkeyed window. */
export function windowed<R>(start: number, end: number, value: R, pane: Pane = ON_TIME): WindowResult<R> {
  return keyedWindow(undefined, start, end, value, pane);
}

/** The result of one key's window. */
export function keyedWindow<R, K>(
  key: K,
  start: number,
  end: number,
  value: R,
  pane: Pane = ON_TIME,
): WindowResult<R, K, TimeWindow> {
  return { key, window: { start, end }, value, pane };
}

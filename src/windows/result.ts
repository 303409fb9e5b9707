/**
 * A window of event or processing time: `[start, end)` in ms since the epoch.
 *
 * @category windows
 * @since 0.1.0
 */
export interface TimeWindow {
  readonly start: number;
  readonly end: number;
}

/**
 * What a firing is (rule V7).
 *
 * @category windows
 * @since 0.1.0
 */
export interface Pane {
  /** Counts the firings of the window, from 0. */
  readonly index: number;
  /** Counts the firings that are not early, from 0; −1 while early. */
  readonly onTimeIndex: number;
  /** Before the watermark reached the window's end, when it did, or after. */
  readonly timing: 'early' | 'onTime' | 'late';
  /** The trigger has finished: no other firing follows. */
  readonly last: boolean;
  /** Withdraws the pane of this index. */
  readonly retraction: boolean;
}

/**
 * One result of one window: what was folded, for which key and window, and which firing this is.
 *
 * @category windows
 * @since 0.1.0
 */
export interface WindowResult<out R, out K = undefined, out W = TimeWindow> {
  readonly key: K;
  readonly window: W;
  readonly value: R;
  readonly pane: Pane;
}

import { windowStart } from './windowStart.js';

/** `[start, end)`, in ms since the epoch. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** What an assigner of tumbling windows does, added to a grid: module-level functions, so that equal assigners are equal. */
export const TUMBLING = {
  assign(
    this: { readonly kind: string; readonly size: number; readonly offset: number },
    _value: unknown,
    timestamp: number,
    now: number,
  ): ReadonlyArray<Span> {
    const start = windowStart(this.kind === 'event' ? timestamp : now, this.size, this.offset);
    return [{ start, end: start + this.size }];
  },
  maxTimestamp: (window: Span): number => window.end - 1,
  keyOf: (window: Span): number => window.end,
} as const;

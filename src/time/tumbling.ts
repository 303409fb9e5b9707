import { windowStart } from './windowStart.js';

/** `[start, end)`, in ms since the epoch. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The largest timestamp of a window. */
export function lastMillisecond({ end }: Span): number {
  return end - 1;
}

/** Windows of one assigner are told apart by their ends. */
export function endOf({ end }: Span): number {
  return end;
}

interface Tumbling {
  readonly kind: string;
  readonly size: number;
  readonly offset: number;
}

function assign(this: Tumbling, _value: unknown, timestamp: number, now: number): ReadonlyArray<Span> {
  const start = windowStart(this.kind === 'event' ? timestamp : now, this.size, this.offset);
  return [{ start, end: start + this.size }];
}

/** What an assigner of tumbling windows does, added to a grid: module-level functions, so that equal assigners are equal. */
export const TUMBLING: {
  readonly assign: typeof assign;
  readonly maxTimestamp: typeof lastMillisecond;
  readonly keyOf: typeof endOf;
} = { assign, maxTimestamp: lastMillisecond, keyOf: endOf };

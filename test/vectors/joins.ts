import { from, Subject } from 'rxjs';
import {
  assignWatermarks,
  boundedOutOfOrderness,
  type EventStream,
  intervalJoinWith,
  type JoinKind,
  type StreamElement,
  windowJoinWith,
} from 'tidemark';
import type { Json } from './json.js';
import { listener, NotYetSupported } from './outcome.js';
import type { Row } from './sqlAggregates.js';
import { anyAssignerOf, type WindowSpec } from './windows.js';

/** A pair of rows, `null` where a side has none, with its time and, of a window join, its window. */
export interface Joined {
  readonly left: Row | null;
  readonly right: Row | null;
  readonly timestamp: number;
  readonly window?: { readonly start: number; readonly end: number };
}

/** What a case calls its kind of join. */
export function kindOf(type: unknown): JoinKind {
  if (type === 'outer') return 'full';
  if (type === 'inner' || type === 'left' || type === 'right' || type === 'full') return type;
  throw new NotYetSupported(`a join of the kind ${String(type)}`);
}

/** Rows that an engine compares by `key`; in SQL NULL equals nothing, not even itself: such a row has a key of its own. */
export function keyOf(row: Row, column: string): unknown {
  return row[column] === null || row[column] === undefined ? row : row[column];
}

/** A table as a stream, with a watermark behind each row; `delay` in the engine's words is `delay` of ours less 1. */
export function tableOf(
  rows: ReadonlyArray<Row>,
  delay: number,
  timestamp: (row: Row) => number,
  key: (row: Row) => unknown,
): EventStream<Row, unknown> {
  return from(rows).pipe(assignWatermarks(boundedOutOfOrderness<Row>(delay), { timestamp, key, interval: 'record' }));
}

export interface IntervalSpec {
  readonly kind: JoinKind;
  readonly lower: number;
  readonly upper: number;
  readonly allowedLateness?: number;
}

/** What an interval join gives, whatever its kind. */
export function intervalJoined(
  left: EventStream<Row, unknown>,
  right: EventStream<Row, unknown>,
  spec: IntervalSpec,
  take: (joined: Joined) => void,
): void {
  left.pipe(intervalJoinWith(right, spec)).subscribe(
    listener((element) => {
      if (element._tag === 'Record') take({ ...sidesOf(spec.kind, element.value), timestamp: element.timestamp });
    }),
  );
}

/** What a window join gives, whatever its kind. */
export function windowJoined(
  left: EventStream<Row, unknown>,
  right: EventStream<Row, unknown>,
  windows: WindowSpec,
  kind: JoinKind,
  take: (joined: Joined) => void,
): void {
  left.pipe(windowJoinWith(right, anyAssignerOf(windows), { kind })).subscribe(
    listener((element) => {
      if (element._tag !== 'Record') return;
      const { window, value } = element.value;
      take({ ...sidesOf(kind, value), window, timestamp: element.timestamp });
    }),
  );
}

/** Two inputs that are fed row by row. */
export function inputs(): {
  readonly left: Subject<StreamElement<Row, unknown>>;
  readonly right: Subject<StreamElement<Row, unknown>>;
} {
  return { left: new Subject(), right: new Subject() };
}

function sidesOf(kind: JoinKind, value: unknown): { readonly left: Row | null; readonly right: Row | null } {
  if (kind === 'full') {
    const { left = null, right = null } = value as { readonly left?: Row; readonly right?: Row };
    return { left, right };
  }
  const [left, right] = value as readonly [unknown, unknown];
  return { left: kind === 'right' ? optional(left) : (left as Row), right: kind === 'left' ? optional(right) : (right as Row) };
}

function optional(option: unknown): Row | null {
  return (option as { readonly value?: Row }).value ?? null;
}

/** A cell of a row that may be absent. */
export function cell(row: Row | null, column: string): Json[string] {
  return row === null ? null : row[column];
}

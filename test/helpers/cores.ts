import {
  type Aggregate,
  aggregates,
  assigners,
  type MergingAssigner,
  type Pane,
  type TimeWindow,
  type WindowAssigner,
} from 'tidemark';
import { expect } from 'vitest';
import { GeneralCore } from '../../src/core/GeneralCore.js';
import { tumblingCore } from '../../src/core/PlainTumblingCore.js';
import { EVENT_TIME, NEVER, PROCESSING_TIME, type TriggerMachine } from '../../src/core/TriggerMachine.js';
import { TumblingCore } from '../../src/core/TumblingCore.js';
import type { PaneMode, WindowCore, WindowOptions, WindowSink } from '../../src/core/WindowCore.js';
import { openWindows } from './openWindows.js';

/** What a core has said, a word each: `[start,end) key: value timing index`, `late v`, `unassigned v`, `discarded n`. */
export class Words implements WindowSink<unknown, unknown, unknown, TimeWindow> {
  readonly said: string[] = [];
  closed = false;
  time = 0;
  /** Closes after so many results. */
  enough = Infinity;

  now(): number {
    return this.time;
  }
  result(key: unknown, window: TimeWindow, value: unknown, pane: Pane, timestamp: number): void {
    const name = key === undefined ? '' : `${String(key)}: `;
    const stamp = timestamp === window.end - 1 ? '' : ` @${timestamp}`;
    this.said.push(`[${window.start},${window.end}) ${name}${String(value)} ${pane.timing} ${pane.index}${stamp}`);
    if (--this.enough === 0) this.closed = true;
  }
  late(value: unknown): void {
    this.said.push(`late ${String(value)}`);
  }
  unassigned(value: unknown): void {
    this.said.push(`unassigned ${String(value)}`);
  }
  discarded(records: number): void {
    this.said.push(`discarded ${records}`);
  }
  /** What was said since the last call. */
  take(): string[] {
    return this.said.splice(0);
  }
}

export interface CoreConfig {
  readonly aggregate?: Aggregate<never, unknown>;
  readonly allowedLateness?: number;
  readonly panes?: PaneMode;
}

export type AnyCore = WindowCore<unknown, unknown>;

export function optionsOf({ aggregate = aggregates.collect(), allowedLateness = 0, panes = 'accumulating' }: CoreConfig) {
  return { name: 'test', aggregate, allowedLateness, panes, resultTime: 'end' } as WindowOptions<unknown, unknown>;
}

/** The general core, under a trigger or the assigner's default one. */
export function generalCore<T = null>(
  assigner: WindowAssigner<never> | MergingAssigner<never>,
  sink: Words,
  config: CoreConfig = {},
  trigger?: TriggerMachine<never, TimeWindow, T>,
): AnyCore {
  const plain = { event: EVENT_TIME, processing: PROCESSING_TIME, global: NEVER }[assigner.kind];
  return new GeneralCore(
    assigner as WindowAssigner<unknown>,
    (trigger ?? plain) as TriggerMachine<unknown, TimeWindow, unknown>,
    optionsOf(config),
    sink,
  );
}

/** All cores that know tumbling windows: they have to say the same. */
export const TUMBLING: Readonly<
  Record<
    string,
    (size: number, sink: Words, config?: CoreConfig & { offset?: number; clock?: 'event' | 'processing' }) => AnyCore
  >
> = {
  TumblingCore: (size, sink, { offset = 0, clock = 'event', ...config } = {}) =>
    new TumblingCore(assigners.tumbling(size, { offset, clock }), optionsOf(config), sink),
  'the leanest core': (size, sink, { offset = 0, clock = 'event', ...config } = {}) =>
    tumblingCore({ kind: clock, size, offset }, optionsOf(config), sink),
  GeneralCore: (size, sink, { offset = 0, clock = 'event', ...config } = {}) =>
    generalCore(assigners.tumbling(size, { offset, clock }), sink, config),
};

/** A row: what a core is told, and what it says to that, how many windows are open then. */
export type Row = readonly [step: (core: AnyCore, sink: Words) => void, said: ReadonlyArray<string>, open?: number];

/** Tells the core row after row, and compares. */
export function rows(core: AnyCore, sink: Words, table: ReadonlyArray<Row>): void {
  const told = table.map(([step, , open]) => {
    step(core, sink);
    return open === undefined ? [sink.take()] : [sink.take(), openWindows(core)];
  });
  expect(told).toEqual(table.map(([, said, open]) => (open === undefined ? [said] : [said, open])));
}

/** A record. Its value is its time, or `value`. */
export const r =
  (timestamp: number, key?: unknown, value: unknown = timestamp): Row[0] =>
  (core) =>
    core.record(value, timestamp, key);
/** The watermark rises. */
export const W =
  (time: number): Row[0] =>
  (core) =>
    core.watermark(time);
/** The clock goes on; timers are told 1 less. */
export const C =
  (time: number): Row[0] =>
  (core, sink) => {
    sink.time = time;
    core.clock(time - 1);
  };
export const END: Row[0] = (core) => core.end();

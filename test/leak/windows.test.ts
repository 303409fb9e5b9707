import { aggregates, assigners, evictors, type Trigger, triggers } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { plainEngine, triggerEngine } from '../../src/core/engine.js';
import { tumblingCore } from '../../src/core/PlainTumblingCore.js';
import { TumblingCore } from '../../src/core/TumblingCore.js';
import type { WindowCore, WindowOptions, WindowSink } from '../../src/core/WindowCore.js';
import type { AnyAssigner } from '../../src/windows/assigner.js';
import type { EvictorRules } from '../../src/windows/evictor.js';
import type { TimeWindow } from '../../src/windows/result.js';
import type { TriggerNode } from '../../src/windows/trigger.js';
import { openWindows } from '../helpers/openWindows.js';

// After the end no key, window or timer is left, for every assigner, trigger and evictor (P065).

type Core = WindowCore<number, string>;
type Options = WindowOptions<number, ReadonlyArray<number>>;
type Sink = WindowSink<number, string, ReadonlyArray<number>, TimeWindow>;

const ASSIGNERS: ReadonlyArray<readonly [string, AnyAssigner<number, TimeWindow>]> = [
  ['tumbling', assigners.tumbling(10)],
  ['sliding', assigners.sliding(10, 3)],
  ['sliding with gaps', assigners.sliding(3, 10)],
  ['cumulative', assigners.cumulative(5, 20)],
  ['session', assigners.session(7)],
  ['dynamicSession', assigners.dynamicSession((n: number) => 1 + (n % 9))],
  ['global', assigners.global()],
  ['tumbling by the clock', assigners.tumbling(10, { clock: 'processing' })],
  ['sliding by the clock', assigners.sliding(10, 3, { clock: 'processing' })],
  ['cumulative by the clock', assigners.cumulative(5, 20, { clock: 'processing' })],
  ['session by the clock', assigners.session(7, { clock: 'processing' })],
];

const { afterAll: allOf, afterCount, afterFirst, afterProcessingTime, afterWatermark, custom, eventTime, every } = triggers;
const { inOrder, never, once, orFinally, processingTime, purging, repeatedly, timeout } = triggers;
const TRIGGERS: ReadonlyArray<readonly [string, Trigger<number, unknown> | undefined]> = [
  ['the default', undefined],
  ['eventTime', eventTime()],
  ['processingTime', processingTime()],
  ['never', never()],
  ['afterCount', afterCount(2)],
  ['afterProcessingTime', afterProcessingTime(500)],
  ['every, event', every(4, 'event')],
  ['every, event, repeat', every(4, 'event', { repeat: true })],
  ['every, processing', every(4, 'processing')],
  ['every, processing, repeat', every(4, 'processing', { repeat: true })],
  ['afterWatermark', afterWatermark({ early: afterProcessingTime(3), late: afterCount(2) })],
  ['once', once(afterCount(2))],
  ['repeatedly', repeatedly(afterFirst(afterCount(3), afterProcessingTime(5)))],
  ['orFinally', orFinally(eventTime())(repeatedly(afterCount(2)))],
  ['afterAll', allOf(afterCount(2), afterProcessingTime(5))],
  ['inOrder', inOrder(afterCount(1), afterProcessingTime(1_000), eventTime())],
  ['purging', purging(afterCount(2))],
  ['timeout', timeout(afterCount(3), { after: 50, resetOnRecord: true })],
  [
    'custom',
    custom<number, null, unknown>({
      create: () => null,
      onRecord: (_value, _state, context) => {
        context.onEventTime(context.timestamp + 1_000);
        context.onProcessingTime(context.now() + 1_000);
        context.cancelEventTime(context.timestamp + 1_000);
        return 'continue';
      },
      merge: () => null,
    }),
  ],
];

const EVICTORS: ReadonlyArray<readonly [string, unknown]> = [
  ['no evictor', undefined],
  ['count', evictors.count(1)],
  ['count after', evictors.count(1, { after: true })],
  ['time', evictors.time(3)],
  ['delta', evictors.delta<number>((a, b) => b - a, 2)],
];

/** How many things a core keeps: all that stands in maps, sets and lists of its own. */
function footprint(core: Core): number {
  const NOT_ITS_OWN = new Set(['options', 'sink', 'assigner', 'aggregate', 'trigger', 'merging', 'grid', 'engine', 'context']);
  const seen = new Set<unknown>();
  let things = 0;
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (value instanceof Map || value instanceof Set) {
      things += value.size;
      for (const part of value.values()) walk(part);
    } else if (Array.isArray(value)) {
      things += value.filter((part) => part !== undefined).length; // empty places are none
      value.forEach(walk);
    } else {
      for (const [name, part] of Object.entries(value)) if (!NOT_ITS_OWN.has(name)) walk(part);
    }
  };
  walk(core);
  return things;
}

/** Records of many keys, some behind, some late, among watermarks and calls of the clock; then the end. */
function live(build: (sink: Sink) => Core): { during: number; core: Core; late: number } {
  let now = 0;
  let late = 0;
  const nothing = (): void => {};
  const sink: Sink = {
    closed: false,
    now: () => now,
    result: nothing,
    late: () => {
      late++;
    },
    unassigned: nothing,
    discarded: nothing,
  };
  const core = build(sink);
  let during = 0;
  for (let i = 0; i < 60; i++) {
    core.record(i, i + ((i * 7) % 13) - 6, `key ${i % 17}`);
    if (i % 3 === 0) {
      now += 2;
      core.clock(now - 1);
    }
    if (i % 10 === 9) core.watermark(i - 8);
    if (i === 45) during = footprint(core);
    core.hold;
  }
  core.watermark(Infinity);
  core.hold; // as the operator asks, to let the watermark pass
  core.end();
  core.hold; // what holds no more goes when it is asked
  return { during, core, late };
}

function expectNothingLeft(build: (sink: Sink) => Core): void {
  const { during, core } = live(build);
  expect(during).toBeGreaterThan(0); // it did keep something
  expect({ things: footprint(core), windows: openWindows(core), timer: core.nextTimer, hold: core.hold }).toEqual({
    things: 0,
    windows: 0,
    timer: Infinity,
    hold: Infinity,
  });
}

const options = (rest: Partial<Options>): Options => ({
  name: 'test',
  aggregate: aggregates.collect<number>(),
  allowedLateness: 0,
  panes: 'accumulating',
  resultTime: 'end',
  ...rest,
});
const MODES: ReadonlyArray<Partial<Options>> = [
  {},
  { allowedLateness: 15, panes: 'discarding' },
  { allowedLateness: Infinity, panes: 'retracting' },
];

describe('after the end no key, window or timer is left', () => {
  for (const [name, assigner] of ASSIGNERS) {
    for (const [triggerName, trigger] of TRIGGERS) {
      it(`${name}, ${triggerName}, each evictor and panes mode`, () => {
        for (const [, evict] of EVICTORS) {
          for (const mode of MODES) {
            for (const resultTime of assigner.kind === 'processing'
              ? (['end'] as const)
              : (['end', 'earliest', 'latest'] as const)) {
              const all = options({ ...mode, resultTime, evictor: evict as EvictorRules<number> | undefined });
              const node = trigger as unknown as TriggerNode | undefined;
              expectNothingLeft((sink) => triggerEngine.build(assigner, node, all, sink));
            }
          }
        }
      });
    }

    it(`${name}, in the core made for it`, () => {
      for (const mode of MODES) {
        for (const aggregate of [aggregates.collect<number>(), aggregates.count(), aggregates.max((n: number) => n)] as const) {
          const all = options({ ...mode, aggregate: aggregate as Options['aggregate'] });
          expectNothingLeft((sink) => plainEngine.build(assigner, undefined, all, sink));
        }
      }
    });
  }

  for (const kind of ['event', 'processing'] as const) {
    it(`tumblingWindow, ${kind}`, () => {
      for (const mode of MODES) {
        for (const resultTime of kind === 'event' ? (['end', 'earliest', 'latest'] as const) : (['end'] as const)) {
          const all = options({ ...mode, resultTime });
          expectNothingLeft((sink) => new TumblingCore({ kind, size: 10, offset: 0 }, all, sink));
          expectNothingLeft((sink) => tumblingCore({ kind, size: 10, offset: 0 }, all, sink));
        }
      }
    });
  }

  it('the watermark alone lets go of what event time decides, and of the timers that it asked the clock for once these are due', () => {
    const trigger = triggers.afterWatermark({ early: triggers.afterProcessingTime(100) }) as unknown as TriggerNode;
    const nothing = (): void => {};
    const sink: Sink = { closed: false, now: () => 0, result: nothing, late: nothing, unassigned: nothing, discarded: nothing };
    const core = triggerEngine.build<number, string, ReadonlyArray<number>, TimeWindow>(
      assigners.tumbling(10),
      trigger,
      options({}),
      sink,
    );
    for (let i = 0; i < 1_000; i++) core.record(i, i, `key ${i}`);
    core.watermark(2_000);
    expect(openWindows(core)).toBe(0);
    core.clock(100);
    expect([footprint(core), core.nextTimer]).toEqual([0, Infinity]);
  });
});

import fc from 'fast-check';
import { from } from 'rxjs';
import {
  aggregates,
  assigners,
  type MergeableTrigger,
  type MergingAssigner,
  type PaneMode,
  record,
  type StreamElement,
  triggers,
  watermark,
  windowBy,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { drop, insert } from '../../src/core/times.js';
import { stream } from '../helpers/arbitraries.js';

const collect = aggregates.collect<number>();

describe('many open sessions of one key', () => {
  const GAP = 6;

  it('law: those that do not touch need not be asked whether they merge', () => {
    const sessions = assigners.session(GAP);
    const asksAll: MergingAssigner<number> = { ...sessions, merge: (windows) => sessions.merge(windows) };
    const configs = fc.record(
      {
        allowedLateness: fc.constantFrom(0, 15, Infinity),
        panes: fc.constantFrom<PaneMode>('accumulating', 'discarding', 'retracting'),
        trigger: fc.constantFrom<() => MergeableTrigger<number>>(triggers.eventTime, () => triggers.afterCount(2)),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(stream, configs, (elements, { trigger, ...config }) => {
        const run = (assigner: MergingAssigner<number>): unknown[] => {
          const seen: unknown[] = [];
          from(elements)
            .pipe(windowBy(assigner, collect, { ...config, trigger: trigger(), allowDataLoss: true }))
            .subscribe((element) => seen.push(element));
          return seen;
        };
        expect(run(sessions)).toStrictEqual(run(asksAll));
      }),
      { numRuns: 300 },
    );
  });

  it('a record asks only those that it touches, also to merge them and to close them', () => {
    const costs = [500, 2_000].map((n) => {
      let asked = 0;
      const sessions = assigners.session(GAP);
      const counting: MergingAssigner<number> = {
        ...sessions,
        keyOf(window) {
          asked++;
          return sessions.keyOf(window);
        },
      };
      const scattered = Array.from({ length: n }, (_, i) => record(i, ((i * 7_919) % n) * 10));
      const between = scattered.map(({ value, timestamp }) => record(value, timestamp + 5));
      const seen: unknown[] = [];
      from<StreamElement<number>[]>([...scattered, watermark(-1), ...between])
        .pipe(windowBy(counting, collect, { trigger: triggers.eventTime() }))
        .subscribe((element) => element._tag === 'Record' && seen.push(element.value.window));
      expect(seen).toEqual([{ start: 0, end: n * 10 + 1 }]);
      return asked / n;
    });
    expect(costs[1]).toBeLessThan(1.1 * (costs[0] as number));
  });
});

describe('many timers of one window', () => {
  it('law: the times are a sorted set', () => {
    const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(20)), { maxLength: 100 });
    fc.assert(
      fc.property(steps, (all) => {
        const times: number[] = [];
        const model = new Set<number>();
        for (const [adds, time] of all) {
          expect(adds ? insert(times, time) : drop(times, time)).toBe(adds ? !model.has(time) : model.delete(time));
          if (adds) model.add(time);
          expect(times).toEqual([...model].sort((a, b) => a - b));
        }
      }),
    );
  });

  it('a time is found by halving', () => {
    let looked = 0;
    const times = new Proxy<number[]>([], {
      get(target, name, receiver) {
        if (typeof name === 'string' && /^\d+$/.test(name)) looked++;
        return Reflect.get(target, name, receiver);
      },
    });
    for (let i = 0; i < 4_000; i++) insert(times, i);
    looked = 0;
    for (let i = 0; i < 4_000; i++) insert(times, (i * 7_919) % 4_000);
    expect(looked / 4_000).toBeLessThan(2 + Math.log2(4_000) + 2);
  });
});

import { map, Subject } from 'rxjs';
import { aggregates, compositeKey, keyBy, type StreamElement, type StreamRecord, tumblingWindow } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { TimerQueue } from '../../src/core/TimerQueue.js';
import { type AnyCore, TUMBLING, Words } from '../helpers/cores.js';
import { openWindows } from '../helpers/openWindows.js';
import { listen, r, through, W } from './notation.js';

/** Both cores with tumbling windows of 10, counting, and a sink that counts their results. */
const cores = (allowedLateness = 0): ReadonlyArray<readonly [string, AnyCore, Counting]> =>
  Object.entries(TUMBLING).map(([name, make]) => {
    const sink = new Counting();
    return [name, make(10, sink, { aggregate: aggregates.count(), allowedLateness }), sink];
  });

class Counting extends Words {
  results = 0;
  override result(): void {
    this.results++;
  }
}

const SEARCHES = ['indexOf', 'includes', 'find', 'findIndex', 'filter', 'splice', 'some', 'sort'];

/** How many elements `work` looks at through methods that search an array. */
function searched(work: () => void): number {
  let looked = 0;
  const own = Array.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const originals = SEARCHES.map((name) => [name, own[name] as (...args: unknown[]) => unknown] as const);
  for (const [name, original] of originals) {
    own[name] = function (this: unknown[], ...args) {
      looked += this.length;
      return original.apply(this, args);
    };
  }
  try {
    work();
  } finally {
    for (const [name, original] of originals) own[name] = original;
  }
  return looked;
}

describe('state: what grows, and what is cleaned up', () => {
  it('P065 a key without open windows has no footprint', () => {
    for (const [name, core, given] of cores()) {
      for (let i = 0; i < 100_000; i++) core.record(i, i / 10, `key${i}`);
      expect([name, openWindows(core)]).toEqual([name, 100_000]);
      core.watermark(5_000);
      expect(openWindows(core)).toBe(50_000); // 500 windows of 100 keys each are over
      core.watermark(20_000);
      expect([openWindows(core), given.results, core.nextTimer]).toEqual([0, 100_000, Infinity]);
    }
  });

  it('P067 closing many windows searches no list of timers: the work is about n log n', () => {
    // a number that counts how often it is compared
    let compared = 0;
    const counted = (n: number) =>
      ({
        valueOf: () => {
          compared++;
          return n;
        },
      }) as unknown as number;
    const drain = (n: number) => {
      compared = 0;
      const queue = new TimerQueue<number>();
      for (let i = 0; i < n; i++) queue.add(counted((i * 7_919) % n), i);
      while (queue.take(Infinity) !== undefined);
      return compared;
    };
    const [small, large] = [drain(5_000), drain(50_000)];
    expect(small).toBeGreaterThan(5_000);
    expect(large / small).toBeLessThan(15);

    for (const allowedLateness of [0, 3_600_000]) {
      const cost = (n: number, which: number) => {
        const [name, core, given] = cores(allowedLateness)[which] as ReturnType<typeof cores>[number];
        for (let i = 0; i < n; i++) core.record(0, i * 10, undefined);
        const looked = searched(() => core.watermark(Infinity));
        expect([name, given.results, openWindows(core)]).toEqual([name, n, 0]);
        return looked;
      };
      for (const which of [0, 1]) expect(cost(50_000, which) + 1).toBeLessThan(15 * (cost(5_000, which) + 1));
    }
  });

  it('P070 a record costs the same after ten thousand windows as after one: closed windows are gone', () => {
    for (const [name, core, given] of cores()) {
      let mostOpen = 0;
      let leftOpen = 0;
      const thousand = (from: number) =>
        searched(() => {
          for (let window = from; window < from + 1_000; window++) {
            for (let i = 0; i < 10; i++) core.record(0, window * 10 + i, undefined);
            mostOpen = Math.max(mostOpen, openWindows(core));
            core.watermark(window * 10 + 9);
            leftOpen = Math.max(leftOpen, openWindows(core));
          }
        });
      const costs = Array.from({ length: 10 }, (_, i) => thousand(i * 1_000));
      expect([name, given.results, mostOpen, leftOpen]).toEqual([name, 10_000, 1, 0]);
      expect((costs[9] as number) + 1).toBeLessThan(3 * ((costs[0] as number) + 1));
    }
  });

  it('P072 keys are those of a Map: objects by identity, NaN is one, 1 and "1" are two', () => {
    const groups = <K>(key: (n: number) => K): string[] => {
      const source = new Subject<StreamElement<number>>();
      const words = listen(source.pipe(keyBy(key), tumblingWindow(10, aggregates.count())));
      for (const element of [r(1), r(2), r(3), W(9)]) source.next(element);
      return words.slice(0, -1);
    };
    expect(groups(() => ({ id: 1 }))).toHaveLength(3);
    expect(groups(() => compositeKey('id', 1))).toEqual(['[0,10) "id",1: 3']);
    expect(groups(() => NaN)).toEqual(['[0,10) NaN: 3']);
    expect(groups((n) => [1, '1', '__proto__'][n - 1])).toEqual(['[0,10) 1: 1', '[0,10) 1: 1', '[0,10) __proto__: 1']);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(compositeKey('a', 'b|c')).not.toBe(compositeKey('a|b', 'c'));
    expect(compositeKey(1)).not.toBe(compositeKey('1'));
  });

  it('P072 results tell the keys apart, whatever they are', () => {
    const keys: unknown[] = [];
    const source = new Subject<StreamRecord<number>>();
    source
      .pipe(
        keyBy((n) => [1, '1', NaN][n - 1]),
        tumblingWindow(10, aggregates.count()),
        map((element) => element._tag === 'Record' && keys.push(element.value.key)),
      )
      .subscribe();
    for (const n of [1, 2, 3]) source.next(r(n));
    source.complete();
    expect(keys).toEqual([1, '1', NaN]);
    expect(through(tumblingWindow(10), [r(1)])[0]).toBe('[0,10) 1');
  });
});

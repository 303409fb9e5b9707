import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TimeBuffer } from '../../src/core/TimeBuffer.js';

interface Item {
  readonly timestamp: number;
  readonly n: number;
}

/** The items in each chunk, those that have been taken too. */
function chunkSizes(buffer: TimeBuffer<Item>): ReadonlyArray<number> {
  const { items, behind } = buffer as unknown as { items: Item[]; behind: ReadonlyArray<{ items: Item[] }> };
  return [items, ...behind.map((chunk) => chunk.items)].map(({ length }) => length);
}

/** How many items are behind this one in its chunk: those that moved when it came. */
function movedBy(buffer: TimeBuffer<Item>, item: Item): number {
  const { items, behind } = buffer as unknown as { items: Item[]; behind: ReadonlyArray<{ items: Item[] }> };
  const chunk = [items, ...behind.map((one) => one.items)].find((one) => one.includes(item)) ?? [];
  return chunk.length - 1 - chunk.indexOf(item);
}

/** All that the buffer holds, by walking over it. */
function itemsOf(buffer: TimeBuffer<Item>, time: number): Item[] {
  const items: Item[] = [];
  for (let at = buffer.from(time), item = buffer.at(at); item !== undefined; item = buffer.at(at)) {
    expect(buffer.timeAt(at)).toBe(item.timestamp);
    items.push(item);
    at = buffer.after(at);
  }
  return items;
}

describe('TimeBuffer', () => {
  it('law: it is a list that is sorted by time, then arrival', () => {
    const step = fc.record({ time: fc.nat(60), taken: fc.nat(2), keep: fc.nat(40) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 300 }), (steps) => {
        const buffer = new TimeBuffer<Item>();
        let model: Item[] = [];
        for (const [n, { time, taken, keep }] of steps.entries()) {
          const item = { timestamp: time + Math.floor(n / 10), n };
          buffer.add(item.timestamp, item);
          model.push(item);
          model.sort((a, b) => a.timestamp - b.timestamp || a.n - b.n);
          for (let i = 0; i < taken; i++) expect(buffer.shift()).toBe(model.shift());
          if (keep === 0) {
            buffer.keep((one, at) => one.n % 2 === 0 && at === one.timestamp);
            model = model.filter((one) => one.n % 2 === 0);
          }
          const later = model.filter(({ timestamp }) => timestamp >= time);
          expect(itemsOf(buffer, time)).toEqual(later);
          expect(buffer.before(buffer.from(time))).toBe(model[model.length - later.length - 1]);
          expect([buffer.size, buffer.first, buffer.next]).toEqual([model.length, model[0], model[0]?.timestamp ?? Infinity]);
        }
        buffer.clear();
        expect([buffer.size, buffer.first, buffer.shift(), itemsOf(buffer, -Infinity)]).toEqual([0, undefined, undefined, []]);
      }),
      { numRuns: 60 },
    );
  });

  it('items of one time stay in the order of their arrival, also when they fill chunks', () => {
    const buffer = new TimeBuffer<Item>();
    for (let n = 0; n < 100; n++) buffer.add(5, { timestamp: 5, n });
    buffer.add(10, { timestamp: 10, n: 999 });
    for (let n = 100; n < 200; n++) buffer.add(5, { timestamp: 5, n }); // out of order now
    expect(itemsOf(buffer, 0).map(({ n }) => n)).toEqual([...Array.from({ length: 200 }, (_, n) => n), 999]);
  });

  it('an item out of order is found by halving, and moves few, however many there are', () => {
    for (const size of [1_000, 50_000]) {
      const buffer = new TimeBuffer<Item>();
      let looked = 0;
      for (let n = 0; n < size; n++) {
        const timestamp = Math.imul(n, 0x9e3779b1) >>> 0;
        const time = {
          valueOf() {
            looked++;
            return timestamp;
          },
        };
        const before = looked;
        const item = { timestamp, n };
        buffer.add(time as unknown as number, item);
        // two times for each halving, the ends of both, and two for each item that is moved
        if (size < 10_000 || n % 97 === 0)
          expect(looked - before).toBeLessThan(2 * Math.log2(n + 2) + 8 + 2 * movedBy(buffer, item));
      }
      const sizes = chunkSizes(buffer);
      expect(Math.max(...sizes)).toBeLessThan(130);
      expect(sizes.length).toBeLessThan(size / 8);
    }
  });

  it('gives its room back: one that few pass through holds little', () => {
    const buffer = new TimeBuffer<Item>();
    for (let n = 0; n < 10_000; n++) {
      buffer.add(n, { timestamp: n, n });
      if (n > 2) buffer.shift();
      expect(chunkSizes(buffer).reduce((sum, size) => sum + size, 0)).toBeLessThan(40);
    }
  });
});

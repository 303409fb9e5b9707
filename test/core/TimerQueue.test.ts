import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TimerQueue } from '../../src/core/TimerQueue.js';

type Step = { readonly add: number } | { readonly take: number };

const time = fc.oneof(fc.integer({ min: -5, max: 20 }), fc.integer(), fc.constantFrom(-Infinity, Infinity));
const steps = fc.array(
  fc.oneof(
    time.map((add): Step => ({ add })),
    time.map((take): Step => ({ take })),
  ),
  { maxLength: 200 },
);

/** The plainest queue there is: a list, sorted anew at every look. */
class Sorted {
  private readonly items: { readonly time: number; readonly item: number }[] = [];
  add(at: number, item: number): void {
    this.items.push({ time: at, item });
    this.items.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : a.item - b.item));
  }
  get next(): number {
    return this.items[0]?.time ?? Infinity;
  }
  get size(): number {
    return new Set(this.items.map((entry) => entry.time)).size;
  }
  take(limit: number): number[] | undefined {
    const first = this.items[0];
    if (first === undefined || first.time > limit) return undefined;
    return this.items.splice(0, this.items.filter((entry) => entry.time === first.time).length).map((entry) => entry.item);
  }
}

describe('TimerQueue', () => {
  it('is a sorted list, whatever is added and taken in whatever order', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const queue = new TimerQueue<number>();
        const model = new Sorted();
        all.forEach((step, item) => {
          if ('add' in step) {
            queue.add(step.add, item);
            model.add(step.add, item);
          } else {
            expect(queue.take(step.take)).toEqual(model.take(step.take));
          }
          expect([queue.next, queue.due.size]).toEqual([model.next, model.size]);
        });
        for (let items = model.take(Infinity); items !== undefined; items = model.take(Infinity)) {
          expect(queue.take(Infinity)).toEqual(items);
        }
        expect([queue.take(Infinity), queue.next, queue.due.size]).toEqual([undefined, Infinity, 0]);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps what is added to a time that was just taken for the next look', () => {
    const queue = new TimerQueue<string>();
    queue.add(5, 'a');
    expect(queue.take(5)).toEqual(['a']);
    queue.add(5, 'b');
    queue.add(4, 'c');
    expect([queue.take(5), queue.take(5), queue.take(5)]).toEqual([['c'], ['b'], undefined]);
  });

  it('takes nothing above the limit, and what is at it', () => {
    const queue = new TimerQueue<string>();
    queue.add(5, 'a');
    expect([queue.take(4), queue.next]).toEqual([undefined, 5]);
    expect(queue.take(5)).toEqual(['a']);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Expiring, grainOf, KeyExpiry } from '../../src/core/KeyExpiry.js';

describe('KeyExpiry', () => {
  it('law: nothing goes before it is due, and everything within a grain after it', () => {
    const steps = fc.array(fc.record({ due: fc.nat(100), putOff: fc.nat(30), time: fc.nat(10) }), { maxLength: 40 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 9 }), (all, grain) => {
        const expiry = new KeyExpiry<Expiring>(grain);
        const here = new Set<Expiring>();
        let time = 0;
        for (const { due, putOff, time: step } of all) {
          const item = { due: time + due };
          here.add(item);
          expiry.add(item);
          item.due += putOff;
          time += step;
          expiry.expire(time, (gone) => {
            expect(gone.due).toBeLessThanOrEqual(time);
            here.delete(gone);
          });
          for (const left of here) expect(left.due).toBeGreaterThan(time - grain);
        }
      }),
    );
  });

  it('without a grain all go when they are due; Infinity is never', () => {
    const expiry = new KeyExpiry<Expiring>();
    for (const due of [3, Infinity, 1]) expiry.add({ due });
    const gone: number[] = [];
    expiry.expire(2, ({ due }) => gone.push(due));
    expiry.expire(Infinity, ({ due }) => gone.push(due));
    expect(gone).toEqual([1, 3]);
    expect([grainOf(Infinity), grainOf(5), grainOf(1_600)]).toEqual([Infinity, 1, 100]);
  });
});

import fc from 'fast-check';
import { MAX_TIMESTAMP, MIN_TIMESTAMP } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { type MergerInput, WatermarkMerger } from '../../src/core/WatermarkMerger.js';

const MAX = MAX_TIMESTAMP;
const MIN = MIN_TIMESTAMP;

/** An input says a time; that it is idle or active; or that it has ended. */
type Step = readonly [input: number, said: number | 'idle' | 'active' | 'end'];
/** What the output is after a step. */
type Output = readonly [time: number, idle: boolean];

function run(count: number, steps: ReadonlyArray<Step>): Output[] {
  const merger = new WatermarkMerger();
  const inputs = Array.from({ length: count }, () => ({ merged: merger.add(), time: MIN, idle: false }));
  merger.seal();
  return steps.map(([at, said]) => {
    const input = inputs[at] as { merged: MergerInput; time: number; idle: boolean };
    if (said === 'end') merger.finish(input.merged);
    else {
      if (said === 'idle' || said === 'active') input.idle = said === 'idle';
      else input.time = said;
      merger.mark(input.merged, input.time, input.idle);
    }
    return [merger.time, merger.idle];
  });
}

/** Each step with the output after it. */
function rows(count: number, table: ReadonlyArray<readonly [Step[0], Step[1], number, boolean]>): void {
  const steps = table.map(([input, said]): Step => [input, said]);
  expect(run(count, steps)).toEqual(table.map(([, , time, idle]) => [time, idle]));
}

describe('WatermarkMerger', () => {
  it('is the minimum, once all have said something', () =>
    rows(3, [
      [0, 5, MIN, false],
      [1, 3, MIN, false],
      [2, 9, 3, false],
      [1, 7, 5, false],
      [1, 6, 5, false], // falls
      [0, 8, 7, false],
    ]));

  it('leaves an idle input out, and jumps when it held the others', () =>
    rows(2, [
      [0, 10, MIN, false],
      [1, 'idle', 10, false],
      [0, 20, 20, false],
      [1, 'active', 20, false],
      [1, 15, 20, false], // behind: holds nothing
      [0, 30, 30, false],
      [1, 30, 30, false], // caught up: holds from now on
      [0, 40, 30, false],
      [1, 35, 35, false],
    ]));

  it('stands at the greatest of all when all are idle, whoever went last', () => {
    rows(2, [
      [0, 5, MIN, false],
      [1, 9, 5, false],
      [0, 'idle', 9, false],
      [1, 'idle', 9, true],
    ]);
    rows(2, [
      [0, 5, MIN, false],
      [1, 9, 5, false],
      [1, 'idle', 5, false],
      [0, 'idle', 9, true],
    ]);
  });

  it('releases the greatest also if the last to go had come back and not caught up', () =>
    rows(3, [
      [0, 5, MIN, false],
      [1, 3, MIN, false],
      [2, 5, 3, false],
      [1, 'idle', 5, false],
      [1, 'active', 5, false],
      [0, 50, 5, false],
      [0, 'idle', 5, false],
      [2, 'idle', 5, false],
      [1, 'idle', 50, true], // Flink 2.3 finds that 3 was not the output, and stays at 5
    ]));

  it('goes on at once with the only one that comes back', () =>
    rows(2, [
      [0, 5, MIN, false],
      [0, 'idle', MIN, false],
      [1, 10, 10, false],
      [1, 'idle', 10, true],
      [0, 'active', 10, false],
      [0, 12, 12, false],
    ]));

  it('leaves an input that has ended out of the minimum and of the maximum', () => {
    rows(3, [
      [0, 5, MIN, false],
      [1, 9, MIN, false],
      [2, MAX, 5, false],
      [0, 'end', 9, false],
      [1, 'idle', 9, true], // the others have finished: MAX must not come
      [1, 'end', MAX, false],
    ]);
    rows(2, [
      [0, 50, MIN, false],
      [1, 'idle', 50, false],
      [0, 'end', 50, true],
      [1, 'active', 50, false],
      [1, MAX, MAX, false],
    ]);
  });

  it('an idle input that ends says nothing', () =>
    rows(2, [
      [0, 5, MIN, false],
      [1, 'idle', 5, false],
      [1, 'end', 5, false],
      [0, 'idle', 5, true],
      [0, 'end', MAX, false],
    ]));

  it('of no inputs has ended as soon as none can join', () => {
    const merger = new WatermarkMerger();
    expect(merger.time).toBe(MIN);
    merger.seal();
    expect([merger.time, merger.idle]).toEqual([MAX, false]);
  });

  it('a new input holds what is there, lowers nothing, and ends that all are idle', () => {
    const merger = new WatermarkMerger();
    const a = merger.add();
    merger.mark(a, 100, false);
    expect(merger.time).toBe(100);
    const b = merger.add();
    merger.mark(a, 200, false);
    expect(merger.time).toBe(100);
    merger.mark(b, 50, false);
    expect(merger.time).toBe(100);
    merger.mark(b, 160, false);
    expect(merger.time).toBe(160);
    merger.mark(a, 200, true);
    merger.mark(b, 160, true);
    expect([merger.time, merger.idle]).toEqual([200, true]);
    merger.add();
    expect([merger.time, merger.idle]).toEqual([200, false]);
  });

  it('all inputs can leave, and one that comes later goes on', () => {
    const merger = new WatermarkMerger();
    const a = merger.add();
    merger.mark(a, 100, false);
    merger.finish(a);
    merger.finish(a);
    expect([merger.time, merger.idle]).toEqual([100, false]);
    const b = merger.add();
    merger.mark(b, 150, false);
    merger.seal();
    expect(merger.time).toBe(150);
    merger.finish(b);
    expect(merger.time).toBe(MAX);
  });
});

const steps = (count: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.tuple(
      fc.nat(count - 1),
      fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: -5, max: 30 }) },
        { weight: 4, arbitrary: fc.constantFrom('idle' as const, 'active' as const) },
        { weight: 1, arbitrary: fc.constantFrom('end' as const, MAX) },
      ),
    ),
    { maxLength: 60 },
  );

/** The rule as it is written, without anything remembered but what it names. */
function reference(count: number, all: ReadonlyArray<Step>): Output[] {
  const inputs = Array.from({ length: count }, () => ({ wm: MIN, told: MIN, active: true, aligned: true, finished: false }));
  let last = MIN;
  let idle = false;
  const live = () => inputs.filter((input) => !input.finished);
  const raise = (time: number): void => {
    if (Number.isFinite(time) && time > last) last = time;
  };
  const minimum = (): void => raise(Math.min(...live().flatMap(({ aligned, wm }) => (aligned ? [wm] : []))));
  const gone = (): void => {
    if (live().length === 0) {
      last = MAX;
      idle = false;
    } else if (live().some(({ active }) => active)) minimum();
    else {
      raise(Math.max(...live().map(({ wm }) => wm)));
      idle = true;
    }
  };
  return all.map(([at, said]) => {
    const input = inputs[at] as (typeof inputs)[0];
    if (input.finished) return [last, idle];
    if (said === 'end' || said === MAX) {
      input.finished = true;
      gone();
    } else if (said === 'idle') {
      if (input.active) {
        input.active = input.aligned = false;
        gone();
      }
    } else {
      if (said === 'active' && !input.active) {
        input.active = true;
        input.aligned = input.wm >= last;
        idle = false;
        minimum();
      }
      if (said !== 'active') input.told = said as number;
      // a watermark carries its idleness: what an idle input told comes with its return
      if (input.active && input.told > input.wm) {
        input.wm = input.told;
        if (input.wm >= last) input.aligned = true;
        minimum();
      }
    }
    return [last, idle];
  });
}

describe('WatermarkMerger: laws', () => {
  it('says what the rule says', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }).chain((count) => fc.tuple(fc.constant(count), steps(count))),
        ([count, all]) => {
          expect(run(count, all)).toEqual(reference(count, all));
        },
      ),
      { numRuns: 1_000 },
    ));

  it('never falls', () =>
    fc.assert(
      fc.property(steps(4), (all) => {
        let last = MIN;
        for (const [time] of run(4, all)) {
          expect(time).toBeGreaterThanOrEqual(last);
          last = time;
        }
      }),
    ));

  it('does not depend on which input is which', () =>
    fc.assert(
      fc.property(steps(4), fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), (all, names) => {
        const renamed = all.map(([input, said]): Step => [names[input] as number, said]);
        expect(run(4, renamed)).toEqual(run(4, all));
      }),
    ));

  it('without idleness, is the minimum in whatever order things were said', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.nat(30)), { maxLength: 40 }), (all) => {
        const least = Math.min(...[0, 1, 2, 3].map((at) => Math.max(MIN, ...all.flatMap(([of, t]) => (of === at ? [t] : [])))));
        expect(run(4, all).at(-1)?.[0] ?? MIN).toBe(least);
        expect(run(4, [...all].reverse()).at(-1)?.[0] ?? MIN).toBe(least);
      }),
    ));

  it('once all are idle, is the greatest in whatever order they went', () =>
    fc.assert(
      fc.property(
        fc.array(fc.nat(30), { minLength: 4, maxLength: 4 }),
        fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
        (times, order) => {
          const said = times.map((time, input): Step => [input, time]);
          const went = order.map((input): Step => [input, 'idle']);
          expect(run(4, [...said, ...went]).at(-1)).toEqual([Math.max(...times), true]);
        },
      ),
    ));

  it('when all have ended, is MAX in whatever order they went', () =>
    fc.assert(
      fc.property(steps(4), fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), (all, order) => {
        const ends = order.map((input): Step => [input, 'end']);
        expect(run(4, [...all, ...ends]).at(-1)).toEqual([MAX, false]);
      }),
    ));
});

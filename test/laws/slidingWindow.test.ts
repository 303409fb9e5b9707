import fc from 'fast-check';
import { from, take } from 'rxjs';
import {
  type AggregateSpec,
  type AlignedConfig,
  aggregates,
  assigners,
  counters,
  keyedRecord,
  slidingWindow,
  type TimeWindow,
  type Windowed,
  watermark,
  windowBy,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { SlidingCore } from '../../src/core/SlidingCore.js';
import type { WindowSink } from '../../src/core/WindowCore.js';
import { recordsOf, stream } from '../helpers/arbitraries.js';
import { openWindows } from '../helpers/openWindows.js';
import { type In, type Out, type Outcome, type Rules, referenceWindows, windowsAround } from '../helpers/windowReference.js';

type Numbers = ReadonlyArray<number>;
type Bag = AggregateSpec<number, Numbers, number[]>;
type Config = Omit<AlignedConfig<number, string>, 'trigger' | 'resultTime'>;

const sorted = (all: Numbers): number[] => [...all].sort((a, b) => a - b);

// Bags of numbers: they change where they may, so that a state that two folds share would show.
const merging: Bag = {
  create: () => [],
  add: (bag, n) => {
    bag.push(n);
    return bag;
  },
  result: sorted,
  merge: (left, right) => {
    left.push(...right);
    return left;
  },
  commutative: true,
};
const removing: Bag = {
  ...merging,
  remove: (bag, other) => {
    for (const n of other) {
      const at = bag.indexOf(n);
      if (at < 0) throw new Error(`${n} was never in it`);
      bag.splice(at, 1);
    }
    return bag;
  },
};
const removingAWhile: Bag = {
  ...removing,
  removable: (bag) => !bag.some((n) => n % 7 === 6),
};
const bags = {
  'that only merge': merging,
  'that can be subtracted': removing,
  'that can be subtracted for a while': removingAWhile,
};

interface Sliding {
  readonly size: number;
  readonly slide: number;
  readonly offset: number;
}
const grids: fc.Arbitrary<Sliding> = fc
  .tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 12 }))
  .chain(([size, slide]) =>
    fc.record({ size: fc.constant(size), slide: fc.constant(slide), offset: fc.integer({ min: 1 - slide, max: slide - 1 }) }),
  );
const latenesses = fc.oneof(fc.constant(0), fc.nat(20), fc.constant(Infinity));
const RUNS = { numRuns: 500 };

function run(
  inputs: ReadonlyArray<In>,
  lateness: number,
  operator: (config: Config) => Windowed<number, Numbers, string>,
): Outcome {
  const main: Out[] = [];
  const late: Outcome['late'][number][] = [];
  const seen = counters();
  from(inputs)
    .pipe(operator({ allowedLateness: lateness, counters: seen, lateTo: (record) => late.push(record) }))
    .subscribe((element) => main.push(element));
  expect({ records: seen.records, late: seen.late }).toStrictEqual({ records: recordsOf(inputs).length, late: late.length });
  return { main, late, unassigned: seen.unassigned };
}

const sliding =
  ({ size, slide, offset }: Sliding, bag: Bag) =>
  (config: Config): Windowed<number, Numbers, string> =>
    slidingWindow(size, slide, bag, { ...config, offset });

/** An assigner with windows of its own has no core of its own. */
const general =
  ({ size, slide, offset }: Sliding, bag: Bag) =>
  (config: Config): Windowed<number, Numbers, string> =>
    windowBy(
      { ...assigners.sliding(size, slide), assign: (_value: number, at: number) => windowsAround(at, size, slide, offset) },
      bag,
      config,
    );

/** Starts of panes: where windows start, and where they end. */
function paneOf(timestamp: number, { size, slide, offset }: Sliding): number {
  for (let at = timestamp; ; at--) if ((at - offset) % slide === 0 || (at - offset - size) % slide === 0) return at;
}

const windowsOf =
  ({ size, slide, offset }: Sliding) =>
  (timestamp: number): TimeWindow[] =>
    windowsAround(timestamp, size, slide, offset);

/** Without the order of results of the same end. */
function unordered(outcome: Outcome): unknown {
  const key = (out: Out): string => (out._tag === 'Record' ? out.value.key : '');
  let stretch: Out[] = [];
  const main: Out[][] = [];
  for (const element of outcome.main) {
    const before = stretch[0];
    const follows = before?._tag === 'Record' && element._tag === 'Record' && before.timestamp === element.timestamp;
    if (!follows) {
      stretch = [];
      main.push(stretch);
    }
    stretch.push(element);
  }
  return { ...outcome, main: main.map((part) => part.sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))) };
}

for (const [name, bag] of Object.entries(bags)) {
  describe(`sliding windows share panes: aggregates ${name}`, () => {
    it('equal a reference that folds each window by itself; equal ends by panes in time order, first appearance in each', () =>
      fc.assert(
        fc.property(stream, latenesses, grids, (inputs, lateness, grid) => {
          const rules: Rules = { lateness, panes: 'accumulating' };
          const expected = referenceWindows(inputs, rules, windowsOf(grid), (timestamp) => paneOf(timestamp, grid));
          const main = expected.main.map((out) =>
            out._tag === 'Record' ? { ...out, value: { ...out.value, value: sorted(out.value.value) } } : out,
          );
          expect(run(inputs, lateness, sliding(grid, bag))).toStrictEqual({ ...expected, main });
        }),
        RUNS,
      ));

    it('equal windows of any assigner, but for the order of equal ends', () =>
      fc.assert(
        fc.property(stream, latenesses, grids, (inputs, lateness, grid) => {
          const one = run(inputs, lateness, sliding(grid, bag));
          expect(unordered(one)).toStrictEqual(unordered(run(inputs, lateness, general(grid, bag))));
        }),
        RUNS,
      ));

    it('equal them on times of this century, with a window of many slides', () =>
      fc.assert(
        fc.property(stream, fc.nat(3), fc.integer({ min: 20, max: 90 }), (all, lateness, n) => {
          const inputs = all.map((element) => ({ ...element, timestamp: element.timestamp * 1_000 + 1_590_000_000_123 }));
          const windows =
            (assigner: ReturnType<typeof assigners.sliding>) =>
            (config: Config): Windowed<number, Numbers, string> =>
              windowBy(assigner, bag, config);
          const assigner = assigners.sliding(n * 1_000, 1_000, { offset: 7 });
          const other = { ...assigner, assign: (...args: Parameters<typeof assigner.assign>) => assigner.assign(...args) };
          const one = run(inputs, lateness * 1_000, windows(assigner));
          expect(unordered(one)).toStrictEqual(unordered(run(inputs, lateness * 1_000, windows(other))));
        }),
        { numRuns: 60 },
      ));

    it('stop firing when downstream has had enough (C2)', () =>
      fc.assert(
        fc.property(stream, latenesses, grids, fc.integer({ min: 1, max: 12 }), (inputs, lateness, grid, n) => {
          const some: Out[] = [];
          from(inputs)
            .pipe(sliding(grid, bag)({ allowedLateness: lateness }), take(n))
            .subscribe((element) => some.push(element));
          expect(some).toStrictEqual(run(inputs, lateness, sliding(grid, bag)).main.slice(0, n));
        }),
        { numRuns: 100 },
      ));

    it('keep nothing of a window that is over, and count what is open (V6)', () =>
      fc.assert(
        fc.property(stream, latenesses, grids, (inputs, lateness, grid) => {
          const core = coreOf(grid, bag, lateness);
          const open: Array<{ readonly id: string; readonly end: number }> = [];
          let time = -Infinity;
          for (const input of [...inputs, watermark(Infinity)]) {
            if (input._tag === 'Record') {
              for (const { end } of windowsAround(input.timestamp, grid.size, grid.slide, grid.offset)) {
                if (end - 1 + lateness > time) open.push({ id: `${input.key} ${end}`, end });
              }
              core.record(input.value, input.timestamp, input.key);
            } else if (input.timestamp > time) {
              time = input.timestamp;
              core.watermark(time);
            }
            const left = open.filter(({ end }) => end - 1 + lateness > time);
            expect(openWindows(core)).toBe(new Set(left.map(({ id }) => id)).size);
          }
          expect(held(core)).toStrictEqual({ slices: 0, chains: 0, ranked: 0, queues: 0, inside: 0 });
        }),
        RUNS,
      ));
  });
}

function coreOf(grid: Sliding, bag: Bag, allowedLateness: number): SlidingCore<number, string, Numbers, number[]> {
  const sink: WindowSink<number, string, Numbers, TimeWindow> = {
    closed: false,
    now: () => 0,
    result: () => {},
    late: () => {},
    unassigned: () => {},
    discarded: () => {},
  };
  const options = { name: 'slidingWindow', aggregate: bag, allowedLateness, panes: 'accumulating', resultTime: 'end' } as const;
  return new SlidingCore({ ...grid, kind: 'event' }, options, sink);
}

/** What is inside, by the names of the fields: a leak is no matter of the outside. */
function held(core: object): unknown {
  const { slices, chains, ranked, entering, leaving, expiring, inside } = core as unknown as {
    readonly [name in 'entering' | 'leaving' | 'expiring']: { readonly due: { readonly size: number } };
  } & { readonly [name in 'slices' | 'chains']: { readonly size: number } } & {
    readonly ranked: ReadonlyArray<unknown>;
    readonly inside: number;
  };
  const queues = entering.due.size + leaving.due.size + expiring.due.size;
  return { slices: slices.size, chains: chains.size, ranked: ranked.length, queues, inside };
}

describe('sums in sliding windows', () => {
  const sums = (numbers: ReadonlyArray<number>, aggregate: AggregateSpec<number, number, number>): number[] => {
    const seen: number[] = [];
    from([...numbers.map((n, i) => keyedRecord(n, i, 'a')), watermark(Infinity)])
      .pipe(slidingWindow(4, 1, aggregate))
      .subscribe((element) => element._tag === 'Record' && seen.push(element.value.value));
    return seen;
  };

  it('V6: are exact while integers are safe, and never carry the error of what has left', () => {
    const sum = aggregates.sum();
    expect(sums([1, 2, 3, 4, 5], sum)).toStrictEqual([1, 3, 6, 10, 14, 12, 9, 5]);
    expect(sums([0.1, 1e16, 1, 1, 1, 1, 1], sum).slice(-5)).toStrictEqual([4, 4, 3, 2, 1]);
    expect(sums([2 ** 53, 1, 1, 1, 1, 1], sum).slice(-4)).toStrictEqual([4, 3, 2, 1]);
    expect(sums([1, Infinity, 1, 1, 1, 1], sum).slice(-4)).toStrictEqual([4, 3, 2, 1]);
    expect(sums([1, NaN, 1, 1, 1, 1], sum).slice(-4)).toStrictEqual([4, 3, 2, 1]);
  });

  it('V6: call the selector once a record, also for one behind the watermark', () => {
    let calls = 0;
    const sum = aggregates.sum((n: number) => {
      calls++;
      return n;
    });
    const inputs: In[] = [keyedRecord(1, 5, 'a'), watermark(9), keyedRecord(2, 5, 'a'), keyedRecord(3, 4, 'b'), watermark(50)];
    from(inputs)
      .pipe(slidingWindow(20, 5, sum))
      .subscribe();
    expect(calls).toBe(3);
  });
});

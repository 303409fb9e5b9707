import fc from 'fast-check';
import { from, Observable, type OperatorFunction, take, VirtualTimeScheduler } from 'rxjs';
import {
  type AlignedConfig,
  aggregates,
  assigners,
  counters,
  keyedRecord,
  type MergeableAggregate,
  type MergingAssigner,
  MIN_TIMESTAMP,
  type TimeWindow,
  tumblingWindow,
  type WindowAssigner,
  watermark,
  windowBy,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { recordsOf, stream } from '../helpers/arbitraries.js';
import {
  type At,
  type In,
  type Out,
  type Outcome,
  type Rules,
  referenceByClock,
  referenceSessions,
  referenceWindows,
  windowsAround,
} from '../helpers/windowReference.js';

type Operator = OperatorFunction<In, Out>;
type Config = Omit<AlignedConfig<number, string>, 'trigger'>;
type Numbers = ReadonlyArray<number>;
const collect = aggregates.collect<number>();
const sorted = aggregates.mapResult((all: Numbers): Numbers => [...all].sort((a, b) => a - b))(collect);

const RUNS = { numRuns: 400 };
const rules: fc.Arbitrary<Rules> = fc.record(
  {
    lateness: fc.oneof(fc.constant(0), fc.nat(20), fc.constant(Infinity)),
    panes: fc.constantFrom<Rules['panes']>('accumulating', 'discarding'),
  },
  { noNullPrototype: true },
);
/** The size of windows, a slide or a gap. */
const size = fc.integer({ min: 1, max: 15 });
/** A size and an offset of which the grid may be shifted. */
const grid: fc.Arbitrary<{ readonly size: number; readonly offset: number }> = fc
  .integer({ min: 1, max: 15 })
  .chain((n) => fc.record({ size: fc.constant(n), offset: fc.integer({ min: 1 - n, max: n - 1 }) }));

/** Runs an operator over elements that come at once; its config is made around a late output and counters. */
function run(inputs: ReadonlyArray<In>, { lateness, panes }: Rules, operator: (config: Config) => Operator): Outcome {
  const main: Out[] = [];
  const late: Outcome['late'][number][] = [];
  const seen = counters();
  const config: Config = { allowedLateness: lateness, panes, counters: seen, lateTo: (record) => late.push(record) };
  from(inputs)
    .pipe(operator(config))
    .subscribe((element) => main.push(element));
  expect({ records: seen.records, late: seen.late }).toStrictEqual({ records: recordsOf(inputs).length, late: late.length });
  return { main, late, unassigned: seen.unassigned };
}

/** Sliding windows of one's own; they are named the earliest first. */
function sliding(size: number, slide: number, offset: number): WindowAssigner<unknown> {
  return {
    kind: 'event',
    assign: (_value, timestamp) => windowsAround(timestamp, size, slide, offset).reverse(),
    maxTimestamp: (window) => window.end - 1,
    keyOf: (window) => window.start,
  };
}

/** Sessions of one's own: touching ones become one. */
function sessions(gap: number): MergingAssigner<unknown> {
  return {
    kind: 'event',
    assign: (_value, timestamp) => [{ start: timestamp, end: timestamp + gap }],
    maxTimestamp: (window) => window.end - 1,
    keyOf: ({ start, end }) => `${start} ${end}`,
    merge: (windows) => {
      const groups: Array<{ whole: TimeWindow; parts: TimeWindow[] }> = [];
      for (const window of [...windows].sort((a, b) => a.start - b.start)) {
        const last = groups.at(-1);
        if (last === undefined || window.start > last.whole.end) groups.push({ whole: window, parts: [window] });
        else {
          last.whole = { start: last.whole.start, end: Math.max(last.whole.end, window.end) };
          last.parts.push(window);
        }
      }
      return groups.map(({ whole, parts }) => [whole, parts] as const);
    },
  };
}

const tumbling =
  (size: number, offset: number) =>
  (config: Config): Operator =>
    tumblingWindow(size, collect, { ...config, offset });
const general =
  (size: number, offset: number) =>
  (config: Config): Operator =>
    windowBy(assigners.tumbling(size, { offset }), collect, config);

describe('windows equal a reference written from the rules, element by element', () => {
  it('tumblingWindow', () =>
    fc.assert(
      fc.property(stream, rules, grid, (inputs, rule, { size, offset }) => {
        const expected = referenceWindows(inputs, rule, (timestamp) => windowsAround(timestamp, size, size, offset));
        expect(run(inputs, rule, tumbling(size, offset))).toStrictEqual(expected);
      }),
      RUNS,
    ));

  it('windowBy(assigners.tumbling)', () =>
    fc.assert(
      fc.property(stream, rules, grid, (inputs, rule, { size, offset }) => {
        const expected = referenceWindows(inputs, rule, (timestamp) => windowsAround(timestamp, size, size, offset));
        expect(run(inputs, rule, general(size, offset))).toStrictEqual(expected);
      }),
      RUNS,
    ));

  it('windowBy(sliding), also where a slide above the size leaves gaps', () =>
    fc.assert(
      fc.property(stream, rules, size, size, fc.nat(14), (inputs, rule, length, slide, offset) => {
        const expected = referenceWindows(inputs, rule, (timestamp) => windowsAround(timestamp, length, slide, offset));
        expect(run(inputs, rule, (config) => windowBy(sliding(length, slide, offset), collect, config))).toStrictEqual(expected);
      }),
      RUNS,
    ));

  it('windowBy(session)', () =>
    fc.assert(
      fc.property(stream, rules, fc.integer({ min: 1, max: 12 }), (inputs, rule, gap) => {
        const expected = referenceSessions(inputs, rule, gap);
        expect(run(inputs, rule, (config) => windowBy(sessions(gap), sorted, config))).toStrictEqual(expected);
      }),
      RUNS,
    ));

  it('tumblingWindow is windowBy(assigners.tumbling), also on times of this century and for any fold', () => {
    const hour = 3_600_000;
    const folds = fc.constantFrom<MergeableAggregate<number, unknown>>(
      collect,
      aggregates.count(),
      aggregates.mean<number>((n) => n),
      aggregates.struct({ last: aggregates.last<number>(), all: collect }),
    );
    fc.assert(
      fc.property(
        stream,
        rules,
        fc.integer({ min: 1, max: 48 }),
        fc.integer({ min: -1, max: 1 }),
        folds,
        (all, rule, n, shift, fold) => {
          const moved = all.map((element) => ({
            ...element,
            timestamp: element.timestamp * hour + 1_590_000_000_000,
          }));
          const config: Config = { allowedLateness: rule.lateness * hour, panes: rule.panes };
          const [one, two]: [unknown[], unknown[]] = [[], []];
          const offset = shift * (n * hour - 1);
          from(moved)
            .pipe(tumblingWindow(n * hour, fold, { ...config, offset, lateTo: (record) => one.push(['late', record]) }))
            .subscribe((element) => one.push(element));
          from(moved)
            .pipe(
              windowBy(assigners.tumbling(n * hour, { offset }), fold, {
                ...config,
                lateTo: (record) => two.push(['late', record]),
              }),
            )
            .subscribe((element) => two.push(element));
          expect(one).toStrictEqual(two);
        },
      ),
      RUNS,
    );
  });
});

describe('windows by the clock', () => {
  const gaps = fc.array(fc.nat(6), { minLength: 40, maxLength: 40 });

  /** Pushes each element in its frame, and completes in frame `end`. */
  function inFrames(inputs: ReadonlyArray<At<In>>, end: number, make: (scheduler: VirtualTimeScheduler) => Operator): At<Out>[] {
    const scheduler = new VirtualTimeScheduler();
    const seen: At<Out>[] = [];
    new Observable<In>((subscriber) => {
      for (const [frame, element] of inputs) scheduler.schedule(() => subscriber.next(element), frame);
      scheduler.schedule(() => subscriber.complete(), end);
    })
      .pipe(make(scheduler))
      .subscribe((element) => seen.push([scheduler.now(), element]));
    scheduler.flush();
    return seen;
  }

  for (const [name, operator] of [
    [
      'tumblingWindow',
      (size: number, config: Config): Operator => tumblingWindow(size, collect, { ...config, clock: 'processing' }),
    ],
    [
      'windowBy(assigners.tumbling)',
      (size: number, { offset = 0, ...config }: Config): Operator =>
        windowBy(assigners.tumbling(size, { offset, clock: 'processing' }), collect, config),
    ],
  ] as const) {
    it(`${name} equals the reference, frame by frame, and nothing is late`, () =>
      fc.assert(
        fc.property(stream, gaps, grid, rules, (inputs, steps, { size, offset }, { lateness, panes }) => {
          const frames = steps.map((_, i) => steps.slice(0, i + 1).reduce((sum, step) => sum + step, 0));
          const timed = inputs.map((input, i): At<In> => [frames[i] ?? 0, input]);
          const frame = timed.at(-1)?.[0] ?? 0;
          const seen = counters();
          const actual = inFrames(timed, frame + 1, (scheduler) =>
            operator(size, { offset, scheduler, allowedLateness: lateness, panes, counters: seen }),
          );
          const windowOf = (at: number): TimeWindow => windowsAround(at, size, size, offset)[0] ?? { start: NaN, end: NaN };
          expect(actual).toStrictEqual(referenceByClock(timed, frame + 1, windowOf));
          expect({ late: seen.late, discarded: seen.discarded }).toStrictEqual({ late: 0, discarded: 0 });
        }),
        RUNS,
      ));
  }
});

/** The operators, each with something to do for a stream of the given size. */
const operators: ReadonlyArray<readonly [string, (n: number) => (config: Config) => Operator]> = [
  ['tumblingWindow', (n) => tumbling(n, 0)],
  ['windowBy(assigners.tumbling)', (n) => general(n, 0)],
  ['windowBy(sliding)', (n) => (config) => windowBy(sliding(n * 2, n, 0), collect, config)],
  ['windowBy(session)', (n) => (config) => windowBy(sessions(n), sorted, config)],
];
const results = ({
  main,
}: Outcome): ReadonlyArray<{ readonly key: string; readonly window: TimeWindow; readonly value: Numbers }> =>
  main.flatMap((element) => (element._tag === 'Record' ? [element.value] : []));
const id = ({ key, window }: { key: string; window: TimeWindow }): string => `${key} ${window.start} ${window.end}`;
const ascending = (all: Iterable<number>): number[] => [...all].sort((a, b) => a - b);

for (const [name, operator] of operators) {
  describe(name, () => {
    it('lets time rise strictly, or idleness change, and never puts a result behind its time (W1, V1)', () =>
      fc.assert(
        fc.property(stream, rules, size, (inputs, rule, n) => {
          let time = MIN_TIMESTAMP;
          let idle = false;
          for (const element of run(inputs, rule, operator(n)).main) {
            if (element._tag === 'Record') {
              if (element.value.pane.timing === 'onTime') expect(element.timestamp).toBeGreaterThan(time);
              else expect(element.timestamp).toBeLessThanOrEqual(time);
              continue;
            }
            if (element.timestamp === time) expect(element.idle).toBe(!idle);
            else expect(element.timestamp).toBeGreaterThan(time);
            ({ timestamp: time, idle } = element);
          }
          expect(time).toBe(Infinity);
        }),
      ));

    it('loses no record, and holds none twice: discarding panes and the late output make up the input', () =>
      fc.assert(
        fc.property(stream, rules, size, (inputs, { lateness }, n) => {
          const outcome = run(inputs, { lateness, panes: 'discarding' }, operator(n));
          const copies = name === 'windowBy(sliding)' ? 2 : 1;
          const held = results(outcome).flatMap(({ value }) => value);
          const late = outcome.late.map(({ value }) => value);
          const all = recordsOf(inputs).map(({ value }) => value);
          for (const value of all) {
            const times = held.filter((v) => v === value).length;
            // a record that is late for one of its windows and not for the other is in one
            if (late.includes(value)) expect(times).toBe(0);
            else expect(times).toBeGreaterThanOrEqual(1);
            expect(times).toBeLessThanOrEqual(copies);
          }
          expect(held.length + late.length).toBeGreaterThanOrEqual(all.length);
          expect(new Set([...held, ...late])).toStrictEqual(new Set(all));
          for (const window of new Set(results(outcome).map(id))) {
            const inside = results(outcome).flatMap((r) => (id(r) === window ? r.value : []));
            expect(new Set(inside).size).toBe(inside.length);
          }
        }),
      ));

    // merging windows have not always a pane before them
    if (name !== 'windowBy(session)')
      it('accumulates: each pane holds the one before it, and the last one all that discarding panes hold together', () =>
        fc.assert(
          fc.property(stream, rules, size, (inputs, { lateness }, n) => {
            const last = new Map<string, Numbers>();
            for (const result of results(run(inputs, { lateness, panes: 'accumulating' }, operator(n)))) {
              const before = last.get(id(result)) ?? [];
              expect(result.value.slice(0, before.length)).toStrictEqual(before);
              expect(result.value.length).toBeGreaterThan(before.length);
              last.set(id(result), result.value);
            }
            const together = new Map<string, Numbers>();
            for (const result of results(run(inputs, { lateness, panes: 'discarding' }, operator(n)))) {
              together.set(id(result), [...(together.get(id(result)) ?? []), ...result.value]);
            }
            expect(last).toStrictEqual(together);
          }),
        ));

    it('closes the same windows for any interleaving that keeps the order of each key', () =>
      fc.assert(
        fc.property(stream, rules, size, fc.infiniteStream(fc.nat()), (inputs, rule, n, dice) => {
          const shuffled = interleaved(inputs, () => dice.next().value);
          const [one, other] = [run(inputs, rule, operator(n)), run(shuffled, rule, operator(n))];
          const byWindow = (outcome: Outcome): unknown[] =>
            outcome.main
              .flatMap((element) => (element._tag === 'Record' ? [element.value] : []))
              .map((r) => ({ ...r, of: `${id(r)} ${r.pane.index}` }))
              .sort((a, b) => (a.of < b.of ? -1 : a.of > b.of ? 1 : 0));
          const marks = (outcome: Outcome): Out[] => outcome.main.filter((element) => element._tag === 'Watermark');
          const lateOf = (outcome: Outcome): number[] => ascending(outcome.late.map(({ value }) => value));
          expect(byWindow(other)).toStrictEqual(byWindow(one));
          expect(marks(other)).toStrictEqual(marks(one));
          expect(lateOf(other)).toStrictEqual(lateOf(one));
        }),
      ));

    it('stops firing when downstream has had enough: what came is how the whole begins (C2)', () =>
      fc.assert(
        fc.property(stream, rules, size, fc.integer({ min: 1, max: 12 }), (inputs, rule, n, count) => {
          const { main } = run(inputs, rule, operator(n));
          const config: Config = { allowedLateness: rule.lateness, panes: rule.panes };
          const some: Out[] = [];
          from(inputs)
            .pipe(operator(n)(config), take(count))
            .subscribe((element) => some.push(element));
          expect(some).toStrictEqual(main.slice(0, count));
        }),
      ));

    it('gives each subscription state of its own (C3)', () =>
      fc.assert(
        fc.property(stream, rules, size, (inputs, rule, n) => {
          const config: Config = { allowedLateness: rule.lateness, panes: rule.panes };
          const pipeline = from(inputs).pipe(operator(n)(config));
          const [one, two]: [Out[], Out[]] = [[], []];
          pipeline.subscribe((element) => one.push(element));
          pipeline.subscribe((element) => two.push(element));
          expect(two).toStrictEqual(one);
        }),
      ));
  });
}

describe('one by one', () => {
  const asking = (fold: () => void): MergeableAggregate<number, Numbers> =>
    aggregates.mapResult((all: Numbers) => {
      fold();
      return all;
    })(collect);
  const folding: ReadonlyArray<readonly [string, (fold: MergeableAggregate<number, Numbers>) => Operator]> = [
    ['tumblingWindow', (fold) => tumblingWindow<number, Numbers, string>(10, fold)],
    ['windowBy(assigners.tumbling)', (fold) => windowBy(assigners.tumbling(10), fold)],
    ['windowBy(sliding)', (fold) => windowBy(sliding(20, 10, 0), fold)],
    ['windowBy(session)', (fold) => windowBy(sessions(5), fold)],
  ];
  for (const [name, operator] of folding) {
    it(`${name} computes no result that nobody takes (C2)`, () => {
      let asked = 0;
      const inputs = [keyedRecord(0, 1, 'a'), keyedRecord(1, 1, 'b'), keyedRecord(2, 1, 'c'), keyedRecord(3, 30, 'a')];
      from([...inputs, watermark(99)])
        .pipe(operator(asking(() => asked++)), take(2))
        .subscribe();
      expect(asked).toBe(2);
    });
  }

  it('a merged session keeps the place of its oldest part among those of the same end (V1)', () => {
    const inputs: In[] = [
      keyedRecord(0, 0, 'a'),
      keyedRecord(1, 8, 'b'),
      keyedRecord(2, 8, 'a'),
      keyedRecord(3, 4, 'a'), // makes [0, 5) and [8, 13) one
      watermark(12),
    ];
    const seen: string[] = [];
    from(inputs)
      .pipe(windowBy(sessions(5), sorted))
      .subscribe((element) => element._tag === 'Record' && seen.push(`${id(element.value)}: ${element.value.value}`));
    expect(seen).toStrictEqual(['a 0 13: 0,2,3', 'b 8 13: 1']);
  });
});

/** The same watermarks in the same places, and between two of them the records of each key in their order. */
function interleaved(inputs: ReadonlyArray<In>, dice: () => number): In[] {
  const out: In[] = [];
  let waiting = new Map<string, In[]>();
  const deal = (): void => {
    while (waiting.size > 0) {
      const keys = [...waiting.keys()];
      const key = keys[dice() % keys.length] as string;
      const [next, ...rest] = waiting.get(key) ?? [];
      if (next !== undefined) out.push(next);
      if (rest.length > 0) waiting.set(key, rest);
      else waiting.delete(key);
    }
    waiting = new Map();
  };
  for (const input of inputs) {
    if (input._tag === 'Record') {
      waiting.set(input.key, [...(waiting.get(input.key) ?? []), input]);
      continue;
    }
    deal();
    out.push(input);
  }
  deal();
  return out;
}

describe('the grid of assigners.tumbling (T3)', () => {
  const wide = fc.oneof(
    fc.integer({ min: 1, max: 100 }),
    fc.integer({ min: 1, max: 2 ** 40 }),
    fc.constantFrom(1, 7, 1_000, 86_400_000),
  );
  const placed = wide.chain((n) =>
    fc.record({
      size: fc.constant(n),
      offset: fc.oneof(fc.constant(0), fc.integer({ min: 1 - n, max: n - 1 })),
      // as far as a window around it has safe bounds, with the corners of the grid among them
      timestamp: fc
        .oneof(
          fc.integer({ min: Number.MIN_SAFE_INTEGER + 2 * n, max: Number.MAX_SAFE_INTEGER - 2 * n }),
          fc.integer({ min: -1_000, max: 1_000 }),
          fc.tuple(fc.integer({ min: -1_000, max: 1_000 }), fc.integer({ min: -1, max: 1 })).map(([k, d]) => k * n + d),
        )
        .map((t) => t + 0),
    }),
  );

  it('equals integer arithmetic without limits, for negative, huge and ordinary times', () =>
    fc.assert(
      fc.property(placed, ({ size: n, offset, timestamp }) => {
        const [window, ...others] = assigners.tumbling(n, { offset }).assign(null, timestamp, 0);
        const [t, s, o] = [BigInt(timestamp), BigInt(n), BigInt(offset)];
        const start = t - ((((t - o) % s) + s) % s);
        expect(others).toStrictEqual([]);
        expect([BigInt(window?.start ?? NaN), BigInt(window?.end ?? NaN)]).toStrictEqual([start, start + s]);
      }),
      { numRuns: 2_000 },
    ));

  it('puts a time on a boundary into the window that begins there', () =>
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000, max: 1_000_000 }), grid, (k, { size: n, offset }) => {
        const start = k * n + offset;
        const assigner = assigners.tumbling(n, { offset });
        expect(assigner.assign(null, start, 0)).toStrictEqual([{ start, end: start + n }]);
        expect(assigner.assign(null, start - 1, 0)).toStrictEqual([{ start: start - n, end: start }]);
      }),
    ));
});

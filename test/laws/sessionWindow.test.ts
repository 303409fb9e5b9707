import fc from 'fast-check';
import { from, take } from 'rxjs';
import {
  aggregates,
  assigners,
  type Counters,
  counters,
  type MergeableAggregate,
  type MergingAssigner,
  type StreamRecord,
  sessionWindow,
  type TimeWindow,
  type Windowed,
  type WindowResult,
  watermark,
  windowBy,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { SessionCore } from '../../src/core/SessionCore.js';
import type { WindowSink } from '../../src/core/WindowCore.js';
import { stream } from '../helpers/arbitraries.js';
import { openWindows } from '../helpers/openWindows.js';
import type { In } from '../helpers/windowReference.js';

type Numbers = ReadonlyArray<number>;
type Gap = number | ((value: number) => number);
interface Config {
  readonly allowedLateness: number;
  readonly panes: 'accumulating' | 'discarding';
}

const collect = aggregates.collect<number>();
const latenesses = fc.oneof(fc.constant(0), fc.nat(20), fc.constant(Infinity));
const configs: fc.Arbitrary<Config> = fc.record(
  { allowedLateness: latenesses, panes: fc.constantFrom<Config['panes']>('accumulating', 'discarding') },
  { noNullPrototype: true },
);
const RUNS = { numRuns: 800 };

/** What comes out, late records among it, and the counters. */
function run<R>(
  inputs: ReadonlyArray<In>,
  operator: (lateTo: (record: StreamRecord<number, string>) => void, counters: Counters) => Windowed<number, R, string>,
): unknown[] {
  const seen: unknown[] = [];
  const counted = counters();
  from(inputs)
    .pipe(operator((record) => seen.push(['late', record]), counted))
    .subscribe((element) => seen.push(element));
  const { records, late, unassigned, discarded } = counted;
  return [...seen, { records, late, unassigned, discarded }];
}

/** The same sessions, without a core of their own. */
const general = (gap: Gap): MergingAssigner<number> => {
  const assigner = sessions(gap);
  return { ...assigner, assign: (value, timestamp, now) => assigner.assign(value, timestamp, now) };
};
const sessions = (gap: Gap): MergingAssigner<number> =>
  typeof gap === 'number' ? assigners.session(gap) : assigners.dynamicSession(gap);

/** The inputs up to the end of time, if windows are kept for ever. */
function untilEnd(inputs: In[], { allowedLateness }: Config): In[] {
  const end =
    allowedLateness === Infinity ? inputs.findIndex(({ _tag, timestamp }) => _tag === 'Watermark' && timestamp === Infinity) : -1;
  return end < 0 ? inputs : inputs.slice(0, end + 1);
}

/** Gaps that the values of records, their indices, decide. */
const varied = (n: number): number => 1 + ((n * 7) % 13);

describe('sessions equal those of any merging assigner, element by element', () => {
  for (const [name, gaps] of [
    ['a fixed gap', fc.integer({ min: 1, max: 12 })],
    ['a gap by record', fc.constant(varied)],
  ] as const) {
    it(name, () =>
      fc.assert(
        fc.property(stream, configs, gaps, (all, config, gap: Gap) => {
          const inputs = untilEnd(all, config);
          const expected = run(inputs, (lateTo, counters) => windowBy(general(gap), collect, { ...config, lateTo, counters }));
          expect(run(inputs, (lateTo, counters) => sessionWindow(gap, collect, { ...config, lateTo, counters }))).toStrictEqual(
            expected,
          );
          expect(
            run(inputs, (lateTo, counters) => windowBy(sessions(gap), collect, { ...config, lateTo, counters })),
          ).toStrictEqual(expected);
        }),
        RUNS,
      ),
    );
  }

  it('also where gaps are seconds, over many buckets of timers, and with any fold', () => {
    const folds = fc.constantFrom<MergeableAggregate<number, unknown>>(
      collect,
      aggregates.struct({ n: aggregates.count(), first: aggregates.first<number>(), mean: aggregates.mean<number>((n) => n) }),
    );
    fc.assert(
      fc.property(stream, configs, fc.integer({ min: 1, max: 12_000 }), folds, (all, config, gap, fold) => {
        const inputs = untilEnd(all, config).map((e) => ({ ...e, timestamp: e.timestamp * 997 + 1_590_000_000_000 }));
        const scaled = { ...config, allowedLateness: config.allowedLateness * 997 };
        expect(run(inputs, (lateTo, counters) => sessionWindow(gap, fold, { ...scaled, lateTo, counters }))).toStrictEqual(
          run(inputs, (lateTo, counters) => windowBy(general(gap), fold, { ...scaled, lateTo, counters })),
        );
      }),
      RUNS,
    );
  });

  it('also one by one, until downstream has had enough (C2)', () =>
    fc.assert(
      fc.property(stream, configs, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 9 }), (inputs, config, gap, n) => {
        const [some, all]: [unknown[], unknown[]] = [[], []];
        from(inputs)
          .pipe(sessionWindow(gap, collect, config), take(n))
          .subscribe((element) => some.push(element));
        from(inputs)
          .pipe(sessionWindow(gap, collect, config))
          .subscribe((element) => all.push(element));
        expect(some).toStrictEqual(all.slice(0, n));
      }),
    ));
});

function coreOf(
  gap: number,
  allowedLateness: number,
  seen: WindowResult<Numbers, string>[] = [],
): SessionCore<number, string, Numbers, unknown> {
  const sink: WindowSink<number, string, Numbers, TimeWindow> = {
    closed: false,
    now: () => 0,
    result: (key, window, value, pane) => seen.push({ key, window, value, pane }),
    late: () => {},
    unassigned: () => {},
    discarded: () => {},
  };
  const options = { name: 'sessionWindow', allowedLateness, panes: 'accumulating', resultTime: 'end' } as const;
  return new SessionCore<number, string, Numbers, unknown>(gap, { ...options, aggregate: collect }, sink);
}

/** What is inside, by the names of the fields: a leak is no matter of the outside. */
function held(core: object): unknown {
  const { open, buckets, soon, closing } = core as {
    readonly [name in 'buckets' | 'soon' | 'closing']: { readonly due: { readonly size: number } };
  } & { readonly open: { readonly size: number } };
  return { keys: open.size, timers: buckets.due.size + soon.due.size + closing.due.size };
}

describe('the state of sessions', () => {
  it('V6: a key without open sessions has no footprint', () =>
    fc.assert(
      fc.property(stream, latenesses, fc.integer({ min: 1, max: 12 }), (inputs, lateness, gap) => {
        const core = coreOf(gap, lateness);
        let time = -Infinity;
        for (const input of [...inputs, watermark(Infinity)]) {
          if (input._tag === 'Record') core.record(input.value, input.timestamp, input.key);
          else if (input.timestamp > time) {
            time = input.timestamp;
            core.watermark(time);
          }
        }
        expect(openWindows(core)).toBe(0);
        expect(held(core)).toStrictEqual({ keys: 0, timers: 0 });
      }),
    ));

  it('P067: a key with many open sessions, in any order, keeps them sorted, and closes them without a search', () => {
    const N = 10_000;
    const seen: WindowResult<Numbers, string>[] = [];
    const core = coreOf(5, 0, seen);
    for (let i = 0; i < N; i++) core.record(i, ((i * 7_919) % N) * 10, 'a');
    expect(openWindows(core)).toBe(N);
    for (let time = 0; time < N * 10; time += 1_000) core.watermark(time);
    core.watermark(Infinity);
    expect(seen.map(({ window }) => window.start)).toStrictEqual(Array.from({ length: N }, (_, i) => i * 10));
    expect(held(core)).toStrictEqual({ keys: 0, timers: 0 });
  });

  it('a session that grows while it waits fires once, at its last end', () => {
    const seen: WindowResult<Numbers, string>[] = [];
    const core = coreOf(100, 0, seen);
    for (let i = 0; i < 50; i++) {
      core.record(i, i * 90, 'a');
      core.watermark(i * 90 + 20);
    }
    expect(seen).toStrictEqual([]);
    core.watermark(49 * 90 + 98);
    expect(seen).toStrictEqual([]);
    core.watermark(49 * 90 + 99);
    expect(seen.map(({ window, value }) => [window.start, window.end, value.length])).toStrictEqual([[0, 49 * 90 + 100, 50]]);
  });
});

import { Ord } from 'fp-ts/lib/number.js';
import {
  adaptiveOutOfOrderness,
  aggregates,
  ascendingTimestamps,
  assigners,
  boundedOutOfOrderness,
  contramapStrategy,
  evictors,
  fromGenerator,
  noWatermarks,
  punctuated,
  triggers,
  withIdleness,
  withMaxFutureSkew,
} from 'tidemark';
import { calendar } from 'tidemark/calendar';
import { describe, expect, it } from 'vitest';

const distance = (older: number, newer: number): number => newer - older;
const upTo = (n: number): number => n;
const adaptive = { lateShare: 0.01, minDelay: 1, maxDelay: 9 };

/** How a value is made, one that is made otherwise, and what it says of itself. */
type Row = readonly [name: string, make: () => object, other: () => object, says: object];

const strategies: ReadonlyArray<Row> = [
  ['bounded', () => boundedOutOfOrderness(5), () => boundedOutOfOrderness(6), { kind: 'boundedOutOfOrderness', maxDelay: 5 }],
  ['ascending', () => ascendingTimestamps(), () => noWatermarks(), { kind: 'ascendingTimestamps' }],
  ['none', () => noWatermarks(), () => ascendingTimestamps(), { kind: 'noWatermarks' }],
  ['punctuated', () => punctuated(upTo), () => punctuated(distance), { kind: 'punctuated', watermarkOf: upTo }],
  [
    'adaptive',
    () => adaptiveOutOfOrderness(adaptive),
    () => adaptiveOutOfOrderness({ ...adaptive, maxDelay: 8 }),
    { kind: 'adaptiveOutOfOrderness', ...adaptive },
  ],
  [
    'an enriched one',
    () => withMaxFutureSkew(7)(withIdleness(9)(boundedOutOfOrderness(5))),
    () => withMaxFutureSkew(7)(withIdleness(8)(boundedOutOfOrderness(5))),
    { kind: 'boundedOutOfOrderness', maxDelay: 5, maxFutureSkew: 7, idleness: { timeout: 9 } },
  ],
];

const { tumbling, sliding, cumulative, session, dynamicSession, global } = assigners;
const ofWindows: ReadonlyArray<Row> = [
  ['tumbling', () => tumbling(5, { offset: 1 }), () => tumbling(5), { type: 'tumbling', kind: 'event', size: 5, offset: 1 }],
  ['sliding', () => sliding(6, 2), () => sliding(6, 3), { type: 'sliding', kind: 'event', size: 6, slide: 2, offset: 0 }],
  [
    'cumulative',
    () => cumulative(2, 6, { clock: 'processing' }),
    () => cumulative(2, 6),
    { type: 'cumulative', kind: 'processing', size: 6, step: 2, offset: 0 },
  ],
  ['session', () => session(5), () => session(6), { type: 'session', kind: 'event', gap: 5 }],
  ['dynamicSession', () => dynamicSession(upTo), () => dynamicSession(() => 1), { type: 'session', kind: 'event', gap: upTo }],
  ['global', () => global(), () => session(5), { type: 'global', kind: 'global' }],
  [
    'calendar',
    () => calendar('day', { timeZone: 'UTC' }),
    () => calendar('day', { timeZone: 'UTC', count: 2 }),
    { type: 'calendar', unit: 'day', timeZone: 'UTC', count: 1 },
  ],
  ['evictors.count', () => evictors.count(5), () => evictors.count(6), { kind: 'count', n: 5, after: false }],
  ['evictors.time', () => evictors.time(5, { after: true }), () => evictors.time(5), { kind: 'time', size: 5, after: true }],
  [
    'evictors.delta',
    () => evictors.delta(distance, 5),
    () => evictors.delta(distance, 6),
    { kind: 'delta', distance, threshold: 5 },
  ],
  [
    'triggers',
    () => triggers.afterWatermark({ early: triggers.afterCount(5) }),
    () => triggers.afterWatermark({ early: triggers.afterCount(6) }),
    { kind: 'afterWatermark', early: { kind: 'afterCount', n: 5 } },
  ],
];

const folds: ReadonlyArray<Row> = [
  ['count', () => aggregates.count(), () => aggregates.sum(), { kind: 'count' }],
  ['sum', () => aggregates.sum(), () => aggregates.count(), { kind: 'sum' }],
  ['first', () => aggregates.first(), () => aggregates.last(), { kind: 'first' }],
  ['last', () => aggregates.last(), () => aggregates.first(), { kind: 'last' }],
  ['collect', () => aggregates.collect(), () => aggregates.first(), { kind: 'collect' }],
  ['distinctCount', () => aggregates.distinctCount(), () => aggregates.count(), { kind: 'distinctCount' }],
];

for (const [sort, rows] of Object.entries({ strategies, 'assigners, evictors, triggers': ofWindows, aggregates: folds })) {
  describe(sort, () => {
    it.each(rows)(
      '%s: made twice it is the same, made otherwise it is not, and it says what it is',
      (_name, make, other, says) => {
        expect(make()).toStrictEqual(make());
        expect(make()).not.toEqual(other());
        expect(make()).toMatchObject(says);
      },
    );
  });
}

describe('what holds a function of the user says at least what it is', () => {
  it.each<readonly [string, { readonly kind?: string }]>([
    ['fromGenerator', fromGenerator(() => ({ onRecord() {}, onTick() {} }))],
    ['contramapStrategy', contramapStrategy(upTo)(boundedOutOfOrderness<number>(5))],
    ['sum', aggregates.sum(upTo)],
    ['mean', aggregates.mean(upTo)],
    ['min', aggregates.min(upTo)],
    ['max', aggregates.max(upTo)],
    ['minBy', aggregates.minBy(Ord)],
    ['maxBy', aggregates.maxBy(Ord)],
    ['reduce', aggregates.reduce(distance)],
    ['fold', aggregates.fold(() => 0, distance)],
    ['struct', aggregates.struct({ n: aggregates.count() })],
    ['mapResult', aggregates.mapResult(upTo)(aggregates.count())],
    ['contramapInput', aggregates.contramapInput(upTo)(aggregates.count())],
    ['topK', aggregates.topK(3, Ord)],
    ['distinctCount', aggregates.distinctCount(upTo)],
    ['percentOf', aggregates.percentOf(() => true)],
    ['variance', aggregates.variance(upTo)],
  ])('%s', (kind, value) => {
    expect(value.kind).toBe(kind);
  });
});

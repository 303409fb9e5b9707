import { from } from 'rxjs';
import * as tidemark from 'tidemark';
import { describe, expect, it } from 'vitest';

// as seen by callers without types
type Loose<T> = { readonly [P in keyof T]: (...args: unknown[]) => unknown };
const { aggregates, assigners, evictors, triggers } = tidemark;
const api = tidemark as unknown as Loose<typeof tidemark>;
const folds = aggregates as unknown as Loose<typeof aggregates>;
const { count } = aggregates;
const call = (f: unknown): ((...args: unknown[]) => unknown) => f as (...args: unknown[]) => unknown;

describe('C4: what is no argument is refused when it is given, with its name', () => {
  const wrong: ReadonlyArray<readonly [string, () => unknown, string]> = [
    ['sum', () => folds.sum('n'), 'sum: by is "n", it must be a function'],
    ['mean', () => folds.mean(), 'mean: by is undefined, it must be a function'],
    ['min', () => folds.min(), 'min: by is undefined, it must be a function'],
    ['max', () => folds.max(), 'max: by is undefined, it must be a function'],
    ['variance', () => folds.variance(), 'variance: by is undefined, it must be a function'],
    ['reduce', () => folds.reduce(), 'reduce: f is undefined, it must be a function'],
    ['minBy', () => folds.minBy(), 'minBy: ord is undefined, it must be an Ord of fp-ts'],
    ['maxBy', () => folds.maxBy({}), 'maxBy: ord is {}, it must be an Ord of fp-ts'],
    ['fold', () => folds.fold(0), 'fold: create is 0, it must be a function'],
    ['fold', () => folds.fold(() => 0), 'fold: add is undefined, it must be a function'],
    ['foldMap', () => folds.foldMap(), 'foldMap: monoid is undefined, it must be a Monoid of fp-ts'],
    [
      'foldMap',
      () => call(folds.foldMap({ empty: 0, concat: (a: number) => a }))(),
      'foldMap: f is undefined, it must be a function',
    ],
    ['mapResult', () => folds.mapResult(), 'mapResult: f is undefined, it must be a function'],
    ['contramapInput', () => folds.contramapInput(), 'contramapInput: f is undefined, it must be a function'],
    ['assignWatermarks', () => api.assignWatermarks(), 'assignWatermarks: strategy is undefined, it must be a strategy'],
    [
      'assignWatermarks',
      () => api.assignWatermarks(tidemark.ascendingTimestamps, { timestamp: () => 0 }),
      'assignWatermarks: strategy is function',
    ],
    [
      'assignWatermarks',
      () => api.assignWatermarks(tidemark.noWatermarks(), { timestamp: () => 0, interval: 'records' }),
      'assignWatermarks: interval is "records", it must be a whole number of ms from 1 to 2147483647, Infinity or \'record\'',
    ],
    ...[null, {}].map(
      (policy) =>
        [
          'assignWatermarks',
          () => api.assignWatermarks(tidemark.noWatermarks(), { timestamp: () => 0, onInvalidTimestamp: policy }),
          "it must be 'error', 'drop', 'forward' or { dropTo }",
        ] as const,
    ),
    [
      'assignWatermarks',
      () => api.assignWatermarks(tidemark.noWatermarks(), { timestamp: () => 0, onInvalidTimestamp: { dropTo: 5 } }),
      'assignWatermarks: onInvalidTimestamp.dropTo is 5, it must be a function or an observer',
    ],
    ['intervalJoinWith', () => api.intervalJoinWith(from([])), 'intervalJoinWith: config is undefined, it must be an object'],
    ['closeWhenQuiet', () => api.closeWhenQuiet(), 'closeWhenQuiet: config is undefined, it must be an object'],
    [
      'adaptiveOutOfOrderness',
      () => api.adaptiveOutOfOrderness(null),
      'adaptiveOutOfOrderness: config is null, it must be an object',
    ],
    ['processWith', () => api.processWith(), 'processWith: spec is undefined, it must be an object'],
    ['coProcessWith', () => api.coProcessWith(from([])), 'coProcessWith: spec is undefined, it must be an object'],
    ['pattern', () => api.pattern(), 'pattern: steps is undefined, it must be a list of steps'],
    ['timeout', () => call(triggers.timeout)(triggers.never()), 'timeout: config is undefined, it must be an object'],
    ['reassignWatermarks', () => api.reassignWatermarks(), 'reassignWatermarks: strategy is undefined, it must be a strategy'],
    ['withIdleness', () => call(api.withIdleness(10))(), 'withIdleness: strategy is undefined, it must be a strategy'],
    ['withMaxFutureSkew', () => call(api.withMaxFutureSkew(10))({}), 'withMaxFutureSkew: strategy is {}, it must be a strategy'],
    ['windowBy', () => api.windowBy(), 'windowBy: assigner is undefined, it must be an assigner'],
    ['windowBy', () => api.windowBy(assigners.tumbling, count()), 'windowBy: assigner is function'],
    ['tumblingWindow', () => api.tumblingWindow(5, count(), { trigger: evictors.count(1) }), 'it must be one of triggers'],
    ['tumblingWindow', () => api.tumblingWindow(5, count(), { evict: triggers.eventTime() }), 'it must be one of evictors'],
    [
      'tumblingWindow',
      () => api.tumblingWindow(5, count(), { lateTo: 5 }),
      'tumblingWindow: lateTo is 5, it must be a function or an observer',
    ],
    [
      'custom',
      () => call(triggers.custom)({ create: () => 0, onRecord: () => 'continue', onEventTime: 5 }),
      'custom: onEventTime is 5, it must be a function',
    ],
  ];
  it.each(wrong)('C4: %s', (_name, build, message) => {
    expect(build).toThrow(message);
  });
});

it('C1: a side output that has ended hears of no error', () => {
  const log: string[] = [];
  const fails = tidemark.fromGenerator<number>(() => ({
    onRecord() {},
    onTick() {
      throw new Error('asked once more');
    },
  }));
  const dropTo = { next() {}, error: () => log.push('error'), complete: () => log.push('complete') };
  from([1])
    .pipe(tidemark.assignWatermarks(fails, { timestamp: (at: number) => at, onInvalidTimestamp: { dropTo } }))
    .subscribe({ error: (error: Error) => log.push(error.message) });
  expect(log).toEqual(['error', 'asked once more']);
});

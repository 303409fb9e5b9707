import { debounceTime, type Observable, type OperatorFunction, type SchedulerLike, Subject } from 'rxjs';
import {
  changes,
  dedupe,
  firstPerKey,
  keyedRecord,
  lastPerKey,
  pattern,
  type StreamElement,
  sortByEventTime,
  watermark,
  withEventTime,
} from 'tidemark';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

type In = StreamElement<number, string>;
type Operator = OperatorFunction<In, StreamElement<unknown, unknown>>;

const wait = (values$: Observable<number>, scheduler: SchedulerLike): Observable<number> =>
  values$.pipe(debounceTime(5, scheduler));

const OPERATORS: ReadonlyArray<readonly [name: string, operator: () => Operator]> = [
  ['sortByEventTime', () => sortByEventTime<number, string>()],
  ['dedupe', () => dedupe<number, string>((n) => n, { within: 10 })],
  ['firstPerKey', () => firstPerKey<number, string>({ within: 10 })],
  ['lastPerKey', () => lastPerKey<number, string>({ within: 10 })],
  ['changes', () => changes<number, string>((n) => n, { within: 10 })],
  [
    'pattern',
    () =>
      pattern<number, string, 'a' | 'b'>(
        [
          { name: 'a', where: () => true },
          { name: 'b', where: () => false },
        ],
        { within: 10 },
      ),
  ],
  ['withEventTime', () => withEventTime<number, number, string, true>(wait, { perKey: true, forgetAfter: 10 })],
];

/** All that an object holds, directly or through others: entries of maps, sets and arrays. */
function held(root: object): number {
  const seen = new Set<object>();
  let entries = 0;
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (value instanceof Map || value instanceof Set) {
      entries += value.size;
      for (const one of value.values()) walk(one);
    } else if (Array.isArray(value)) {
      entries += value.length;
      for (const one of value) walk(one);
    } else {
      for (const one of Object.values(value)) walk(one);
    }
  };
  walk(root);
  return entries;
}

describe('state and timers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each(OPERATORS)('P065 %s: as many keys as there ever were leave nothing behind the watermark', (_name, operator) => {
    const source = new Subject<In>();
    const stages: object[] = [];
    // what is subscribed to the source is the stage
    const subscription = source.pipe(operator()).subscribe();
    stages.push(...(source as unknown as { readonly observers: object[] }).observers);
    const size = (): number => {
      const [stage] = stages as Array<Record<string, unknown>>;
      const { out: _, _finalizers, _parentage, ...own } = stage ?? {};
      return held({ ...own });
    };
    const empty = size();
    let most = 0;
    for (let i = 0; i < 5_000; i++) {
      source.next(keyedRecord(i, i, `key ${i}`));
      if (i % 50 === 0) {
        most = Math.max(most, size());
        source.next(watermark(i - 20));
      }
    }
    expect(most).toBeGreaterThan(20); // it does hold something meanwhile
    expect(most).toBeLessThan(2_000);
    source.next(watermark(10_000));
    expect(size()).toBeLessThanOrEqual(empty + 3); // the grain of the queue, and no more
    expect(vi.getTimerCount()).toBe(0);
    subscription.unsubscribe();
  });
});

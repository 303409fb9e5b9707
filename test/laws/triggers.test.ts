import fc from 'fast-check';
import { from, type OperatorFunction, toArray } from 'rxjs';
import {
  aggregates,
  assigners,
  counters,
  countWindow,
  cumulativeWindow,
  globalWindow,
  type MergeableTrigger,
  sessionWindow,
  slidingWindow,
  toValues,
  triggers,
  tumblingWindow,
  windowBy,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { recordsOf, stream } from '../helpers/arbitraries.js';
import { type Layout, type Plan, type Report, type Rule, referenceTriggers } from '../helpers/triggerReference.js';
import type { In, Out } from '../helpers/windowReference.js';

const RUNS = { numRuns: 300 };
const collect = aggregates.collect<number>();
const { afterCount, afterFirst, afterWatermark, custom, eventTime, every, once, purging, repeatedly } = triggers;

const small = fc.integer({ min: 1, max: 12 });
const few = fc.integer({ min: 1, max: 4 });
const grid = <T extends 'tumbling' | 'sliding'>(type: T): fc.Arbitrary<Layout> =>
  fc.tuple(small, small).chain(([size, slide]) => {
    const by = type === 'sliding' ? slide : size;
    return fc.record({
      type: fc.constant(type),
      size: fc.constant(size),
      by: fc.constant(by),
      offset: fc.integer({ min: 1 - by, max: by - 1 }),
    });
  });
const layouts: Readonly<Record<Layout['type'], fc.Arbitrary<Layout>>> = {
  tumbling: grid('tumbling'),
  sliding: grid('sliding'),
  cumulative: fc
    .tuple(few, few)
    .chain(([by, steps]) =>
      fc
        .integer({ min: 1 - by * steps, max: by * steps - 1 })
        .map((offset): Layout => ({ type: 'cumulative', size: by * steps, by, offset })),
    ),
  session: small.map((gap): Layout => ({ type: 'session', gap })),
  global: fc.constant({ type: 'global' }),
};
const rules: Readonly<Record<Rule['type'], fc.Arbitrary<Rule>>> = {
  end: fc.constant({ type: 'end' }),
  count: fc.tuple(few, fc.boolean()).map(([n, purges]) => ({ type: 'count', n, purging: purges })),
  once: few.map((n) => ({ type: 'once', n })),
  countOrEnd: few.map((n) => ({ type: 'countOrEnd', n })),
  every: fc
    .tuple(fc.integer({ min: 1, max: 7 }), fc.boolean())
    .map(([interval, repeat]) => ({ type: 'every', interval, repeat })),
  earlyLate: fc.tuple(few, fc.option(few)).map(([early, late]) => ({ type: 'earlyLate', early, late })),
  byValue: fc.constant({ type: 'byValue' }),
};
const rest = fc.record({
  lateness: fc.oneof(fc.constant(0), fc.nat(20), fc.constant(Infinity)),
  panes: fc.constantFrom<Plan['panes']>('accumulating', 'discarding', 'retracting'),
  resultTime: fc.constantFrom<Plan['resultTime']>('end', 'end', 'earliest', 'latest'),
});

function triggerOf(rule: Rule): MergeableTrigger<number, unknown> {
  switch (rule.type) {
    case 'end':
      return eventTime();
    case 'count':
      return rule.purging ? purging(afterCount(rule.n)) : afterCount(rule.n);
    case 'once':
      return once(afterCount(rule.n));
    case 'countOrEnd':
      return repeatedly(afterFirst(afterCount(rule.n), eventTime()));
    case 'every':
      return every(rule.interval, 'event', { repeat: rule.repeat });
    case 'earlyLate':
      return afterWatermark({ early: afterCount(rule.early), ...(rule.late === null ? {} : { late: afterCount(rule.late) }) });
    case 'byValue':
      return custom<number, null, unknown>({
        create: () => null,
        onRecord: (value, _state, context) => {
          if (context.maxTimestamp > context.watermark) context.onEventTime(context.maxTimestamp);
          return (['continue', 'fire', 'purge', 'fireAndPurge', 'continue'] as const)[(value % 5) as 0];
        },
        onEventTime: (at, _state, context) => (at === context.maxTimestamp ? 'fire' : 'continue'),
        merge: () => null,
      });
  }
}

type Config = Readonly<Parameters<typeof operatorOf>[1]>;
function operatorOf(
  { layout, rule, lateness, panes, resultTime }: Plan,
  {
    counters: seen,
    lateTo,
    trigger,
  }: { counters: ReturnType<typeof counters>; lateTo: (late: Report['late'][number]) => void; trigger: boolean },
): OperatorFunction<In, Out> {
  const config = {
    allowedLateness: lateness,
    panes,
    resultTime,
    counters: seen,
    lateTo,
    allowDataLoss: true,
    ...(trigger ? { trigger: triggerOf(rule) } : {}),
  };
  switch (layout.type) {
    case 'tumbling':
      return tumblingWindow<number, ReadonlyArray<number>, string>(layout.size, collect, { ...config, offset: layout.offset });
    case 'sliding':
      return slidingWindow(layout.size, layout.by, collect, { ...config, offset: layout.offset });
    case 'cumulative':
      return cumulativeWindow(layout.by, layout.size, collect, { ...config, offset: layout.offset });
    case 'session':
      return sessionWindow(layout.gap, collect, config);
    case 'global':
      return trigger ? globalWindow(triggerOf(rule), collect, config) : windowBy(assigners.global(), collect, config);
  }
}

function run(inputs: ReadonlyArray<In>, plan: Plan, trigger: Config['trigger']): Report {
  const main: Out[] = [];
  const late: Report['late'][number][] = [];
  const seen = counters();
  from(inputs)
    .pipe(operatorOf(plan, { counters: seen, lateTo: (record) => late.push(record), trigger }))
    .subscribe((element) => main.push(element));
  expect({ records: seen.records, late: seen.late }).toStrictEqual({ records: recordsOf(inputs).length, late: late.length });
  return { main, late, unassigned: seen.unassigned, discarded: seen.discarded };
}

describe('windows under triggers equal a reference written from the rules: results, panes, watermarks, counters', () => {
  for (const [type, layout] of Object.entries(layouts)) {
    for (const [name, rule] of Object.entries(rules)) {
      it(`${type}, ${name}`, () =>
        fc.assert(
          fc.property(stream, layout, rule, rest, (inputs, layout, rule, rest) => {
            const plan: Plan = { layout, rule, ...rest };
            expect(run(inputs, plan, true)).toStrictEqual(referenceTriggers(inputs, plan));
          }),
          RUNS,
        ));
    }

    if (type !== 'global')
      it(`${type}, without a trigger`, () =>
        fc.assert(
          fc.property(stream, layout, rest, (inputs, layout, rest) => {
            const plan: Plan = { layout, rule: { type: 'end' }, ...rest };
            expect(run(inputs, plan, false)).toStrictEqual(referenceTriggers(inputs, plan));
          }),
          RUNS,
        ));
  }
});

describe('count windows equal a reference that looks through all records', () => {
  it('of any size and slide, with and without what is left', () =>
    fc.assert(
      fc.property(stream, few, fc.option(few, { nil: undefined }), fc.boolean(), (inputs, size, slide, emit) => {
        const seen = counters();
        const config = { partial: emit ? 'emit' : 'drop', counters: seen, ...(slide === undefined ? {} : { slide }) } as const;
        const expected: Array<readonly [string, ReadonlyArray<number>]> = [];
        const all = new Map<string, number[]>();
        const shown = new Set<number>();
        const show = (key: string, values: ReadonlyArray<number>): void => {
          expected.push([key, values]);
          for (const value of values) shown.add(value);
        };
        for (const { key, value } of recordsOf(inputs)) {
          const values = [...(all.get(key) ?? []), value];
          all.set(key, values);
          if (values.length % (slide ?? size) === 0) show(key, values.slice(-size));
        }
        if (emit)
          for (const [key, values] of all)
            if (values.length % (slide ?? size) !== 0)
              show(key, slide === undefined ? values.slice(-(values.length % size)) : values.slice(-size));
        let actual: unknown;
        from(inputs)
          .pipe(countWindow<number, ReadonlyArray<number>, string>(size, collect, config), toValues(), toArray())
          .subscribe((results) => {
            actual = results.map(({ key, value }) => [key, value]);
          });
        expect(actual).toStrictEqual(expected);
        const records = recordsOf(inputs).length;
        expect(seen).toMatchObject({ records, late: 0, discarded: records - shown.size });
      }),
      RUNS,
    ));
});

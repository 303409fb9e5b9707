import fc from 'fast-check';
import { Subject } from 'rxjs';
import { asOfJoinWith, intervalJoinWith, type JoinKind, type StreamElement, temporalJoinWith } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { stream } from '../helpers/arbitraries.js';
import {
  type AsOfRules,
  type In,
  type IntervalRules,
  naiveAsOf,
  naiveInterval,
  type Out,
  run,
  type Step,
} from '../helpers/joinReference.js';

const RUNS = { numRuns: 600 };

/** Two streams that come in turn, in any interleaving. Right values are told from left ones. */
const steps: fc.Arbitrary<Step[]> = fc.tuple(stream, stream, fc.infiniteStream(fc.boolean())).map(([left, right, turns]) => {
  const sides = [left, right.map((e): In => (e._tag === 'Record' ? { ...e, value: e.value + 1000 } : e))] as const;
  const at = [0, 0];
  const all: Step[] = [];
  for (const turn of turns) {
    const side = turn ? 1 : 0;
    const element = sides[side][at[side] as number];
    if (element !== undefined) all.push({ right: turn, element });
    at[side] = (at[side] as number) + 1;
    if ((at[0] as number) >= left.length && (at[1] as number) >= right.length) break;
  }
  return all;
});

type Value = readonly [unknown, unknown];
type Late = (side: 'left' | 'right') => (record: { readonly value: number }) => void;
type Join = (
  left: Subject<In>,
  right: Subject<In>,
  late: Late,
) => { subscribe(next: (e: StreamElement<Value, string>) => void): unknown };

/** What the operator puts out, in the reference's words. */
function actual(all: ReadonlyArray<Step>, join: Join): Out[] {
  const out: Out[] = [];
  const left = new Subject<In>();
  const right = new Subject<In>();
  join(
    left,
    right,
    (side) =>
      ({ value }) =>
        out.push({ late: side, value }),
  ).subscribe((e) => {
    if (e._tag === 'Watermark') out.push({ watermark: e.timestamp, idle: e.idle });
    else out.push({ row: [e.value[0] as number | null, e.value[1] as number | null], at: e.timestamp, key: e.key });
  });
  for (const step of all) (step.right ? right : left).next(step.element);
  left.complete();
  right.complete();
  return out;
}

function cell(value: unknown): unknown {
  const option = value as { readonly _tag?: string; readonly value?: unknown };
  return option?._tag === 'None' ? null : option?._tag === 'Some' ? option.value : value;
}

/** Values of any kind of join as [left, right]. */
function pairOf(value: unknown): Value {
  const { _tag, left = null, right = null } = value as { _tag?: string; left?: unknown; right?: unknown };
  return _tag === undefined ? [cell((value as Value)[0]), cell((value as Value)[1])] : [left, right];
}

function spelled<A>(element: StreamElement<A, string>): StreamElement<Value, string> {
  return element._tag === 'Watermark' ? element : { ...element, value: pairOf(element.value) };
}

const interval =
  ({ lower, upper, lateness, resultTime, kind }: IntervalRules): Join =>
  (left, right, late) => ({
    subscribe: (next) =>
      left
        .pipe(
          intervalJoinWith<number, number, string, JoinKind>(right, {
            kind,
            lower,
            upper,
            allowedLateness: lateness,
            resultTime,
            lateTo: { left: late('left'), right: late('right') },
          }),
        )
        .subscribe((element) => next(spelled(element))),
  });

const rules: fc.Arbitrary<IntervalRules> = fc
  .record({
    lower: fc.oneof(fc.integer({ min: -12, max: 12 }), fc.integer({ min: -60, max: 0 })),
    width: fc.oneof(fc.nat(12), fc.nat(90)),
    lateness: fc.oneof(fc.constant(0), fc.nat(12)),
    resultTime: fc.constantFrom<IntervalRules['resultTime']>('max', 'left', 'right'),
    kind: fc.constantFrom<IntervalRules['kind']>('inner', 'left', 'right', 'full'),
  })
  .map(({ lower, width, ...rest }) => ({ ...rest, lower, upper: lower + width }));

const asOfRules: fc.Arbitrary<AsOfRules> = fc.record({
  direction: fc.constantFrom<AsOfRules['direction']>('backward', 'forward', 'nearest'),
  tolerance: fc.oneof(fc.constant(Infinity), fc.nat(15)),
  exact: fc.boolean(),
  unmatched: fc.constant(true),
  gone: fc.constant(() => false),
});

/** The records of a case that are in no result and not late, and all that are in one: a row is in some result at most once alone. */
const rows = (out: ReadonlyArray<Out>) => out.flatMap((o) => ('row' in o ? [o] : []));

describe('interval join: laws', () => {
  it('is what everything kept for ever would give: rows, lateness, idleness, watermarks, in this order', () => {
    fc.assert(
      fc.property(steps, rules, (all, rule) => {
        expect(actual(all, interval(rule))).toEqual(run(naiveInterval(rule), all));
      }),
      RUNS,
    );
  });

  it('W10: without lateness nothing on time is behind a watermark that went on before it', () => {
    fc.assert(
      fc.property(steps, rules, (all, { lateness: _, ...rule }) => {
        const onTime: Step[] = [];
        const said = [-Infinity, -Infinity];
        for (const step of all) {
          const side = step.right ? 1 : 0;
          if (step.element._tag === 'Watermark') said[side] = Math.max(said[side] as number, step.element.timestamp);
          // on time for both: idleness of one side lets the watermark go on to that of the other
          else if (step.element.timestamp <= Math.max(...said)) continue;
          onTime.push(step);
        }
        let sent = -Infinity;
        for (const out of actual(onTime, interval({ ...rule, lateness: 0 }))) {
          if ('watermark' in out) sent = out.watermark;
          else if ('row' in out) expect(out.at).toBeGreaterThan(sent);
        }
      }),
      RUNS,
    );
  });

  it('P075, P076: a full join gives every record that is not late, alone exactly if it is in no pair', () => {
    fc.assert(
      fc.property(steps, rules, (all, rule) => {
        const out = actual(all, interval({ ...rule, kind: 'full' }));
        const late = new Set(out.flatMap((o) => ('late' in o ? [o.value] : [])));
        const given = rows(out);
        for (const { element } of all) {
          if (element._tag !== 'Record' || late.has(element.value)) continue;
          const mine = given.filter(({ row }) => row.includes(element.value));
          const alone = mine.filter(({ row }) => row.includes(null));
          expect(mine.length).toBeGreaterThan(0);
          expect(alone.length).toBe(mine.length > 1 ? 0 : alone.length);
        }
      }),
      RUNS,
    );
  });
});

describe('as-of join: laws', () => {
  const asOf =
    ({ direction, tolerance, exact }: AsOfRules): Join =>
    (left, right, late) => ({
      subscribe: (next) =>
        left
          .pipe(
            asOfJoinWith(right, {
              direction,
              tolerance,
              allowExactMatches: exact,
              lateTo: { left: late('left'), right: late('right') },
            }),
          )
          .subscribe((element) => next(spelled(element))),
    });

  it('is what everything kept for ever would give: answers as soon as they and those of their key before them are sure, watermarks, in this order', () => {
    fc.assert(
      fc.property(steps, asOfRules, (all, rule) => {
        expect(actual(all, asOf(rule))).toEqual(run(naiveAsOf(rule), all));
      }),
      RUNS,
    );
  });

  it('gives every left record that is not late exactly once', () => {
    fc.assert(
      fc.property(steps, asOfRules, (all, rule) => {
        const out = actual(all, asOf(rule));
        const lefts = all.flatMap(({ right, element }) => (!right && element._tag === 'Record' ? [element.value] : []));
        const given = out.flatMap((o) => ('row' in o ? [o.row[0]] : 'late' in o && o.late === 'left' ? [o.value] : []));
        expect(given.map(Number).sort((a, b) => a - b)).toEqual(lefts.sort((a, b) => a - b));
      }),
      RUNS,
    );
  });
});

describe('temporal join: laws', () => {
  const gone = (value: number): boolean => value % 3 === 0;
  for (const kind of ['inner', 'left'] as const) {
    it(`${kind}: is what a table kept for ever would give`, () => {
      const join: Join = (left, right, late) => ({
        subscribe: (next) =>
          left
            .pipe(
              temporalJoinWith<number, number, string, 'inner' | 'left'>(right, {
                kind,
                isDelete: gone,
                lateTo: { left: late('left'), right: late('right') },
              }),
            )
            .subscribe((element) => next(spelled(element))),
      });
      const rule: AsOfRules = { direction: 'backward', tolerance: Infinity, exact: true, unmatched: kind === 'left', gone };
      fc.assert(
        fc.property(steps, (all) => {
          expect(actual(all, join)).toEqual(run(naiveAsOf(rule), all));
        }),
        RUNS,
      );
    });
  }
});

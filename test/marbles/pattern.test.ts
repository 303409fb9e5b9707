import fc from 'fast-check';
import { from, type OperatorFunction, pipe } from 'rxjs';
import {
  counters,
  keyedRecord,
  mapValue,
  type PatternConfig,
  type PatternMatch,
  type PatternStep,
  pattern,
  type StreamElement,
  sideOutput,
  toValues,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import type { In } from '../helpers/checklist.js';
import { sortedRows } from '../helpers/sortedRows.js';
import { r, through, W } from '../pitfalls/notation.js';

type Step = PatternStep<string>;
type Config = PatternConfig<string, undefined, string>;

/** A step for one letter: `a`, `a?`, `a+`, `a*`; `!` in front of it makes it strict. */
function step(text: string, i: number): Step {
  const [, strict, letter = '', often] = /^(!?)(\w)([?+*]?)$/.exec(text) ?? [];
  return {
    name: `${letter}${i}`,
    where: (value) => value.startsWith(letter),
    follows: strict === '!' ? 'strict' : 'relaxed',
    optional: often === '?' || often === '*',
    ...(often === '+' || often === '*' ? { times: { min: 1 } } : {}),
  };
}

const text = ({ taken }: PatternMatch<string, unknown, string>): string => Object.values(taken).flat().join('');
const at = (letters: string): StreamElement<string>[] => [...letters].map((letter, i) => r(i, `${letter}${i}`));

/** Letters, a ms apart, and the matches in short. */
function matches(steps: string, letters: string, config: Partial<Config> = {}): string[] {
  const found: string[] = [];
  from(at(letters))
    .pipe(pattern(steps.split(' ').map(step), { within: 100, ...config }), toValues())
    .subscribe((match) => found.push(text(match)));
  return found;
}

const single = (): OperatorFunction<In, StreamElement<number, string>> =>
  pipe(
    pattern<number, string, 'one'>([{ name: 'one', where: () => true }], { within: 5 }),
    mapValue(({ taken }) => taken.one[0] ?? NaN),
  );

describe('pattern', () => {
  sortedRows({
    operator: single(),
    output: (element) => element,
    twice: pipe(single(), single()),
    outputTwice: (element) => element,
    throwing: (fail) =>
      pipe(
        pattern<number, string, 'one'>(
          [
            {
              name: 'one',
              where: (value) => {
                fail(value);
                return true;
              },
            },
          ],
          { within: 5 },
        ),
        mapValue(({ taken }) => taken.one[0] ?? NaN),
      ),
  });

  it.each<[string, string, ReadonlyArray<string>]>([
    ['a b', 'axb', ['a0b2']],
    ['a !b', 'axb', []],
    ['a !b', 'aab', ['a1b2']],
    ['a b', 'aabb', ['a0b2', 'a1b2']],
    ['a b', 'abab', ['a0b1', 'a2b3']],
    ['a b? c', 'abc', ['a0b1c2', 'a0c2']],
    ['a b? c', 'ac', ['a0c1']],
    ['a !b? c', 'axbc', ['a0c3']],
    ['a b+ c', 'abbc', ['a0b1b2c3', 'a0b1c3']],
    ['a !b+ !c', 'abxbc', []],
    ['a !b+ !c', 'abbc', ['a0b1b2c3']],
    ['a b*', 'abb', ['a0', 'a0b1', 'a0b1b2']],
    ['a* b', 'aab', ['a0a1b2', 'a0b2', 'a1b2', 'b2']],
    ['a a', 'aaa', ['a0a1', 'a1a2']],
  ])('%s in %s', (steps, letters, found) => {
    expect(matches(steps, letters)).toEqual(found);
  });

  it.each<[string, string, ReadonlyArray<string>]>([
    ['a b', 'aabb', ['a0b2']],
    ['a b', 'abab', ['a0b1', 'a2b3']],
    ['a a', 'aaaa', ['a0a1', 'a2a3']],
    ['a b+ c', 'abbcbc', ['a0b1b2c3']],
    ['a* b', 'aabb', ['a0a1b2', 'b3']],
    ['a b*', 'abb', ['a0']],
  ])('skip pastLast: %s in %s', (steps, letters, found) => {
    expect(matches(steps, letters, { skip: 'pastLast' })).toEqual(found);
  });

  it('times: exactly, at least, from to', () => {
    const found = (times: NonNullable<Step['times']>): string[] => {
      const all: string[] = [];
      const steps: Step[] = [
        { name: 'a', where: (value) => value.startsWith('a'), times, follows: 'strict' },
        { name: 'b', where: (value) => value.startsWith('b'), follows: 'strict' },
      ];
      from(at('aaab'))
        .pipe(pattern(steps, { within: 100 }), toValues())
        .subscribe((match) => all.push(text(match)));
      return all;
    };
    expect(found(2)).toEqual(['a1a2b3']);
    expect(found({ min: 2 })).toEqual(['a0a1a2b3', 'a1a2b3']);
    expect(found({ min: 1, max: 2 })).toEqual(['a1a2b3', 'a2b3']);
  });

  it('goes by event time, by key, and stamps with the last record', () => {
    const steps = 'a b'.split(' ').map(step);
    const input = [keyedRecord('b', 5, 'k'), keyedRecord('a', 1, 'k'), keyedRecord('b', 2, 'l'), watermark(9)];
    const found = from(input).pipe(pattern(steps, { within: 100 }), mapValue(text));
    const words: unknown[] = [];
    found.subscribe((element) => words.push(element));
    expect(words[0]).toStrictEqual(keyedRecord('ab', 5, 'k'));
    expect(words).toHaveLength(3);
  });

  it('boundary: the last record comes less than `within` after the first; what does not, times out', () => {
    const seen: string[] = [];
    const late = sideOutput<PatternMatch<string, undefined, string>>();
    late.subscribe({ next: (match) => seen.push(`${text(match)} ${match.start}-${match.end}`), complete: () => seen.push('|') });
    const steps = 'a b'.split(' ').map(step);
    const run = (elements: ReadonlyArray<StreamElement<string>>) =>
      through(pipe(pattern<string, undefined, string>(steps, { within: 10, timeoutTo: late }), mapValue(text)), elements);
    expect(run([r(0, 'a'), r(9, 'b'), W(20)])).toEqual(['ab@9', 'W(20)', 'W(MAX)', '|']);
    expect(seen.splice(0)).toEqual(['|']);
    const other = sideOutput<PatternMatch<string, undefined, string>>();
    const words: string[] = [];
    other.subscribe((match) => words.push(`${text(match)} ${match.start}-${match.end}`));
    const stream = [r(0, 'a'), W(8), r(10, 'b'), W(9), r(20, 'a'), W(25)];
    from(stream)
      .pipe(pattern(steps, { within: 10, timeoutTo: other }))
      .subscribe((element) => words.push(element._tag === 'Record' ? text(element.value) : `W(${element.timestamp})`));
    // at W(9) nothing before 10 can follow any more; the end is the end for all
    expect(words).toEqual(['W(8)', 'a 0-10', 'W(9)', 'W(25)', 'a 20-30', 'W(Infinity)']);
  });

  it('late: at the watermark or behind it', () => {
    const seen = counters();
    through(pattern<string, undefined, string>([step('a', 0)], { within: 10, counters: seen }), [W(5), r(5, 'a'), r(6, 'a')]);
    expect(seen).toMatchObject({ records: 2, late: 1 });
  });

  it('completion: side outputs complete; error and unsubscription leave them open', () => {
    const output = sideOutput<PatternMatch<string, undefined, string>>();
    let completed = 0;
    output.subscribe({ complete: () => completed++ });
    const operator = pattern<string, undefined, string>([step('a', 0), step('b', 1)], { within: 10, timeoutTo: output });
    through(operator, [r(1, 'a'), r(Infinity, 'a'), W(9)]);
    from([r(1, 'a')])
      .pipe(operator)
      .subscribe()
      .unsubscribe();
    expect(completed).toBe(1);
  });

  const fine: Step = { name: 'a', where: () => true };
  it.each<[string, ReadonlyArray<unknown>, object, string]>([
    ['no steps', [], {}, 'pattern: steps has 0 steps, it must have one that is not optional'],
    [
      'only optional ones',
      [{ ...fine, optional: true }],
      {},
      'pattern: steps has 1 steps, it must have one that is not optional',
    ],
    ['a name twice', [fine, fine], {}, 'pattern: steps[1].name is "a", it must be a name of its own'],
    ['no where', [{ name: 'a' }], {}, 'pattern: steps[0].where is undefined, it must be a function'],
    ['times 0', [{ ...fine, times: 0 }], {}, 'pattern: steps[0].times is 0, it must be a whole number ≥ 1'],
    [
      'max below min',
      [{ ...fine, times: { min: 3, max: 2 } }],
      {},
      'pattern: steps[0].times.max is 2, it must be a whole number ≥ 3 or Infinity',
    ],
    [
      'follows',
      [{ ...fine, follows: 'loosely' }],
      {},
      'pattern: steps[0].follows is "loosely", it must be "strict" or "relaxed"',
    ],
    ['skip', [fine], { skip: 'all' }, 'pattern: skip is "all", it must be "none" or "pastLast"'],
    ['within', [fine], { within: 0 }, 'pattern: within is 0, it must be a whole number of ms ≥ 1 or Infinity'],
  ])('arguments: refuses %s when it is built', (_what, steps, config, message) => {
    expect(() => pattern<string, undefined, string>(steps as Step[], { within: 10, ...config } as Config)).toThrow(message);
  });

  describe('law: the same as asking all sequences of records', () => {
    interface Case {
      readonly where: number; // the letters it takes, a bit each
      readonly strict: boolean;
      readonly optional: boolean;
      readonly min: number;
      readonly more: number;
      readonly above: boolean; // only what is above the first record taken
    }
    const cases: fc.Arbitrary<Case[]> = fc.array(
      fc.record({
        where: fc.integer({ min: 1, max: 15 }),
        strict: fc.boolean(),
        optional: fc.boolean(),
        min: fc.integer({ min: 1, max: 2 }),
        more: fc.constantFrom(0, 0, 1, Infinity),
        above: fc.constantFrom(false, false, false, true),
      }),
      { minLength: 1, maxLength: 3 },
    );
    interface Sample {
      readonly value: number;
      readonly time: number;
    }
    /** Which record went to which step. */
    type Chain = ReadonlyArray<{ readonly i: number; readonly step: number }>;

    const takes = (one: Case | undefined, value: number, first: number | undefined): boolean =>
      one !== undefined && ((one.where >> (value % 4)) & 1) === 1 && !(one.above && first !== undefined && value <= first);

    function* chains(records: number, steps: number, before: Chain = []): Generator<Chain> {
      if (before.length > 0) yield before;
      const last = before.at(-1);
      for (let i = (last?.i ?? -1) + 1; i < records; i++) {
        for (let step = last?.step ?? 0; step < steps; step++) yield* chains(records, steps, [...before, { i, step }]);
      }
    }

    /** Is it the beginning of a match? */
    function isBeginning(chain: Chain, all: ReadonlyArray<Sample>, steps: ReadonlyArray<Case>, within: number): boolean {
      const first = all[chain[0]?.i ?? -1];
      if (first === undefined) return false;
      const count = (step: number): number => chain.filter((link) => link.step === step).length;
      const lastStep = chain.at(-1)?.step ?? 0;
      for (let s = 0; s <= lastStep; s++) {
        const { min, more, optional } = steps[s] as Case;
        const n = count(s);
        if (n > min + more) return false;
        if (s < lastStep && n < min && !(n === 0 && optional)) return false;
      }
      return chain.every(({ i, step }, n) => {
        const sample = all[i] as Sample;
        const before = chain[n - 1];
        if (!takes(steps[step], sample.value, n === 0 ? undefined : first.value)) return false;
        if (sample.time - first.time >= within) return false;
        if (before === undefined) return true;
        if (steps[step]?.strict === true) return i === before.i + 1;
        return all.slice(before.i + 1, i).every(({ value }) => !takes(steps[step], value, first.value));
      });
    }

    function isComplete(chain: Chain, steps: ReadonlyArray<Case>): boolean {
      const lastStep = chain.at(-1)?.step ?? 0;
      const n = chain.filter(({ step }) => step === lastStep).length;
      return n >= (steps[lastStep] as Case).min && steps.slice(lastStep + 1).every(({ optional }) => optional);
    }

    function compare(a: Chain, b: Chain): number {
      const end = (a.at(-1)?.i ?? 0) - (b.at(-1)?.i ?? 0);
      if (end !== 0) return end;
      for (let n = 0; n < Math.min(a.length, b.length); n++) if (a[n]?.i !== b[n]?.i) return (a[n]?.i ?? 0) - (b[n]?.i ?? 0);
      for (let n = 0; n < a.length; n++) if (a[n]?.step !== b[n]?.step) return (a[n]?.step ?? 0) - (b[n]?.step ?? 0);
      return 0;
    }

    const name = (chain: Chain): string => chain.map(({ i, step }) => `${step}:${i}`).join(' ');
    const samples = fc.array(fc.record({ value: fc.nat(7), gap: fc.nat(3) }), { maxLength: 7 }).map((all) => {
      let time = 0;
      return all.map(({ value, gap }): Sample => {
        time += gap;
        return { value, time };
      });
    });

    /** What the operator says: the records by their place, the steps by theirs. */
    function run(all: ReadonlyArray<Sample>, steps: ReadonlyArray<Case>, config: { within: number; skip: 'none' | 'pastLast' }) {
      const toChain = ({ taken }: PatternMatch<Sample, undefined, string>): string =>
        name(
          Object.entries(taken).flatMap(([step, values]) =>
            values.map((sample) => ({ i: all.indexOf(sample), step: Number(step) })),
          ),
        );
      const found: string[] = [];
      const timedOut: string[] = [];
      const specs = steps.map(
        (one, i): PatternStep<Sample> => ({
          name: `${i}`,
          where: ({ value }, soFar) =>
            takes(
              one,
              value,
              steps.flatMap((_step, s) => soFar(`${s}`)).sort((a, b) => all.indexOf(a) - all.indexOf(b))[0]?.value,
            ),
          follows: one.strict ? 'strict' : 'relaxed',
          optional: one.optional,
          times: { min: one.min, max: one.min + one.more },
        }),
      );
      from(all.map((sample) => r(sample.time, sample)))
        .pipe(pattern(specs, { ...config, timeoutTo: (match) => timedOut.push(toChain(match)) }), toValues())
        .subscribe((match) => found.push(toChain(match)));
      return { found, timedOut };
    }

    it('every match, in order; and every beginning that waits until time runs out', () => {
      fc.assert(
        fc.property(samples, cases, fc.constantFrom(3, 6, Infinity), (all, steps, within) => {
          fc.pre(steps.some(({ optional }) => !optional));
          const beginnings = [...chains(all.length, steps.length)].filter((chain) => isBeginning(chain, all, steps, within));
          const complete = beginnings.filter((chain) => isComplete(chain, steps)).sort(compare);
          const { found, timedOut } = run(all, steps, { within, skip: 'none' });
          expect(found).toEqual(complete.map(name));
          const waiting = beginnings.filter((chain) => {
            if (isComplete(chain, steps)) return false;
            const [first, last] = [all[chain[0]?.i ?? 0] as Sample, chain.at(-1) as Chain[number]];
            const rest = all.slice(last.i + 1).filter(({ time }) => time - first.time < within);
            return steps.some((one, step) => {
              // a step may be next if one more record for it makes the beginning of a match, on its own account
              const next = [...chain, { i: last.i + 1, step }];
              const possible =
                step >= last.step && isBeginning(next, [...all.slice(0, last.i + 1), any(one, first)], steps, Infinity);
              return possible && (one.strict ? rest.length === 0 : rest.every(({ value }) => !takes(one, value, first.value)));
            });
          });
          expect(timedOut.sort()).toEqual(waiting.map(name).sort());
        }),
        { numRuns: 300 },
      );

      function any(one: Case, first: Sample): Sample {
        const value = Array.from({ length: 100 }, (_, v) => v).find((v) => takes(one, v, first.value)) ?? NaN;
        return { value, time: first.time };
      }
    });

    it('skip pastLast: the first match, then the first that begins behind it', () => {
      fc.assert(
        fc.property(samples, cases, fc.constantFrom(3, 6, Infinity), (all, steps, within) => {
          fc.pre(steps.some(({ optional }) => !optional));
          const complete = [...chains(all.length, steps.length)]
            .filter((chain) => isBeginning(chain, all, steps, within) && isComplete(chain, steps))
            .sort(compare);
          const kept: Chain[] = [];
          for (const chain of complete) if ((chain[0]?.i ?? 0) > (kept.at(-1)?.at(-1)?.i ?? -1)) kept.push(chain);
          expect(run(all, steps, { within, skip: 'pastLast' }).found).toEqual(kept.map(name));
        }),
        { numRuns: 300 },
      );
    });
  });
});

import fc from 'fast-check';
import { compositeKey } from 'tidemark';
import { describe, expect, it } from 'vitest';

type Part = string | number | boolean;

/** Texts made of what could be taken for a separator, a quote, an escape or another kind of part. */
const awkward = fc.string({
  unit: fc.constantFrom('"', ',', '\\', '|', '1', 'true', '\n', '\u0000', '\ud800', 'é'),
  maxLength: 4,
});
const part: fc.Arbitrary<Part> = fc.oneof(awkward, fc.integer({ min: -3, max: 12 }), fc.double(), fc.boolean());
const parts = fc.array(part, { maxLength: 4 });

/** Equal as keys of a Map are: NaN equals itself, 0 equals −0. */
const same = (left: readonly Part[], right: readonly Part[]): boolean =>
  left.length === right.length && left.every((value, i) => [value].includes(right[i] as Part));

describe('compositeKey', () => {
  it('is injective: equal keys come from equal parts, and the other way round', () => {
    fc.assert(
      fc.property(parts, parts, (left, right) => {
        expect(compositeKey(...left) === compositeKey(...right)).toBe(same(left, right));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is injective where parts are cut in another way', () => {
    fc.assert(
      fc.property(awkward, awkward, awkward, awkward, (a, b, c, d) => {
        const all = [[a + b, c + d], [a, b + c + d], [a, b, c, d], [`${a},${b}`], [a, b], [`${a}","${b}`]];
        for (const left of all) {
          for (const right of all) expect(compositeKey(...left) === compositeKey(...right)).toBe(same(left, right));
        }
      }),
    );
  });

  it.each<[Part[], Part[]]>([
    [
      ['a', 'b|c'],
      ['a|b', 'c'],
    ],
    [
      ['a', 'b,c'],
      ['a,b', 'c'],
    ],
    [['a","b'], ['a', 'b']],
    [[1], ['1']],
    [[true], ['true']],
    [[NaN], ['NaN']],
    [[NaN], [Infinity]],
    [[], ['']],
    [[''], ['', '']],
    [
      ['\\', '"'],
      ['\\"', ''],
    ],
  ])('tells %j from %j', (left, right) => {
    expect(compositeKey(...left)).not.toBe(compositeKey(...right));
  });

  it('takes −0 for 0, and NaN for itself, as Map does', () => {
    expect(compositeKey(-0, NaN)).toBe(compositeKey(0, NaN));
  });

  it.each([undefined, null, 5n, {}, [], Symbol('s')])('refuses a part that is %s', (bad) => {
    expect(() => compositeKey('a', bad as never)).toThrow(TypeError);
    expect(() => compositeKey('a', bad as never)).toThrow(
      /^compositeKey: a part is .*, it must be a string, a number or a boolean$/,
    );
  });
});

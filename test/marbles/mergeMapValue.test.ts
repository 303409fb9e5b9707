import { of, pipe } from 'rxjs';
import { keyedRecord, mergeMapValue, watermark } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { checklist, IN, type In, refusesNonFunctions, withValue } from '../helpers/checklist.js';
import { marbles } from '../helpers/marbles.js';
import { tens, workRows } from '../helpers/workRows.js';

const tenfold = (value: number) => of(value * 10);
const of5 = { a: keyedRecord(5, 10, 'k'), b: keyedRecord(1, 20, 'l'), c: keyedRecord(3, 30, 'm'), V: IN.V, W: IN.W, I: IN.I };

describe('mergeMapValue', () => {
  checklist({
    operator: mergeMapValue<number, number, string>(tenfold),
    output: (element) => withValue(element, (value) => value * 10),
    twice: pipe(mergeMapValue<number, number, string>(tenfold), mergeMapValue(tenfold)),
    outputTwice: (element) => withValue(element, (value) => value * 100),
    throwing: (fail) =>
      mergeMapValue<number, number, string>((value) => {
        fail(value);
        return tenfold(value);
      }),
    statuses: true,
  });
  refusesNonFunctions('mergeMapValue', 'project', mergeMapValue);

  describe('without a limit', () => {
    workRows('mergeMapValue', (project) => mergeMapValue(project));
  });
  describe('one at a time', () => {
    workRows('mergeMapValue', (project) => mergeMapValue(project, { concurrent: 1 }));
  });

  it(
    'gives results as they are ready between two watermarks',
    marbles((m) => {
      m.expect(m.hot<In>('abcV|', of5).pipe(mergeMapValue(tens))).toBeObservable('-- 9ms b 20ms c 17ms (aV|)', of5);
    }),
  );

  it(
    'watermark: is not overtaken by results of later work, which are held until it is out',
    marbles((m) => {
      // b is ready at 12, c at 33; the work before V ends at 50
      m.expect(m.hot<In>('aVbc|', of5).pipe(mergeMapValue(tens))).toBeObservable('50ms (aVbc|)', of5);
    }),
  );

  it(
    'watermark: each waits for the work before it, results for each before them',
    marbles((m) => {
      // V may go at 50 with b after it; W waits for d until 104, and c behind it
      const all = { ...of5, d: keyedRecord(10, 22, 'k') };
      const source = m.hot<In>('aVbdWc|', all);
      m.expect(source.pipe(mergeMapValue(tens))).toBeObservable('50ms (aVb) 48ms (dWc|)', all);
    }),
  );

  it(
    'idle: is not overtaken either',
    marbles((m) => {
      m.expect(m.hot<In>('aVIb|', of5).pipe(mergeMapValue(tens))).toBeObservable('50ms (aVIb|)', of5);
    }),
  );

  it(
    'keeps the order of results that were held, and goes on at once after them',
    marbles((m) => {
      const source = m.hot<In>('      a-V-b|', of5);
      const long = m.cold<string>('   --------(p|)');
      const second = m.cold<string>(' -q-r-------s|');
      const result = source.pipe(mergeMapValue((value) => (value === 5 ? long : second)));
      m.expect(result).toBeObservable('--------(pVqr)-s|', {
        p: keyedRecord('p', 10, 'k'),
        V: IN.V,
        q: keyedRecord('q', 20, 'l'),
        r: keyedRecord('r', 20, 'l'),
        s: keyedRecord('s', 20, 'l'),
      });
    }),
  );

  it(
    'arguments: at most `concurrent` at the same time, the others wait in order',
    marbles((m) => {
      const source = m.hot<In>('  abc|', { a: keyedRecord(0, 1, 'k'), b: keyedRecord(1, 2, 'k'), c: keyedRecord(2, 3, 'k') });
      const inner = [m.cold('     ---x|'), m.cold(' -y------|'), m.cold('   -z|')] as const;
      const result = source.pipe(mergeMapValue((value) => inner[value as 0 | 1 | 2], { concurrent: 2 }));
      m.expect(result).toBeObservable('--yx-z---|', {
        x: keyedRecord('x', 1, 'k'),
        y: keyedRecord('y', 2, 'k'),
        z: keyedRecord('z', 3, 'k'),
      });
      m.expect(inner[0]).toHaveSubscriptions('^---!');
      m.expect(inner[1]).toHaveSubscriptions('-^-------!');
      m.expect(inner[2]).toHaveSubscriptions('----^-!');
    }),
  );

  it(
    'arguments: work of later segments uses the slots too',
    marbles((m) => {
      const source = m.hot<In>('  aVb|', { a: keyedRecord(0, 1, 'k'), V: watermark(1), b: keyedRecord(1, 2, 'k') });
      const inner = [m.cold('     -----x|'), m.cold('y|')] as const;
      const result = source.pipe(mergeMapValue((value) => inner[value as 0 | 1], { concurrent: 2 }));
      m.expect(result).toBeObservable('-----x(Vy|)', {
        x: keyedRecord('x', 1, 'k'),
        V: watermark(1),
        y: keyedRecord('y', 2, 'k'),
      });
      m.expect(inner[1]).toHaveSubscriptions('--^!');
    }),
  );

  it.each([0, -1, 1.5, NaN])('arguments: refuses %s at the same time when it is built', (concurrent) => {
    const message = `mergeMapValue: concurrent is ${concurrent}, it must be a whole number ≥ 1 or Infinity`;
    expect(() => mergeMapValue(tens, { concurrent })).toThrow(new RangeError(message));
  });

  it(
    'unsubscribe: ends all work, begun and waiting',
    marbles((m) => {
      const source = m.hot<In>('ab', { a: keyedRecord(0, 1, 'k'), b: keyedRecord(1, 2, 'k') });
      const inner = [m.cold('   -----x|'), m.cold('-----y|')] as const;
      const project = (value: number) => inner[value as 0 | 1];
      m.expect(source.pipe(mergeMapValue(project)), '^--!').toBeObservable('---');
      m.expect(inner[0]).toHaveSubscriptions('^--!');
      m.expect(inner[1]).toHaveSubscriptions('-^-!');
    }),
  );
});

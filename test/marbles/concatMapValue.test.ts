import { of, pipe, Subject, take } from 'rxjs';
import { concatMapValue, keyedRecord } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { checklist, IN, type In, refusesNonFunctions, withValue } from '../helpers/checklist.js';
import { marbles } from '../helpers/marbles.js';
import { tens, workRows } from '../helpers/workRows.js';

const tenfold = (value: number) => of(value * 10);

describe('concatMapValue', () => {
  checklist({
    operator: concatMapValue<number, number, string>(tenfold),
    output: (element) => withValue(element, (value) => value * 10),
    twice: pipe(concatMapValue<number, number, string>(tenfold), concatMapValue(tenfold)),
    outputTwice: (element) => withValue(element, (value) => value * 100),
    throwing: (fail) =>
      concatMapValue<number, number, string>((value) => {
        fail(value);
        return tenfold(value);
      }),
    statuses: true,
  });
  refusesNonFunctions('concatMapValue', 'project', concatMapValue);
  workRows('concatMapValue', (project) => concatMapValue(project));

  it(
    'works on one record at a time, in order',
    marbles((m) => {
      const all = {
        a: keyedRecord(3, 10, 'k'),
        b: keyedRecord(1, 20, 'l'),
        V: { _tag: 'Watermark', timestamp: 15, idle: false },
      } as const;
      // a takes 30 ms, b 10 ms from then on; the watermark lies between them
      m.expect(m.hot<In>('aVb|', all).pipe(concatMapValue(tens))).toBeObservable('30ms (aV) 6ms (b|)', all);
    }),
  );

  it(
    'begins the next work when the one before it has ended, not sooner',
    marbles((m) => {
      const source = m.hot<In>(' ab|', { a: keyedRecord(0, 10, 'k'), b: keyedRecord(1, 20, 'k') });
      const first = m.cold<string>(' x---|');
      const second = m.cold<string>('y--|');
      const result = source.pipe(concatMapValue((value) => (value === 0 ? first : second)));
      m.expect(result).toBeObservable('x---y--|', { x: keyedRecord('x', 10, 'k'), y: keyedRecord('y', 20, 'k') });
      m.expect(first).toHaveSubscriptions('^---!');
      m.expect(second).toHaveSubscriptions('----^--!');
    }),
  );

  it('re-entrant: work does not begin within a step, so that it hears when downstream closes', () => {
    const gate = new Subject<number>();
    const source = new Subject<In>();
    let given = 0;
    const endless = function* (): Generator<number> {
      while (given < 1_000) yield given++;
    };
    const seen: unknown[] = [];
    source
      .pipe(
        concatMapValue((value) => (value === 1 ? gate : endless())),
        take(2),
      )
      .subscribe((element) => {
        seen.push(element);
        if (element._tag === 'Watermark') source.next(IN.W); // within the step in which the first work ends
      });
    for (const element of [IN.a, IN.V, IN.b]) source.next(element);
    gate.complete();
    expect(seen).toStrictEqual([IN.V, keyedRecord(0, 20, 'k')]);
    expect(given).toBe(1);
  });
});

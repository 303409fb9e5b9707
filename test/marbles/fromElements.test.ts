import { take, toArray } from 'rxjs';
import { fromElements, idle, keyedRecord, MAX_TIMESTAMP, record, type StreamElement, watermark } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { marbles } from '../helpers/marbles.js';

const Z = watermark(MAX_TIMESTAMP);

describe('fromElements', () => {
  it(
    'completion: no elements are MAX and the end',
    marbles((m) => {
      m.expect(fromElements()).toBeObservable('(Z|)', { Z });
    }),
  );

  it(
    'synchronous: all elements in the frame of the subscription, MAX and completion after them',
    marbles((m) => {
      const all = { a: keyedRecord('a', 1, 'k'), W: watermark(5), b: keyedRecord('b', 3, 'l'), Z };
      m.expect(fromElements(all.a, all.W, all.b)).toBeObservable('(aWbZ|)', all);
    }),
  );

  it('unsubscribe: nothing more after downstream has closed', () => {
    const seen: Array<StreamElement<string>> = [];
    fromElements(record('a', 1), record('b', 2), record('c', 3))
      .pipe(take(2))
      .subscribe((element) => seen.push(element));
    expect(seen).toStrictEqual([record('a', 1), record('b', 2)]);
  });

  it('re-entrant: a subscription made while an element is handled sees the whole, in between', () => {
    const log: unknown[] = [];
    const source$ = fromElements(watermark(5), record('a', 6));
    source$.subscribe((element) => {
      log.push(element);
      if (log.length > 1) return;
      source$.pipe(toArray()).subscribe((all) => log.push(all));
      log.push('handled');
    });
    const whole = [watermark(5), record('a', 6), Z];
    expect(log).toStrictEqual([whole[0], whole, 'handled', whole[1], Z]);
  });

  it(
    'watermark: one that does not rise is left out',
    marbles((m) => {
      const all = { V: watermark(5), W: watermark(7), Z };
      m.expect(fromElements(all.V, watermark(5), all.W)).toBeObservable('(VWZ|)', all);
    }),
  );

  it(
    'regressing: a falling watermark is left out, the records around it are not',
    marbles((m) => {
      const all = { W: watermark(7), a: record('a', 1), b: record('b', 2), Z };
      m.expect(fromElements(all.W, all.a, watermark(5), all.b)).toBeObservable('(WabZ|)', all);
    }),
  );

  it(
    'idle: is said once, and ended by MAX',
    marbles((m) => {
      const all = { V: watermark(5), I: idle(5), A: watermark(5), Z };
      m.expect(fromElements(all.V, all.I, idle(5), all.A, all.I)).toBeObservable('(VIAIZ|)', all);
    }),
  );

  it(
    'completion: MAX is given once',
    marbles((m) => {
      m.expect(fromElements(Z)).toBeObservable('(Z|)', { Z });
    }),
  );

  it('completion: each subscription sees the whole', () => {
    const seen: unknown[] = [];
    const source$ = fromElements(watermark(5), record('a', 6));
    for (let i = 0; i < 2; i++) source$.pipe(toArray()).subscribe((all) => seen.push(all));
    const whole = [watermark(5), record('a', 6), Z];
    expect(seen).toStrictEqual([whole, whole]);
  });
});

import { from, type OperatorFunction, Subject, toArray } from 'rxjs';
import { MAX_TIMESTAMP, type StreamElement, type StreamRecord, watermark } from 'tidemark';
import { expect, it } from 'vitest';
import { IN, type In } from './checklist.js';
import { endlessRow, neverRow, reentrantLog } from './commonRows.js';
import { marbles } from './marbles.js';

/** An operator that holds each record until the watermark reaches it, and then makes one record of it. */
export interface Sorted<O> {
  readonly operator: OperatorFunction<In, StreamElement<O, unknown>>;
  /** What becomes of an element. */
  readonly output: (element: In) => StreamElement<O, unknown>;
  /** Two of them in a row, and what they make of an element. */
  readonly twice: OperatorFunction<In, StreamElement<unknown, unknown>>;
  readonly outputTwice: (element: In) => StreamElement<unknown, unknown>;
  /** The operator with a user function that calls `fail` with each value, once the value is its turn. */
  readonly throwing?: (fail: (value: number) => void) => OperatorFunction<In, StreamElement<O, unknown>>;
  /** Do records come out at once, and not at the watermark? */
  readonly prompt?: boolean;
}

const MAX = watermark(MAX_TIMESTAMP);

/** The rows of the checklist for operators that go by the order of event time. */
export function sortedRows<O>({ operator, output, twice, outputTwice, throwing, prompt = false }: Sorted<O>): void {
  const letters = Object.keys(IN) as Array<keyof typeof IN>;
  const OUT: Record<string, StreamElement<O, unknown>> = Object.fromEntries(
    letters.map((letter) => [letter, output(IN[letter])]),
  );
  const when = (early: string, sorted: string): string => (prompt ? early : sorted);

  neverRow(operator);

  it(
    'empty: the final watermark and completion',
    marbles((m) => {
      m.expect(m.cold<In>('--|').pipe(operator)).toBeObservable('--(Z|)', OUT);
    }),
  );

  it(
    'error: passes in its frame, and nothing of what waits',
    marbles((m) => {
      const cause = new Error('of the source');
      const source = m.hot<In>('-a---V---b--#', IN, cause);
      m.expect(source.pipe(operator)).toBeObservable(when('-a---V---b--#', '-----(aV)---#'), OUT, cause);
      m.expect(source).toHaveSubscriptions('^-----------!');
    }),
  );

  it(
    'unsubscribe: lets go of the source in that frame',
    marbles((m) => {
      const source = m.hot<In>('-a---V---b--', IN);
      m.expect(source.pipe(operator), '^---------!').toBeObservable(when('-a---V---b-', '-----(aV)---'), OUT);
      m.expect(source).toHaveSubscriptions('^---------!');
    }),
  );

  if (throwing !== undefined) {
    it('throws: what the user function throws is the error, once, and the source is let go', () => {
      const cause = { not: 'an Error' };
      const source = new Subject<In>();
      const seen: unknown[] = [];
      const failing = throwing((value) => {
        if (value === 2) throw cause;
      });
      source.pipe(failing).subscribe({ next: (o) => seen.push(o), error: (e) => seen.push(e) });
      for (const element of [IN.a, IN.V, IN.b, IN.W, IN.c]) source.next(element);
      source.error(new Error('too late'));
      expect(seen).toStrictEqual([OUT['a'], OUT['V'], cause]);
      expect(seen[2]).toBe(cause);
      expect(source.observed).toBe(false);
    });
  }

  it(
    'synchronous: all elements in the frame of the subscription, in order',
    marbles((m) => {
      const given: In[] = [IN.a, IN.V, IN.b, IN.W, IN.c];
      m.expect(from(given).pipe(operator, toArray())).toBeObservable('(x|)', { x: [...given.map(output), MAX] });
    }),
  );

  endlessRow(operator);

  it('re-entrant: through two stages, what is pushed while an element is handled comes after it, and so does the end', () => {
    const log = reentrantLog(twice, [IN.a, IN.V], [IN.b, IN.W]);
    const all = [...[IN.a, IN.V, IN.b, IN.W].map(outputTwice), MAX];
    // at once, what is pushed comes before the watermark that is yet to be pushed
    const rest = prompt ? [IN.b, IN.W].map(outputTwice).concat(MAX) : all.slice(1);
    expect(log).toStrictEqual([all[0], 'handled', ...rest, 'complete']);
  });

  it(
    'watermark: passes behind the records that it releases',
    marbles((m) => {
      const source = m.hot<In>('-a----b----V-----W-----', IN);
      m.expect(source.pipe(operator)).toBeObservable(when('-a----b----V-----W-----', '-----------(aV)--(bW)--'), OUT);
    }),
  );

  it(
    'regressing: a watermark that repeats or falls is swallowed',
    marbles((m) => {
      const source = m.cold<In>('-V-V-W-V-W-|', IN);
      m.expect(source.pipe(operator)).toBeObservable('-V---W-----(Z|)', OUT);
    }),
  );

  it(
    'idle: is said once and ends with the next watermark',
    marbles((m) => {
      const source = m.cold<In>('-V-I-I-b-W----|', IN);
      m.expect(source.pipe(operator)).toBeObservable(when('-V-I---b-W----(Z|)', '-V-I-----(bW)-(Z|)'), OUT);
    }),
  );

  it(
    'idle: an advance into idleness releases, and is two elements',
    marbles((m) => {
      const source = m.cold<In>('-V-b------X-------|', IN);
      m.expect(source.pipe(operator)).toBeObservable(when('-V-b------(WX)----(Z|)', '-V--------(bWX)---(Z|)'), OUT);
    }),
  );

  it(
    'completion: releases what waits, then the final watermark and the end',
    marbles((m) => {
      const source = m.cold<In>('-a----|', IN);
      m.expect(source.pipe(operator)).toBeObservable(when('-a----(Z|)', '------(aZ|)'), OUT);
      m.expect(source).toHaveSubscriptions('^-----!');
    }),
  );

  it(
    'completion: a final watermark is not said twice',
    marbles((m) => {
      const source = m.cold<In>('-a----Z----|', IN);
      m.expect(source.pipe(operator)).toBeObservable(when('-a----Z----|', '------(aZ)-|'), OUT);
    }),
  );
}

/** The records that are not late, in the order of their times. */
export function sortedOnTime(elements: readonly In[]): StreamRecord<number, string>[] {
  let time = -Infinity;
  const onTime: StreamRecord<number, string>[] = [];
  for (const element of elements) {
    if (element._tag === 'Watermark') time = Math.max(time, element.timestamp);
    else if (element.timestamp > time) onTime.push(element);
  }
  return onTime.sort((a, b) => a.timestamp - b.timestamp);
}

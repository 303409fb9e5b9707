import { from, type OperatorFunction, Subject, toArray } from 'rxjs';
import { idle, keyedRecord, MAX_TIMESTAMP, type StreamElement, watermark } from 'tidemark';
import { expect, it } from 'vitest';
import { endlessRow, neverRow, reentrantLog } from './commonRows.js';
import { marbles } from './marbles.js';

/** What goes into the operators of the checklist. */
export type In = StreamElement<number, string>;

/** The alphabet: records are lower case, watermarks upper case. */
export const IN = {
  a: keyedRecord(1, 10, 'k'),
  b: keyedRecord(2, 20, 'k'),
  c: keyedRecord(3, 30, 'l'),
  V: watermark(15),
  I: idle(15),
  A: watermark(15), // after I: active again
  W: watermark(25),
  X: idle(25), // after V: an advance and going idle in one
  Z: watermark(MAX_TIMESTAMP),
} satisfies Record<string, In>;

/** An operator that lets elements through one by one, changed or not. */
export interface PassThrough<O> {
  readonly operator: OperatorFunction<In, O>;
  /** What comes out for an element; `undefined` if nothing does. */
  readonly output: (element: In) => O | undefined;
  /** Two of them in a row; for an operator that leaves elements behind, something that passes them on before it. */
  readonly twice: OperatorFunction<In, O>;
  /** What two in a row make of an element; by default what one makes. */
  readonly outputTwice?: (element: In) => O | undefined;
  /** The operator with a user function that calls `fail` with each value. */
  readonly throwing?: (fail: (value: number) => void) => OperatorFunction<In, O>;
  /** Does idleness come out? */
  readonly statuses: boolean;
}

/**
 * The rows that every operator of this kind has: exact elements in exact frames. In the expected diagrams stand the letters
 * of the input; one for which nothing comes out is blank.
 */
export function checklist<O>({ operator, output, twice, outputTwice = output, throwing, statuses }: PassThrough<O>): void {
  const letters = Object.keys(IN) as Array<keyof typeof IN>;
  const OUT = Object.fromEntries(letters.map((letter) => [letter, output(IN[letter]) as O]));
  const expected = (diagram: string): string =>
    diagram.replace(/[a-zA-Z]/g, (letter) => (OUT[letter] === undefined ? '-' : letter));
  const all = (elements: readonly In[], f = output): O[] => elements.map(f).filter((o): o is O & {} => o !== undefined);

  neverRow(operator);

  it(
    'empty: completes in the frame of the end',
    marbles((m) => {
      const source = m.cold<In>('--|');
      m.expect(source.pipe(operator)).toBeObservable('--|');
      m.expect(source).toHaveSubscriptions('^-!');
    }),
  );

  it(
    'error: passes in its frame, and nothing with it',
    marbles((m) => {
      const cause = new Error('of the source');
      const source = m.hot<In>('         -a-V-#', IN, cause);
      m.expect(source.pipe(operator)).toBeObservable(expected('-a-V-#'), OUT, cause);
      m.expect(source).toHaveSubscriptions('^----!');
    }),
  );

  it(
    'unsubscribe: lets go of the source in that frame',
    marbles((m) => {
      const source = m.hot<In>('              -a-V-b-', IN);
      m.expect(source.pipe(operator), '^---!').toBeObservable(expected('-a-V-'), OUT);
      m.expect(source).toHaveSubscriptions('    ^---!');
    }),
  );

  if (throwing !== undefined) {
    it(
      'throws: what the user function throws is the error, and the source is let go',
      marbles((m) => {
        const cause = new Error('of the user');
        const source = m.hot<In>(' -a-V-b-W-c-|', IN);
        const failing = throwing((value) => {
          if (value === 2) throw cause;
        });
        m.expect(source.pipe(failing)).toBeObservable(expected('-a-V-#'), OUT, cause);
        m.expect(source).toHaveSubscriptions('^----!');
      }),
    );

    it('throws: the error is the one thrown, unchanged, and comes once', () => {
      const cause = { not: 'an Error' };
      const source = new Subject<In>();
      const seen: unknown[] = [];
      const failing = throwing(() => {
        throw cause;
      });
      source.pipe(failing).subscribe({ next: (o) => seen.push(o), error: (e) => seen.push(['error', e]) });
      for (const element of [IN.a, IN.b, IN.V]) source.next(element);
      source.error(new Error('too late'));
      expect(seen).toStrictEqual([['error', cause]]);
      expect((seen[0] as unknown[])[1]).toBe(cause);
      expect(source.observed).toBe(false);
    });
  }

  it(
    'synchronous: all elements in the frame of the subscription, in order',
    marbles((m) => {
      const given = [IN.a, IN.V, IN.b, IN.W, IN.c, IN.Z];
      m.expect(from(given).pipe(operator, toArray())).toBeObservable('(x|)', { x: all(given) });
    }),
  );

  endlessRow(operator);

  it('re-entrant: through two stages, what is pushed while an element is handled comes after it, and so does the end', () => {
    const log = reentrantLog(twice, [IN.a, IN.V], [IN.b, IN.W]);
    const first = outputTwice(IN.a) ?? outputTwice(IN.V);
    expect(log).toStrictEqual([first, 'handled', ...all([IN.b, IN.W], outputTwice), 'complete']);
  });

  it(
    'watermark: passes between the records as it came, a duplicate is swallowed',
    marbles((m) => {
      const source = m.cold<In>('       -a-V-V-b-W-c-|', IN);
      const result = expected('         -a-V---b-W-c-|');
      m.expect(source.pipe(operator)).toBeObservable(result, OUT);
    }),
  );

  it(
    'regressing: a falling watermark is swallowed, the records around it are not',
    marbles((m) => {
      const source = m.cold<In>('       -W-a-V-b-|', IN);
      const result = expected('         -W-a---b-|');
      m.expect(source.pipe(operator)).toBeObservable(result, OUT);
    }),
  );

  it(
    `idle: ${statuses ? 'is said once and ends with the next watermark' : 'leaves no trace'}`,
    marbles((m) => {
      const source = m.cold<In>('              -V-I-I-b-W-|', IN);
      const idleOut = expected(statuses ? '    -V-I---b-W-|' : '-V-----b-W-|');
      m.expect(source.pipe(operator)).toBeObservable(idleOut, OUT);
    }),
  );

  if (statuses) {
    it(
      'idle: a return without an advance is one element, an advance into idleness two',
      marbles((m) => {
        const source = m.cold<In>('      -V-I-A----X----|', IN);
        const result = '                  -V-I-A----(WX)-|';
        m.expect(source.pipe(operator)).toBeObservable(result, OUT);
      }),
    );
  }

  it(
    'completion: passes on without a watermark of its own',
    marbles((m) => {
      const source = m.cold<In>('  -a-V-|', IN);
      const result = expected('    -a-V-|');
      m.expect(source.pipe(operator)).toBeObservable(result, OUT);
      m.expect(source).toHaveSubscriptions('^----!');
    }),
  );

  it(
    'completion: the final watermark passes before it',
    marbles((m) => {
      const source = m.cold<In>('  -a-Z-|', IN);
      const result = expected('    -a-Z-|');
      m.expect(source.pipe(operator)).toBeObservable(result, OUT);
    }),
  );
}

/** An element whose value is changed, for `PassThrough.output`. */
export function withValue<B>(element: In, f: (value: number) => B): StreamElement<B, string> {
  return element._tag === 'Record' ? keyedRecord(f(element.value), element.timestamp, element.key) : element;
}

/** Rows for a parameter that must be a function. */
export function refusesNonFunctions(operator: string, parameter: string, build: (f: never) => unknown): void {
  it.each([
    [undefined, TypeError, 'undefined'],
    [5, RangeError, '5'],
    ['name', TypeError, '"name"'],
  ])(`arguments: refuses a ${parameter} of %s when it is built`, (value, Kind, shown) => {
    const message = `${operator}: ${parameter} is ${shown}, it must be a function`;
    expect(() => build(value as never)).toThrow(new Kind(message));
  });
}

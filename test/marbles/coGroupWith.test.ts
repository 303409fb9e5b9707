import { NEVER } from 'rxjs';
import { assigners, coGroupWith, record, type StreamElement, watermark } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { keyedWindow, latePane, windowed } from '../helpers/elements.js';
import { joinRows } from '../helpers/joinRows.js';
import { marbles } from '../helpers/marbles.js';

type In = StreamElement<string>;
const { tumbling } = assigners;

describe('coGroupWith', () => {
  const both = { _tag: 'Both', left: ['a'], right: ['b'] };
  joinRows((right, config) => coGroupWith(right, tumbling(10), config), {
    result: record(keyedWindow('k', 0, 10, both), 9),
    waits: true,
  });

  const LEFT = { a: record('a', 1), b: record('b', 5), W: watermark(9), X: watermark(30) };
  const RIGHT = { ...LEFT, p: record('p', 2), q: record('q', 12), r: record('r', 3) };

  it(
    'boundary: one result a window, also where one side has nothing',
    marbles((m) => {
      const left = m.hot<In>('ba-W----X', LEFT);
      const right = m.hot<In>('p-qW----X', RIGHT);
      m.expect(left.pipe(coGroupWith(right, tumbling(10)))).toBeObservable('---(1W)-(2X)', {
        1: record(windowed(0, 10, { _tag: 'Both' as const, left: ['b', 'a'] as [string, string], right: ['p'] as [string] }), 9),
        W: LEFT.W,
        2: record(windowed(10, 20, { _tag: 'Right' as const, right: ['q'] as [string] }), 19),
        X: LEFT.X,
      });
    }),
  );

  it(
    'late: within the lateness the whole group comes again, and what was given stays as it was',
    marbles((m) => {
      const left = m.hot<In>('a-W-------', LEFT);
      const right = m.hot<In>('--W---r---', RIGHT);
      const joined = left.pipe(coGroupWith(right, tumbling(10), { allowedLateness: 5 }));
      m.expect(joined).toBeObservable('--(1W)2---', {
        1: record(windowed(0, 10, { _tag: 'Left' as const, left: ['a'] as [string] }), 9),
        W: LEFT.W,
        2: record(windowed(0, 10, { _tag: 'Both' as const, left: ['a'] as [string], right: ['r'] as [string] }, latePane(1)), 9),
      });
    }),
  );

  it('arguments: refused when the operator is built', () => {
    expect(() => coGroupWith(NEVER, undefined as never)).toThrow('coGroupWith: assigner is undefined, it must be an assigner');
    expect(() => coGroupWith(NEVER, tumbling(10), { allowedLateness: -1 })).toThrow('coGroupWith: allowedLateness is -1');
    expect(() => coGroupWith(1 as never, tumbling(10))).toThrow('coGroupWith: right is 1, it must be an observable');
  });
});

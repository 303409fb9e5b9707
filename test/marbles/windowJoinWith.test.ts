import { from, NEVER } from 'rxjs';
import { assigners, idle, record, type StreamElement, watermark, windowJoinWith } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { keyedWindow, latePane, windowed } from '../helpers/elements.js';
import { joinRows } from '../helpers/joinRows.js';
import { marbles } from '../helpers/marbles.js';

type In = StreamElement<string>;
const { tumbling, sliding, session } = assigners;

describe('windowJoinWith', () => {
  joinRows((right, config) => windowJoinWith(right, tumbling(10), config), {
    result: record(keyedWindow('k', 0, 10, ['a', 'b']), 9),
    waits: true,
  });

  const LEFT = { a: record('a', 1), b: record('b', 5), W: watermark(9), X: watermark(20) };
  const RIGHT = { ...LEFT, p: record('p', 2), q: record('q', 12), r: record('r', 3) };
  const some = (value: string) => ({ _tag: 'Some' as const, value });
  const none = { _tag: 'None' as const };

  it(
    'boundary: all pairs of a window, left by left, when the smaller watermark reaches its end − 1',
    marbles((m) => {
      const left = m.hot<In>('ba-W---X', LEFT);
      const right = m.hot<In>('prq---W', RIGHT);
      m.expect(left.pipe(windowJoinWith(right, tumbling(10)))).toBeObservable('------(1234W)', {
        1: record(windowed(0, 10, ['b', 'p'] as const), 9),
        2: record(windowed(0, 10, ['b', 'r'] as const), 9),
        3: record(windowed(0, 10, ['a', 'p'] as const), 9),
        4: record(windowed(0, 10, ['a', 'r'] as const), 9),
        W: LEFT.W,
      });
    }),
  );

  it(
    'late: within the lateness a record fires all pairs of its window again',
    marbles((m) => {
      const left = m.hot<In>('a-W-------', LEFT);
      const right = m.hot<In>('p-W---r---', RIGHT);
      const joined = left.pipe(windowJoinWith(right, tumbling(10), { allowedLateness: 5 }));
      m.expect(joined).toBeObservable('--(1W)(23)', {
        1: record(windowed(0, 10, ['a', 'p'] as const), 9),
        W: LEFT.W,
        2: record(windowed(0, 10, ['a', 'p'] as const, latePane(1)), 9),
        3: record(windowed(0, 10, ['a', 'r'] as const, latePane(1)), 9),
      });
    }),
  );

  /** Values and windows of all results of two streams that come at once. */
  const all = (
    left: In[],
    right: In[],
    assigner: Parameters<typeof windowJoinWith<string, string, undefined, { start: number; end: number }>>[1],
    config: object = {},
  ): unknown[] => {
    const out: unknown[] = [];
    from(left)
      .pipe(windowJoinWith(from(right), assigner, config))
      .subscribe((element) => {
        if (element._tag === 'Record') out.push([element.value.window.start, element.value.value]);
      });
    return out;
  };

  it('kinds: windows in which one side has none', () => {
    const left = [LEFT.a, record('c', 31)];
    const right = [RIGHT.p, RIGHT.q];
    expect(all(left, right, tumbling(10))).toEqual([[0, ['a', 'p']]]);
    expect(all(left, right, tumbling(10), { kind: 'left' })).toEqual([
      [0, ['a', some('p')]],
      [30, ['c', none]],
    ]);
    expect(all(left, right, tumbling(10), { kind: 'right' })).toEqual([
      [0, [some('a'), 'p']],
      [10, [none, 'q']],
    ]);
    expect(all(left, right, tumbling(10), { kind: 'full' })).toEqual([
      [0, { _tag: 'Both', left: 'a', right: 'p' }],
      [10, { _tag: 'Right', right: 'q' }],
      [30, { _tag: 'Left', left: 'c' }],
    ]);
  });

  it('any assigner: a pair comes in each window that it shares; sessions grow from both sides', () => {
    expect(all([record('a', 7)], [record('p', 6), record('q', 11)], sliding(10, 5))).toEqual([
      [0, ['a', 'p']],
      [5, ['a', 'p']],
      [5, ['a', 'q']],
    ]);
    expect(all([record('a', 0), record('b', 16)], [record('p', 8)], session(10))).toEqual([
      [0, ['a', 'p']],
      [0, ['b', 'p']],
    ]);
  });

  it(
    'idle: as in a union, a side that comes back behind holds nothing until it has caught up',
    marbles((m) => {
      const left = m.hot<In>('I---W----', { ...LEFT, I: idle(0) });
      const right = m.hot<In>('--X------', RIGHT);
      m.expect(left.pipe(windowJoinWith(right, tumbling(10)))).toBeObservable('--X------', { X: LEFT.X });
    }),
  );

  it('arguments: refused when the operator is built', () => {
    const build = (config: object) => () => windowJoinWith(NEVER, tumbling(10), config);
    expect(build({ kind: 'outer' })).toThrow('windowJoinWith: kind is "outer"');
    expect(build({ allowedLateness: 0.5 })).toThrow('windowJoinWith: allowedLateness is 0.5');
    expect(() => windowJoinWith(NEVER, 5 as never)).toThrow('windowJoinWith: assigner is 5, it must be an assigner');
    expect(() => windowJoinWith(1 as never, tumbling(10))).toThrow('windowJoinWith: right is 1, it must be an observable');
  });
});

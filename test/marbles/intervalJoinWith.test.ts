import { from, NEVER, Subject } from 'rxjs';
import {
  type IntervalJoinConfig,
  intervalJoinWith,
  keyedRecord,
  MAX_TIMESTAMP,
  record,
  type StreamElement,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { joinRows } from '../helpers/joinRows.js';
import { marbles } from '../helpers/marbles.js';

type In = StreamElement<string>;
const W = (t: number) => watermark(t);
const some = (value: string) => ({ _tag: 'Some' as const, value });
const none = { _tag: 'None' as const };
const Z = W(MAX_TIMESTAMP);

describe('intervalJoinWith', () => {
  joinRows((right, config) => intervalJoinWith(right, { lower: -10, upper: 10, ...config }), {
    result: keyedRecord(['a', 'b'], 5, 'k'),
    waits: false,
  });

  const values = {
    a: record('a', 10),
    p: record('p', 5),
    q: record('q', 8),
    r: record('r', 10),
    s: record('s', 12),
    t: record('t', 13),
    W: W(12),
    X: W(13),
    Y: W(22),
    Z,
  };

  it(
    'boundary: both ends of the interval belong to it',
    marbles((m) => {
      const left = m.hot<In>('a-------', values);
      const right = m.hot<In>('-pqrst--', values);
      m.expect(left.pipe(intervalJoinWith(right, { lower: -2, upper: 2 }))).toBeObservable('--123---', {
        1: record(['a', 'q'] as const, 10),
        2: record(['a', 'r'] as const, 10),
        3: record(['a', 's'] as const, 12),
      });
    }),
  );

  it(
    'boundary: exclusive ones are a millisecond nearer',
    marbles((m) => {
      const left = m.hot<In>('a-------', values);
      const right = m.hot<In>('-pqrst--', values);
      const config = { lower: -2, upper: 2, lowerExclusive: true, upperExclusive: true };
      m.expect(left.pipe(intervalJoinWith(right, config))).toBeObservable('---2----', { 2: record(['a', 'r'] as const, 10) });
    }),
  );

  it(
    'late: behind the watermark is, at it is not; beyond the lateness is',
    marbles((m) => {
      const at = (lateness: number, frames: string): void => {
        const left = m.hot<In>('aW-----', values);
        const right = m.hot<In>('-W-q-s-', values);
        const config = { lower: -5, upper: 5, allowedLateness: lateness };
        m.expect(left.pipe(intervalJoinWith(right, config))).toBeObservable(frames, {
          W: values.W,
          1: record(['a', 'q'] as const, 10),
          2: record(['a', 's'] as const, 12),
        });
      };
      at(0, '-W---2-');
      at(3, '-W---2-');
      at(4, '-W-1-2-');
    }),
  );

  it(
    'left: a row without a partner comes when the watermark proves it, before that watermark, which is held back',
    marbles((m) => {
      const left = m.hot<In>('a--W-X----|', values);
      const right = m.hot<In>('---W-X---|', values);
      const joined = left.pipe(intervalJoinWith(right, { kind: 'left', lower: 0, upper: 3 }));
      m.expect(joined).toBeObservable('---V-(xU)-(Z|)', {
        V: W(9),
        x: record(['a', none] as const, 10),
        U: W(10),
        Z,
      });
    }),
  );

  /** What comes out for what goes in, element by element: `l` or `r` for the side. */
  function given<A>(
    all: ReadonlyArray<readonly ['l' | 'r' | 'both', In]>,
    join: (right: Subject<In>) => (source: Subject<In>) => A,
  ): A {
    const [left, right] = [new Subject<In>(), new Subject<In>()];
    const joined = join(right)(left);
    for (const [side, element] of all) {
      if (side !== 'r') left.next(element);
      if (side !== 'l') right.next(element);
    }
    return joined;
  }
  const outOf = (
    all: ReadonlyArray<readonly ['l' | 'r' | 'both', In]>,
    config: IntervalJoinConfig<string, string, undefined> & { kind?: 'inner' | 'left' | 'right' | 'full' },
  ): unknown[] =>
    given(all, (right) => (left) => {
      const out: unknown[] = [];
      left
        .pipe(intervalJoinWith(right, config))
        .subscribe((element) => out.push(element._tag === 'Watermark' ? element.timestamp : [element.value, element.timestamp]));
      return out;
    });

  it('P046: with the time of the left, the watermark is held back by the most that a result may be early', () => {
    const all = [
      ['l', record('l', 5)],
      ['both', W(12)],
      ['r', record('r', 13)],
      ['both', W(30)],
    ] as const;
    expect(outOf(all, { lower: 0, upper: 10, resultTime: 'left' })).toEqual([2, [['l', 'r'], 5], 20]);
    expect(outOf(all, { lower: 0, upper: 10 })).toEqual([12, [['l', 'r'], 13], 30]);
    const before = [
      ['r', record('r', 5)],
      ['both', W(12)],
      ['l', record('l', 13)],
      ['both', W(30)],
    ] as const;
    expect(outOf(before, { lower: -10, upper: 0, resultTime: 'right' })).toEqual([2, [['l', 'r'], 5], 20]);
  });

  it('P075: a row is alone only when no match can come any more, the lateness included', () => {
    const config = { kind: 'left', lower: 0, upper: 10, allowedLateness: 5 } as const;
    const matched = [
      ['l', record('L', 0)],
      ['both', W(12)],
      ['r', record('R', 9)],
      ['both', W(15)],
    ] as const;
    expect(outOf(matched, config)).toEqual([-3, [['L', some('R')], 9], 0]);
    const alone = [
      ['l', record('L', 0)],
      ['both', W(12)],
      ['both', W(14)],
      ['both', W(15)],
    ] as const;
    expect(outOf(alone, config)).toEqual([-3, -1, [['L', none], 0], 0]);
  });

  it('P076: a row that was in a pair is never alone, though its partner went first', () => {
    const all = [
      ['l', record('L', 0)],
      ['r', record('R', 0)],
      ['both', W(3)],
      ['both', W(5)],
      ['both', W(100)],
    ] as const;
    expect(outOf(all, { kind: 'left', lower: 0, upper: 5 })).toEqual([[['L', some('R')], 0], -2, 0, 95]);
  });

  it('right and full: Option and These say which side is there', () => {
    const all = [
      ['l', record('l', 0)],
      ['r', record('r', 50)],
      ['l', record('m', 50)],
      ['r', record('s', 90)],
      ['both', W(200)],
    ] as const;
    expect(outOf(all, { kind: 'right', lower: 0, upper: 1 })).toEqual([[[some('m'), 'r'], 50], [[none, 's'], 90], 200]);
    expect(outOf(all, { kind: 'full', lower: 0, upper: 1 })).toEqual([
      [{ _tag: 'Both', left: 'm', right: 'r' }, 50],
      [{ _tag: 'Left', left: 'l' }, 0],
      [{ _tag: 'Right', right: 's' }, 90],
      199,
    ]);
  });

  it('keys: only equal ones meet, and results carry theirs', () => {
    const out: unknown[] = [];
    from([keyedRecord(1, 0, 'a'), keyedRecord(2, 0, 'b')])
      .pipe(intervalJoinWith(from([keyedRecord('x', 0, 'b')]), { lower: 0, upper: 0 }))
      .subscribe((element) => out.push(element));
    expect(out).toEqual([keyedRecord([2, 'x'], 0, 'b'), Z]);
  });

  it('arguments: refused when the operator is built', () => {
    const build = (config: object) => () => intervalJoinWith(NEVER, { lower: 0, upper: 1, ...config });
    expect(build({ lower: 2 })).toThrow('intervalJoinWith: upper is 1, it must be above lower (2) with room for a whole ms');
    expect(build({ lowerExclusive: true, upperExclusive: true })).toThrow('intervalJoinWith: upper is 1');
    expect(build({ lower: 0.5 })).toThrow('intervalJoinWith: lower is 0.5, it must be a whole number of ms');
    expect(build({ upper: Infinity })).toThrow('intervalJoinWith: upper is Infinity, it must be a whole number of ms');
    expect(build({ allowedLateness: -1 })).toThrow('intervalJoinWith: allowedLateness is -1');
    expect(build({ kind: 'outer' })).toThrow(
      'intervalJoinWith: kind is "outer", it must be "inner" or "left" or "right" or "full"',
    );
    expect(build({ resultTime: 'min' })).toThrow('intervalJoinWith: resultTime is "min"');
    expect(() => intervalJoinWith(7 as never, { lower: 0, upper: 1 })).toThrow(
      'intervalJoinWith: right is 7, it must be an observable',
    );
  });
});

import { NEVER } from 'rxjs';
import { type AsOfJoinConfig, asOfJoinWith, keyedRecord, record, type StreamElement, watermark } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { joinRows } from '../helpers/joinRows.js';
import { marbles } from '../helpers/marbles.js';

type In = StreamElement<string>;
const some = (value: string) => ({ _tag: 'Some' as const, value });
const none = { _tag: 'None' as const };

describe('asOfJoinWith', () => {
  joinRows((right, config) => asOfJoinWith(right, config), { result: keyedRecord(['a', some('b')], 5, 'k'), waits: true });

  const LEFT = { a: record('a', 10), e: record('e', 12), W: watermark(11), X: watermark(14), Y: watermark(30) };
  const RIGHT = { ...LEFT, p: record('p', 4), q: record('q', 10), r: record('r', 13), s: record('s', 10) };

  /** Left a@10 and e@12; right p@4, q@10, s@10, r@13; watermarks 11, 14 and 30. */
  const rows = (
    name: string,
    config: AsOfJoinConfig<string, string, undefined>,
    frames: string,
    out: Record<string, In | StreamElement<unknown>>,
  ): void => {
    it(
      name,
      marbles((m) => {
        const left = m.hot<In>('ea---W----X----Y', LEFT);
        const right = m.hot<In>('rpqs-W----X----Y', RIGHT);
        m.expect<StreamElement<unknown>>(left.pipe(asOfJoinWith(right, config)), '^--------------!').toBeObservable(frames, out);
      }),
    );
  };
  const { W, X } = LEFT;
  rows('backward: the last at or before, of equal ones the newest', {}, '-----(aW)-(eX)', {
    a: record(['a', some('s')], 10),
    e: record(['e', some('s')], 12),
    W,
    X,
  });
  rows('backward: not at the same time if that is left out', { allowExactMatches: false }, '-----(aW)-(eX)', {
    a: record(['a', some('p')], 10),
    e: record(['e', some('s')], 12),
    W,
    X,
  });
  rows('tolerance: inclusive, and none beyond it', { allowExactMatches: false, tolerance: 5 }, '-----(aW)-(eX)', {
    a: record(['a', none], 10),
    e: record(['e', some('s')], 12),
    W,
    X,
  });
  rows(
    'forward: the first at or after, of equal ones the first to come; the watermark waits',
    { direction: 'forward' },
    '-----(aW)-(eX)',
    {
      a: record(['a', some('q')], 10),
      e: record(['e', some('r')], 12),
      W,
      X,
    },
  );
  rows(
    'W10 forward: one that waits for its partner holds the watermark back',
    { direction: 'forward', allowExactMatches: false },
    '-----V----(aeX)',
    { V: watermark(9), a: record(['a', some('r')], 10), e: record(['e', some('r')], 12), X },
  );
  rows('nearest: of both, and of two as near the one before', { direction: 'nearest' }, '-----(aW)-(eX)', {
    a: record(['a', some('s')], 10),
    e: record(['e', some('r')], 12),
    W,
    X,
  });

  it('arguments: refused when the operator is built', () => {
    const build = (config: object) => () => asOfJoinWith(NEVER, config);
    expect(build({ direction: 'up' })).toThrow(
      'asOfJoinWith: direction is "up", it must be "backward" or "forward" or "nearest"',
    );
    expect(build({ tolerance: -1 })).toThrow('asOfJoinWith: tolerance is -1, it must be a whole number of ms ≥ 0 or Infinity');
    expect(() => asOfJoinWith(null as never)).toThrow('asOfJoinWith: right is null, it must be an observable');
  });
});

import { EMPTY, of } from 'rxjs';
import { MAX_TIMESTAMP, record, unionWith, watermark } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { marbles } from '../helpers/marbles.js';
import { unionRows } from '../helpers/unionRows.js';

describe('unionWith', () => {
  unionRows(([source = EMPTY, ...others], config = {}) => source.pipe(unionWith(...others, config)));

  it(
    'puts the source first',
    marbles((m) => {
      const result = of(record(1, 1)).pipe(unionWith(of(record('b', 2)), of(record(null, 3))));
      m.expect(result).toBeObservable('(abcZ|)', {
        a: record(1, 1),
        b: record('b', 2),
        c: record(null, 3),
        Z: watermark(MAX_TIMESTAMP),
      });
    }),
  );

  it('arguments: refuses what is no observable, and what is no alignment', () => {
    expect(() => unionWith('text' as never)).toThrow(new TypeError('unionWith: stream 0 is "text", it must be an observable'));
    expect(() => unionWith({ alignment: 5 as never })).toThrow(/^unionWith: alignment is 5, it must be what alignment/);
  });
});

import { from, NEVER, Subject } from 'rxjs';
import { keyedRecord, record, type StreamElement, temporalJoinWith, watermark } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { joinRows } from '../helpers/joinRows.js';
import { marbles } from '../helpers/marbles.js';

type In = StreamElement<string>;
const none = { _tag: 'None' as const };

describe('temporalJoinWith', () => {
  joinRows((right, config) => temporalJoinWith(right, config), { result: keyedRecord(['a', 'b'], 5, 'k'), waits: true });

  const LEFT = { a: record('a', 5), b: record('b', 15), c: record('c', 25), d: record('d', 35), W: watermark(40) };
  const TABLE = { p: record('v1', 10), q: record('gone', 20), r: record('v2', 30), W: watermark(40) };
  const isDelete = (version: string): boolean => version === 'gone';

  it(
    'versions: each from its time until that of the next, in whatever order they come; deletions leave nothing',
    marbles((m) => {
      const left = m.hot<In>('  dcba-W', LEFT);
      const table = m.hot<In>(' rqp--W', TABLE);
      m.expect(left.pipe(temporalJoinWith(table, { isDelete })), '^----!').toBeObservable('------');
      m.expect(left.pipe(temporalJoinWith(table, { isDelete }))).toBeObservable('-----(bdW)', {
        b: record(['b', 'v1'] as const, 15),
        d: record(['d', 'v2'] as const, 35),
        W: TABLE.W,
      });
    }),
  );

  it('left: those without a version come with None', () => {
    const out: unknown[] = [];
    from<In[]>([LEFT.a, LEFT.b, LEFT.c])
      .pipe(temporalJoinWith(from<In[]>([TABLE.p, TABLE.q]), { kind: 'left', isDelete }))
      .subscribe((element) => element._tag === 'Record' && out.push(element.value));
    expect(out).toEqual([
      ['a', none],
      ['b', { _tag: 'Some', value: 'v1' }],
      ['c', none],
    ]);
  });

  it('throws: what isDelete throws is one error, unchanged, and both sides are let go', () => {
    const cause = new Error('in isDelete');
    const [left, table] = [new Subject<In>(), new Subject<In>()];
    const errors: unknown[] = [];
    const fails = (): boolean => {
      throw cause;
    };
    left.pipe(temporalJoinWith(table, { isDelete: fails })).subscribe({ error: (error: unknown) => errors.push(error) });
    table.next(TABLE.p);
    table.next(TABLE.q);
    expect(errors).toEqual([cause]);
    expect([left.observed, table.observed]).toEqual([false, false]);
  });

  it('arguments: refused when the operator is built', () => {
    const build = (config: object) => () => temporalJoinWith(NEVER, config);
    expect(build({ kind: 'full' })).toThrow('temporalJoinWith: kind is "full", it must be "inner" or "left"');
    expect(build({ isDelete: true })).toThrow('temporalJoinWith: isDelete is true, it must be a function');
    expect(() => temporalJoinWith({} as never)).toThrow('temporalJoinWith: table is {}, it must be an observable');
  });
});

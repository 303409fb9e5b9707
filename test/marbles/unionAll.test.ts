import { from, of, Subject } from 'rxjs';
import { type EventStream, idle, MAX_TIMESTAMP, record, type StreamElement, unionAll, watermark } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { marbles } from '../helpers/marbles.js';
import { unionRows } from '../helpers/unionRows.js';

type In = StreamElement<string>;

const E = { a: record('a', 1), F: watermark(5), G: idle(5), T: watermark(10), W: watermark(20), Z: watermark(MAX_TIMESTAMP) };

describe('unionAll', () => {
  unionRows((streams, config = {}) => from(streams).pipe(unionAll(config)), 'oneByOne');

  it(
    'watermark: a stream that joins holds what is there until it has caught up, and lowers nothing',
    marbles((m) => {
      const first = m.hot<In>(' -T-----W-------', E);
      const second = m.hot<In>('---------a-F-W--', E);
      const source = m.hot<EventStream<string>>('x----y---', { x: first, y: second });
      m.expect(source.pipe(unionAll())).toBeObservable('-T-------a---W--', E);
      m.expect(second).toHaveSubscriptions('-----^');
    }),
  );

  it(
    'completion: of one that has left lets the others go on; of all and the source is the end',
    marbles((m) => {
      const first = m.hot<In>('   -F---|', E);
      const second = m.hot<In>('  --T---------|', E);
      const source = m.hot<EventStream<string>>('(xy)--|', { x: first, y: second });
      m.expect(source.pipe(unionAll())).toBeObservable('--F--T------(Z|)', E);
      m.expect(first).toHaveSubscriptions('^----!');
    }),
  );

  it(
    'completion: while no stream is there nothing is said, and the next one goes on',
    marbles((m) => {
      const first = m.hot<In>('   -F-|', E);
      const second = m.hot<In>('  --------T--|', E);
      const source = m.hot<EventStream<string>>('x----y-----------|', { x: first, y: second });
      m.expect(source.pipe(unionAll())).toBeObservable('-F------T--------(Z|)', E);
    }),
  );

  it(
    'idle: ends when a stream joins',
    marbles((m) => {
      const first = m.hot<In>('-F-G------', E);
      const source = m.hot<EventStream<string>>('x----y---', { x: first, y: m.cold('-') });
      m.expect(source.pipe(unionAll())).toBeObservable('-F-G-F---', E);
    }),
  );

  it(
    'error: of the source passes at once, and lets go of all that joined',
    marbles((m) => {
      const cause = new Error('of the source');
      const first = m.hot<In>('-a----F', E);
      const source = m.hot<EventStream<string>>('x---#', { x: first }, cause);
      m.expect(source.pipe(unionAll())).toBeObservable('-a--#', E, cause);
      m.expect(first).toHaveSubscriptions('^---!');
    }),
  );

  it('error: what is no observable is one', () => {
    const seen: unknown[] = [];
    of<EventStream<string>[]>(5 as never)
      .pipe(unionAll())
      .subscribe({ error: (cause) => seen.push(cause) });
    expect(seen).toEqual([expect.any(TypeError)]);
  });

  it('re-entrant: a stream that joins while an element is handled speaks after it', () => {
    const source = new Subject<EventStream<string>>();
    const log: unknown[] = [];
    const first = new Subject<In>();
    source.pipe(unionAll()).subscribe((element) => {
      log.push(element);
      if (element !== E.a) return;
      source.next(from<In[]>([record('b', 2), watermark(7)]));
      log.push('handled');
    });
    source.next(first);
    first.next(E.F);
    first.next(E.a);
    first.next(E.T);
    expect(log).toEqual([E.F, E.a, 'handled', record('b', 2), E.T]);
  });

  it('arguments: refuses what is no config or no alignment', () => {
    expect(() => unionAll(5 as never)).toThrow(new RangeError('unionAll: config is 5, it must be an object'));
    expect(() => unionAll({ alignment: {} as never })).toThrow(/^unionAll: alignment is \{\}/);
  });
});

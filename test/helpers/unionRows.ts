import { EMPTY, from, type Observable, Subject, take, toArray } from 'rxjs';
import { type EventStream, idle, MAX_TIMESTAMP, record, type StreamElement, type UnionConfig, watermark } from 'tidemark';
import { expect, it } from 'vitest';
import { marbles } from './marbles.js';

type In = StreamElement<string>;

/** A way to make one stream of several. */
export type MakeUnion = (streams: ReadonlyArray<EventStream<string>>, config?: UnionConfig) => Observable<In>;

const E = {
  a: record('a', 1),
  b: record('b', 2),
  c: record('c', 3),
  F: watermark(5),
  G: idle(5),
  T: watermark(10),
  U: idle(10),
  W: watermark(20),
  Z: watermark(MAX_TIMESTAMP),
};

/** What is true of every union. */
export function unionRows(union: MakeUnion, joining: 'together' | 'oneByOne' = 'together'): void {
  // who joins later is not waited for by those who have spoken before
  const early = joining === 'together' ? [] : [E.F];

  it(
    'never: silent streams say nothing, and one that speaks waits for the others with its watermarks',
    marbles((m) => {
      m.expect(union([m.cold<In>('-'), m.cold<In>('-')])).toBeObservable('-');
      m.expect(union([m.hot<In>('  -a-F-b-T', E), m.cold<In>('-')])).toBeObservable('-a---b--', E);
    }),
  );

  it(
    'empty: one that is empty is not waited for; when all are, the end of time and the end',
    marbles((m) => {
      m.expect(union([m.cold<In>('--|'), m.cold<In>('----|')])).toBeObservable('----(Z|)', E);
      m.expect(union([m.cold<In>('--|'), m.hot<In>('-F--T-', E)])).toBeObservable('--F-T-', E);
      m.expect(union([])).toBeObservable('(Z|)', E);
    }),
  );

  it(
    'error: of any one passes at once, and lets go of all',
    marbles((m) => {
      const cause = new Error('of one');
      const left = m.hot<In>(' -a-F---#', E, cause);
      const right = m.hot<In>('--b--T---', E);
      m.expect(union([left, right])).toBeObservable('-ab--F-#', E, cause);
      m.expect(left).toHaveSubscriptions(' ^------!');
      m.expect(right).toHaveSubscriptions('^------!');
    }),
  );

  it(
    'unsubscribe: lets go of all in that frame; one that has completed was let go then',
    marbles((m) => {
      const left = m.hot<In>(' -a-|', E);
      const right = m.hot<In>('--b----c', E);
      m.expect(union([left, right]), '^----!').toBeObservable('-ab---', E);
      m.expect(left).toHaveSubscriptions(' ^--!');
      m.expect(right).toHaveSubscriptions('^----!');
    }),
  );

  it(
    'synchronous: one after the other, in the frame of the subscription',
    marbles((m) => {
      const result = union([from<In[]>([E.a, E.F]), from<In[]>([E.b, E.T])]).pipe(toArray());
      m.expect(result).toBeObservable('(x|)', { x: [E.a, ...early, E.b, E.T, E.Z] });
    }),
  );

  it('synchronous: an endless one is left when downstream closes, and none is subscribed after that', () => {
    let given = 0;
    function* endless(): Generator<In> {
      for (; given < 1_000; given++) yield record(String(given), given);
    }
    const seen: In[] = [];
    const second = new Subject<In>();
    union([from(endless()), EMPTY, second])
      .pipe(take(2))
      .subscribe((element) => seen.push(element));
    expect(seen).toStrictEqual([record('0', 0), record('1', 1)]);
    expect({ given, subscribed: second.observed }).toStrictEqual({ given: 1, subscribed: false });
  });

  it('re-entrant: through two unions, what is pushed while an element is handled comes after it, and so does the end', () => {
    const left = new Subject<In>();
    const right = new Subject<In>();
    const log: unknown[] = [];
    union([union([left, right]), EMPTY]).subscribe({
      next(element) {
        log.push(element);
        if (element !== E.a) return;
        right.next(E.b);
        right.next(E.T);
        left.next(E.F);
        left.complete();
        right.complete();
        log.push('handled');
      },
      complete: () => log.push('complete'),
    });
    left.next(E.a);
    expect(log).toStrictEqual([E.a, 'handled', E.b, E.F, E.T, E.Z, 'complete']);
  });

  it(
    'watermark: the least of all, when the last has said one; records pass as they come',
    marbles((m) => {
      const left = m.hot<In>(' -a-F-----T---W----', E);
      const right = m.hot<In>('--b---T-----c---W--', E);
      m.expect(union([left, right])).toBeObservable('-ab---F--T--c---W--', E);
    }),
  );

  it(
    'regressing: one that repeats or falls is swallowed, and lowers nothing',
    marbles((m) => {
      const left = m.hot<In>(' -T-F-T-W-', E);
      const right = m.hot<In>('-T---T-T-', E);
      m.expect(union([left, right])).toBeObservable('-T-', E);
    }),
  );

  it(
    'idle: an idle one is not waited for, and when it comes back behind, not until it has caught up',
    marbles((m) => {
      const left = m.hot<In>(' -F-G-----F-a-W-', E);
      const right = m.hot<In>('--T---------W--', E);
      // F in frame 9: active again, and behind; W: the right one goes on alone
      m.expect(union([left, right])).toBeObservable('--FT-------aW--', E);
    }),
  );

  it(
    'idle: when all are, the greatest of all, then idle; the first that comes back goes on at once',
    marbles((m) => {
      const left = m.hot<In>(' -F--G------W-', E);
      const right = m.hot<In>('--T----U-----', E);
      m.expect(union([left, right])).toBeObservable('--F-T--U---W-', E);
    }),
  );

  it(
    'idle: when the one that is ahead goes first, the other takes its place',
    marbles((m) => {
      const left = m.hot<In>(' -F-----G-----', E);
      const right = m.hot<In>('--T--U-------', E);
      m.expect(union([left, right])).toBeObservable('--F----(TU)---', E);
    }),
  );

  it(
    'completion: when all have; the end of time when all have ended, not before',
    marbles((m) => {
      const left = m.hot<In>(' -F-Z--|', E);
      const right = m.hot<In>('--T----U---Z---|', E);
      m.expect(union([left, right])).toBeObservable('--FT---U---Z---|', E);
      m.expect(left).toHaveSubscriptions('^-----!');
    }),
  );

  it('completion: one that has ended drops out of the minimum', () => {
    const left = new Subject<In>();
    const right = new Subject<In>();
    const seen: In[] = [];
    union([left, right]).subscribe((element) => seen.push(element));
    left.next(E.F);
    right.next(E.T);
    left.complete();
    right.next(E.W);
    expect(seen).toStrictEqual([E.F, E.T, E.W]);
  });

  it('keeps state of each subscription apart', () => {
    const source = union([from<In[]>([E.a, E.F]), from<In[]>([E.T])]);
    for (let i = 0; i < 2; i++) {
      const seen: In[] = [];
      source.subscribe((element) => seen.push(element));
      expect(seen).toStrictEqual([E.a, ...early, E.T, E.Z]);
    }
  });
}

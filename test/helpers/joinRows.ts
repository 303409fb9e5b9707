import { EMPTY, from, map, NEVER, type OperatorFunction, Subject, take } from 'rxjs';
import {
  type Counters,
  counters,
  type EventStream,
  idle,
  keyedRecord,
  type LateSides,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  MissingTimestampError,
  mapValue,
  type StreamElement,
  type StreamRecord,
  sideOutput,
  watermark,
} from 'tidemark';
import { expect, it, vi } from 'vitest';
import { marbles } from './marbles.js';

type In = StreamElement<string, string>;
type Out = StreamElement<unknown, unknown>;

export interface JoinRowsConfig {
  readonly lateTo?: LateSides<string, string, string>;
  readonly counters?: Counters;
}

/** A join for which a@5 of the left and b@3 of the right belong together. */
export type MakeJoin = (right: EventStream<string, string>, config?: JoinRowsConfig) => OperatorFunction<In, Out>;

/** The result of a and b, and whether it comes with the later of them or waits for the watermark to pass 9. */
export interface Expected {
  readonly result: StreamRecord<unknown, unknown>;
  readonly waits: boolean;
}

const MARKS = {
  V: watermark(2),
  W: watermark(20),
  X: watermark(30),
  I: idle(2),
  J: idle(20),
  Z: watermark(MAX_TIMESTAMP),
};
const LEFT = { ...MARKS, a: keyedRecord('a', 5, 'k'), o: keyedRecord('other', 5, 'o') };
const RIGHT = { ...MARKS, b: keyedRecord('b', 3, 'k') };

/** What is true of every join of two streams. */
export function joinRows(make: MakeJoin, { result: x, waits }: Expected): void {
  const OUT = { ...MARKS, x };

  it(
    'never: says nothing, and stays subscribed to both',
    marbles((m) => {
      const left = m.cold<In>('-');
      const right = m.cold<In>('-');
      m.expect(left.pipe(make(right))).toBeObservable('-');
      m.expect(left).toHaveSubscriptions('^');
      m.expect(right).toHaveSubscriptions('^');
    }),
  );

  it(
    'empty: the end of time when both have ended, whichever is first',
    marbles((m) => {
      m.expect(m.cold<In>('--|').pipe(make(m.cold<In>('----|')))).toBeObservable('----(Z|)', OUT);
      m.expect(m.cold<In>('----|').pipe(make(m.cold<In>('--|')))).toBeObservable('----(Z|)', OUT);
    }),
  );

  it(
    'error: that of either side passes at once, nothing is flushed, and the other one is let go',
    marbles((m) => {
      const cause = new Error('broken');
      const one = m.hot<In>('-o-#', LEFT, cause);
      const two = m.hot<In>('--b----', RIGHT);
      m.expect(one.pipe(make(two))).toBeObservable('---#', OUT, cause);
      m.expect(two).toHaveSubscriptions('^--!');
      const three = m.hot<In>('-o-----', LEFT);
      const four = m.hot<In>('--b-#', RIGHT, cause);
      m.expect(three.pipe(make(four))).toBeObservable('----#', OUT, cause);
      m.expect(three).toHaveSubscriptions('^---!');
    }),
  );

  it(
    'unsubscribe: lets go of both in that frame, with records kept',
    marbles((m) => {
      const left = m.hot<In>('-o---W--', LEFT);
      const right = m.hot<In>('--b--W--', RIGHT);
      m.expect(left.pipe(make(right)), '^---!').toBeObservable('-----');
      m.expect(left).toHaveSubscriptions('^---!');
      m.expect(right).toHaveSubscriptions('^---!');
    }),
  );

  for (const side of ['left', 'right'] as const) {
    it(`throws: a late output of the ${side} that fails is one error, unchanged, and both sides are let go`, () => {
      const cause = { not: 'even an Error' };
      const [left, right] = [new Subject<In>(), new Subject<In>()];
      const fails = (): void => {
        throw cause;
      };
      const errors: unknown[] = [];
      left.pipe(make(right, { lateTo: { [side]: fails } })).subscribe({ error: (error: unknown) => errors.push(error) });
      for (const input of [left, right]) input.next(MARKS.W);
      const late = side === 'left' ? left : right;
      late.next(LEFT.a);
      late.next(LEFT.a);
      expect(errors).toHaveLength(1);
      expect(errors[0]).toBe(cause);
      expect([left.observed, right.observed]).toEqual([false, false]);
    });
  }

  it(
    'synchronous: both sides at once',
    marbles((m) => {
      const left = from<In[]>([LEFT.a, MARKS.W]);
      const right = from<In[]>([RIGHT.b, MARKS.X]);
      // the left one has ended when the right one begins: only that is waited for
      m.expect(left.pipe(make(right))).toBeObservable('(xXZ|)', OUT);
      m.expect(left.pipe(make(right), take(1))).toBeObservable('(x|)', OUT);
    }),
  );

  it('re-entrant: what a sink pushes into either side waits for its turn, with two stages in a row', () => {
    const [left, right] = [new Subject<In>(), new Subject<In>()];
    const log: unknown[] = [];
    left
      .pipe(
        mapValue((value: string) => value),
        make(right),
        map((element) => element),
        mapValue((value: unknown) => value),
      )
      .subscribe((element) => {
        log.push(element);
        if (log.length > 1) return;
        right.next(MARKS.X);
        left.next(MARKS.X);
        log.push('handled');
      });
    left.next(LEFT.a);
    right.next(RIGHT.b);
    left.next(MARKS.W);
    right.next(MARKS.W);
    expect(log.slice(0, 2)).toEqual([x, 'handled']);
    expect(log.slice(2)).toEqual(waits ? [MARKS.W, MARKS.X] : [MARKS.X]);
  });

  it(
    'watermark: the smaller of both, after what it causes',
    marbles((m) => {
      const left = m.hot<In>('-a-W----X', LEFT);
      const right = m.hot<In>('--b--W--X', RIGHT);
      m.expect(left.pipe(make(right)), '^-------!').toBeObservable(waits ? '-----(xW)' : '--x--W---', OUT);
    }),
  );

  it(
    'regressing: one that repeats or falls is swallowed',
    marbles((m) => {
      const left = m.hot<In>('-W-V-W-X--', LEFT);
      const right = m.hot<In>('--W-V-W-X-', RIGHT);
      m.expect(left.pipe(make(right))).toBeObservable('--W-----X-', OUT);
    }),
  );

  it(
    'idle: an idle side is not waited for; both idle is idle; a return is active again',
    marbles((m) => {
      const left = m.hot<In>('--I-----X-', LEFT);
      const right = m.hot<In>('-V--W-J-----X', RIGHT);
      // X of the left alone: the right one is idle still
      m.expect(left.pipe(make(right))).toBeObservable('--V-W-J-X----', OUT);
    }),
  );

  it(
    'P010: the watermark of one side alone, the other one being idle, gives what waits for it',
    marbles((m) => {
      const left = m.hot<In>('-a---W--', LEFT);
      const right = m.hot<In>('--bI-----', { ...RIGHT, I: idle(MIN_TIMESTAMP) });
      m.expect(left.pipe(make(right))).toBeObservable(waits ? '-----(xW)' : '--x--W--', OUT);
    }),
  );

  it(
    'completion: what waits comes when both have ended, then the end of time',
    marbles((m) => {
      const left = m.hot<In>('-a-|', LEFT);
      const right = m.hot<In>('--b--|', RIGHT);
      m.expect(left.pipe(make(right))).toBeObservable(waits ? '-----(xZ|)' : '--x--(Z|)', OUT);
      m.expect(left).toHaveSubscriptions('^--!');
    }),
  );

  it(
    'W6 completion: one that has ended is not waited for',
    marbles((m) => {
      const left = m.hot<In>('-a--|', LEFT);
      const right = m.hot<In>('--b--W-', RIGHT);
      m.expect(left.pipe(make(right))).toBeObservable(waits ? '-----(xW)' : '--x--W--', OUT);
    }),
  );

  it('C5 late: each side has an output of its own, which ends with the join; late records are counted', () => {
    const seen = counters();
    const lateTo = { left: sideOutput<StreamRecord<string, string>>(), right: sideOutput<StreamRecord<string, string>>() };
    const log: unknown[] = [];
    for (const side of ['left', 'right'] as const) {
      lateTo[side].subscribe({
        next: ({ value }) => log.push(`${side} ${value}`),
        complete: () => log.push(`${side} |`),
      });
    }
    const [left, right] = [new Subject<In>(), new Subject<In>()];
    left.pipe(make(right, { lateTo, counters: seen })).subscribe();
    for (const input of [left, right]) input.next(MARKS.W);
    left.next(LEFT.a);
    right.next(RIGHT.b);
    left.complete();
    expect(log).toEqual(['left a', 'right b']);
    right.complete();
    expect(log.slice(2).sort()).toEqual(['left |', 'right |']);
    expect(seen).toMatchObject({ records: 2, late: 2 });
  });

  it('C3: each subscription has its own state', () => {
    const [left, right] = [new Subject<In>(), new Subject<In>()];
    const joined = left.pipe(make(right));
    const first = vi.fn();
    joined.subscribe(first);
    left.next(LEFT.a);
    const second = vi.fn();
    joined.subscribe(second);
    right.next(RIGHT.b);
    for (const input of [left, right]) input.next(MARKS.W);
    expect(first.mock.calls[0]).toEqual([x]);
    expect(second).not.toHaveBeenCalledWith(x);
  });

  it('T2: a record without a time is an error that names the operator', () => {
    const errors: unknown[] = [];
    from<In[]>([keyedRecord('a', MIN_TIMESTAMP, 'k')])
      .pipe(make(NEVER))
      .subscribe({ error: (error: unknown) => errors.push(error) });
    EMPTY.pipe(make(from<In[]>([keyedRecord('b', MAX_TIMESTAMP, 'k')]))).subscribe({
      error: (error: unknown) => errors.push(error),
    });
    expect(errors).toHaveLength(2);
    for (const error of errors) expect(error).toBeInstanceOf(MissingTimestampError);
  });
}

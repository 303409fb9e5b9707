import { EMPTY, NEVER, Subject } from 'rxjs';
import { coProcessWith, type EventStream, idle, keyedRecord, MAX_TIMESTAMP, type StreamElement, watermark } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { refusesNonFunctions } from '../helpers/checklist.js';
import { marbles } from '../helpers/marbles.js';
import { processRows } from '../helpers/processRows.js';

type Left = StreamElement<number, string>;
type Right = StreamElement<string, string>;

const nothing = (): void => {};

/** Puts out both sides as they come, and a timer 10 ms after each left record with all that its key has seen. */
const both = {
  create: (): { seen: string[] } => ({ seen: [] }),
  onLeft(value: number, state: { seen: string[] }, context: { timers: { eventTime(t: number): void }; timestamp: number }) {
    state.seen.push(String(value));
    context.timers.eventTime(context.timestamp + 10);
    return [`left ${value}`];
  },
  onRight(value: string, state: { seen: string[] }) {
    state.seen.push(value);
    return [`right ${value}`];
  },
  onTimer: (_timestamp: number, { seen }: { seen: string[] }) => [seen.join()],
};

const MARKS = {
  F: watermark(5),
  G: idle(5),
  T: watermark(15),
  U: idle(15),
  W: watermark(25),
  Z: watermark(MAX_TIMESTAMP),
};
const LEFT = { ...MARKS, a: keyedRecord(1, 1, 'k') };
const RIGHT = { ...MARKS, b: keyedRecord('b', 2, 'k') };
const OUT = {
  ...MARKS,
  l: keyedRecord('left 1', 1, 'k'),
  r: keyedRecord('right b', 2, 'k'),
  t: keyedRecord('1,b', 11, 'k'),
};

describe('coProcessWith', () => {
  // the other one has ended before the source begins
  processRows('coProcessWith', ({ create = () => ({ sum: 0 }), onRecord, onTimer }, config = {}) => (source) => {
    const spec = { create, onLeft: nothing, onRight: onRecord, ...(onTimer === undefined ? {} : { onTimer }) };
    const ended: EventStream<number, string> = EMPTY;
    return ended.pipe(coProcessWith(source, spec, config));
  });

  it(
    'watermark: the least of both; records of both share state and timers of their key',
    marbles((m) => {
      const left = m.hot<Left>('  -a-T-----W-|     ', LEFT);
      const right = m.hot<Right>('--b-F--T------|', RIGHT);
      m.expect(left.pipe(coProcessWith(right, both))).toBeObservable('-lr-F--(tT)---(Z|)', OUT);
      m.expect(left).toHaveSubscriptions(' ^----------!');
      m.expect(right).toHaveSubscriptions('^-------------!');
    }),
  );

  it(
    'completion: a stream that has ended is not waited for',
    marbles((m) => {
      const left = m.hot<Left>('  -a---T----|', LEFT);
      const right = m.hot<Right>('--b|', RIGHT);
      m.expect(left.pipe(coProcessWith(right, both))).toBeObservable('-lr--(tT)-(Z|)', OUT);
    }),
  );

  it(
    'idle: an idle one is not waited for, and is at once when it comes back; when both are, the greater one',
    marbles((m) => {
      const left = m.hot<Left>('  -F-G-----F----W-------', LEFT);
      const right = m.hot<Right>('-----T-----W---------U', RIGHT);
      // F in frame 9: back behind 15, so that 25 of the right one waits
      m.expect(left.pipe(coProcessWith(right, both))).toBeObservable('-----T--------W------', OUT);
    }),
  );

  it('idle: what is released when both go idle fires timers first', () => {
    const left = new Subject<Left>();
    const right = new Subject<Right>();
    const seen: unknown[] = [];
    left.pipe(coProcessWith(right, both)).subscribe((element) => seen.push(element));
    left.next(LEFT.a);
    left.next(OUT.T);
    right.next(OUT.F);
    left.next(OUT.U);
    expect(seen.splice(0)).toEqual([OUT.l, OUT.F]);
    right.next(OUT.G);
    expect(seen.splice(0)).toEqual([keyedRecord('1', 11, 'k'), OUT.T, OUT.U]);
    right.next(OUT.F); // back, and behind: holds
    left.next(OUT.W);
    expect(seen.splice(0)).toEqual([OUT.T]);
    right.next(OUT.W);
    expect(seen.splice(0)).toEqual([OUT.W]);
  });

  it('idle: an advance and a going idle in one are two: timers see the first', () => {
    const left = new Subject<Left>();
    const right = new Subject<Right>();
    const seen: unknown[] = [];
    const at = { ...both, onTimer: (_t: number, _s: unknown, context: { watermark: number }) => [`at ${context.watermark}`] };
    left.pipe(coProcessWith(right, at)).subscribe((element) => seen.push(element));
    left.next(LEFT.a);
    right.next(OUT.W);
    left.next(OUT.U);
    expect(seen).toEqual([OUT.l, keyedRecord('at 15', 11, 'k'), OUT.T, OUT.W]);
  });

  it(
    'error: of the other stream passes at once, and lets go of the source',
    marbles((m) => {
      const cause = new Error('of the right one');
      const left = m.hot<Left>('  -a-----', LEFT);
      const right = m.hot<Right>('--b-#', RIGHT, cause);
      m.expect(left.pipe(coProcessWith(right, both))).toBeObservable('-lr-#', OUT, cause);
      m.expect(left).toHaveSubscriptions('^---!');
    }),
  );

  it(
    'unsubscribe: lets go of both in that frame',
    marbles((m) => {
      const left = m.hot<Left>('  -a-----', LEFT);
      const right = m.hot<Right>('--b----', RIGHT);
      m.expect(left.pipe(coProcessWith(right, both)), '^--!').toBeObservable('-lr-', OUT);
      m.expect(left).toHaveSubscriptions(' ^--!');
      m.expect(right).toHaveSubscriptions('^--!');
    }),
  );

  it('re-entrant: what comes on the other stream while a result is handled waits its turn', () => {
    const left = new Subject<Left>();
    const right = new Subject<Right>();
    const log: unknown[] = [];
    left.pipe(coProcessWith(right, both)).subscribe((element) => {
      log.push(element);
      if (element._tag !== 'Record' || element.value !== 'left 1') return;
      right.next(RIGHT.b);
      right.next(OUT.T);
      left.next(OUT.T);
      log.push('handled');
    });
    left.next(LEFT.a);
    expect(log).toEqual([OUT.l, 'handled', OUT.r, OUT.t, OUT.T]);
  });

  refusesNonFunctions('coProcessWith', 'create', (create: never) =>
    coProcessWith(NEVER, { create, onLeft: nothing, onRight: nothing }),
  );
  refusesNonFunctions('coProcessWith', 'onLeft', (onLeft: never) =>
    coProcessWith(NEVER, { create: nothing, onLeft, onRight: nothing }),
  );
  refusesNonFunctions('coProcessWith', 'onRight', (onRight: never) =>
    coProcessWith(NEVER, { create: nothing, onLeft: nothing, onRight }),
  );

  it('arguments: refuses what is no observable, and an onTimer that is no function', () => {
    const spec = { create: nothing, onLeft: nothing, onRight: nothing };
    expect(() => coProcessWith(5 as never, spec)).toThrow(new RangeError('coProcessWith: right is 5, it must be an observable'));
    expect(() => coProcessWith(NEVER, { ...spec, onTimer: 'x' as never })).toThrow(
      new TypeError('coProcessWith: onTimer is "x", it must be a function'),
    );
  });
});

import { map, type OperatorFunction, of, Subject, take } from 'rxjs';
import {
  aggregates,
  idle,
  MAX_TIMESTAMP,
  type MergeableAggregate,
  type MergeableAggregateSpec,
  MIN_TIMESTAMP,
  record,
  type StreamElement,
  type WindowResult,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { marbles } from './marbles.js';

type In = StreamElement<string>;
type Result = WindowResult<ReadonlyArray<string>>;
type Out<R> = StreamElement<WindowResult<R>>;

/** A window operator that puts the first two records out together, when the second comes or with a watermark of 100. */
export interface PairWindow {
  readonly name: string;
  readonly operator: <R>(aggregate: MergeableAggregate<string, R>) => OperatorFunction<In, Out<R>>;
  /** What fires: the second record, or the watermark. */
  readonly firedBy: 'record' | 'watermark';
  /** The result, for records at 1 and 2. */
  readonly pair: Result;
  /** Its timestamp. */
  readonly at: number;
  /** A third record at 3 comes out at the end. */
  readonly flushes: boolean;
}

const Z = watermark(MAX_TIMESTAMP);

/** An aggregate that fails with `cause` in the given step, in `add` at the second record. */
function failing(step: 'create' | 'add' | 'result', cause: unknown): MergeableAggregateSpec<string, number, number> {
  const fail = (): never => {
    throw cause;
  };
  return {
    create: () => (step === 'create' ? fail() : 0),
    add: (n) => (step === 'add' && n === 1 ? fail() : n + 1),
    result: (n) => (step === 'result' ? fail() : n),
    merge: (n, m) => (step === 'add' ? fail() : n + m),
  };
}

/** What every window operator does whose windows are not on a grid. Values are letters. */
export function contractRows({ name, operator, firedBy, pair, at, flushes }: PairWindow): void {
  const build = operator;
  const pairs = () => build(aggregates.collect<string>());
  const a = record('a', 1);
  const b = record('b', 2);
  const W = watermark(100);
  const x = record(pair, at);

  describe(`${name}: the contract`, () => {
    it(
      'never: says nothing, and stays subscribed',
      marbles((m) => {
        const source = m.cold<In>('-');
        m.expect(source.pipe(pairs())).toBeObservable('-');
        m.expect(source).toHaveSubscriptions('^');
      }),
    );

    it(
      'empty: the final watermark, then completion, in the frame of the end',
      marbles((m) => {
        const source = m.cold<In>('--|');
        m.expect(source.pipe(pairs())).toBeObservable('--(Z|)', { Z });
        m.expect(source).toHaveSubscriptions('^ 1ms !');
      }),
    );

    it(
      'W9 error: passes at once, without partial windows and without a watermark',
      marbles((m) => {
        const source = m.cold<In>('-a-#', { a });
        m.expect(source.pipe(pairs())).toBeObservable('---#');
        m.expect(source).toHaveSubscriptions('^--!');
      }),
    );

    it(
      'unsubscribe: releases the source in that frame, with windows open',
      marbles((m) => {
        const source = m.hot<In>('-a-V-b-', { a, V: watermark(1), b });
        m.expect(source.pipe(pairs()), '^---!').toBeObservable('---V', { V: watermark(1) });
        m.expect(source).toHaveSubscriptions('^---!');
      }),
    );

    for (const step of ['create', 'add', 'result'] as const) {
      it(
        `C1 throws: an aggregate that fails in ${step} is one error, unchanged, and the source is let go`,
        marbles((m) => {
          const cause = { not: `even an Error, from ${step}` };
          const source = m.hot<In>('-a-b-W-|', { a, b, W });
          const result = firedBy === 'record' ? 3 : 5;
          const frame = { create: 1, add: 3, result }[step];
          m.expect(source.pipe(build(failing(step, cause)))).toBeObservable(`${'-'.repeat(frame)}#`, {}, cause);
          m.expect(source).toHaveSubscriptions(`^${'-'.repeat(frame - 1)}!`);
        }),
      );
    }

    it(
      'synchronous: everything in one frame keeps its order',
      marbles((m) => {
        const source = of<In[]>(a, b, W);
        m.expect(source.pipe(pairs())).toBeObservable('(xWZ|)', { x, W, Z });
      }),
    );

    it('C2 re-entrant: through two stages, what is pushed from inside a result waits for the element under way', () => {
      const source = new Subject<In>();
      const seen: string[] = [];
      source
        .pipe(
          pairs(),
          map((element): In => (element._tag === 'Watermark' ? element : record(element.value.value.join('+'), 200))),
          build(aggregates.collect<string>()),
        )
        .subscribe({
          next: (element) => {
            seen.push(element._tag === 'Watermark' ? `W${element.timestamp}` : element.value.value.join());
            if (seen.length > 1) return;
            source.next(record('c', 300));
            source.next(record('d', 301));
            source.next(watermark(500));
            source.complete();
            expect(seen).toHaveLength(1); // queued, not run inside
          },
          complete: () => seen.push('|'),
        });
      for (const element of [a, b, W]) source.next(element);
      expect(seen).toEqual(['W100', 'a+b,c+d', 'W500', 'WInfinity', '|']);
    });

    it(
      'C2 re-entrant: when downstream closes with the first result, firing stops and the source is let go',
      marbles((m) => {
        const source = m.hot<In>('-a-b-W-|', { a, b, W });
        const frame = firedBy === 'record' ? 3 : 5;
        m.expect(source.pipe(pairs(), take(1))).toBeObservable(`${'-'.repeat(frame)}(x|)`, { x });
        m.expect(source).toHaveSubscriptions(`^${'-'.repeat(frame - 1)}!`);
      }),
    );

    it(
      'C3: two subscribers share no state',
      marbles((m) => {
        const source = m.cold<In>('a-b-(W|)', { a, b, W });
        const result = source.pipe(pairs());
        const frames = firedBy === 'record' ? '--x-(WZ|)' : '----(xWZ|)';
        m.expect(result).toBeObservable(frames, { x, W, Z });
        m.expect(result, '-^').toBeObservable(`-${frames}`, { x, W, Z });
      }),
    );

    it(
      'watermark: passes behind the results that it causes',
      marbles((m) => {
        const source = m.hot<In>('-a-V-b-W', { a, V: watermark(1), b, W });
        const frames = firedBy === 'record' ? '---V-x-W' : '---V---(xW)';
        m.expect(source.pipe(pairs()), '^ 9ms !').toBeObservable(frames, { V: watermark(1), x, W });
      }),
    );

    it(
      'W1 regressing: a watermark that falls or repeats is swallowed and fires nothing',
      marbles((m) => {
        const source = m.hot<In>('-V-a-U-V-', { V: watermark(1), U: watermark(0), a });
        m.expect(source.pipe(pairs()), '^ 8ms !').toBeObservable('-V', { V: watermark(1) });
      }),
    );

    it(
      'W6 idle: a status passes, fires nothing and moves no time; a return without an advance is one element',
      marbles((m) => {
        const source = m.hot<In>('-I-I-a-A-K---', { I: idle(), a, A: watermark(MIN_TIMESTAMP), K: idle(1) });
        m.expect(source.pipe(pairs()), '^ 12ms !').toBeObservable('-I-----A-(VK)', {
          I: idle(),
          A: watermark(MIN_TIMESTAMP),
          V: watermark(1),
          K: idle(1),
        });
      }),
    );

    it(
      'W9 completion: what is left, then MAX, then the end; a source that gave MAX itself gets it once',
      marbles((m) => {
        const alone = m.hot<In>(' --a--|', { a });
        const given = m.hot<In>(' --a--Z----|', { a, Z });
        const rest: Result = { ...pair, value: ['a'] };
        const shown = { y: record(flushes ? { ...rest, window: flushed(pair) } : rest, flushes ? flushed(pair).end - 1 : at), Z };
        m.expect(alone.pipe(pairs())).toBeObservable(flushes ? '-----(yZ|)' : '-----(Z|)', shown);
        m.expect(given.pipe(pairs())).toBeObservable(flushes ? '-----(yZ) 1ms |' : '-----Z----|', shown);
      }),
    );

    it('arguments: an aggregate that is none is refused when the operator is built', () => {
      expect(() => build(7 as never)).toThrow(new RegExp(`^${name}: aggregate is 7, it must be an aggregate`));
      expect(() => build(undefined as never)).toThrow(TypeError);
    });
  });
}

/** The window of the first record alone: one ms shorter, as the record at 2 is not in it. */
function flushed({ window }: Result): Result['window'] {
  return { start: window.start, end: window.end - 1 };
}

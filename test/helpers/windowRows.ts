import { EMPTY, from, map, NEVER, Observable, of, retry, Subject, type Subscriber, take, throwError } from 'rxjs';
import {
  type Aggregate,
  type AggregateSpec,
  type AlignedConfig,
  aggregates,
  counters,
  idle,
  keyedRecord,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  MissingTimestampError,
  record,
  type StreamElement,
  type StreamRecord,
  sideOutput,
  toValues,
  type Windowed,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { keyedWindow, latePane, windowed } from './elements.js';
import { marbles } from './marbles.js';
import { ProbeScheduler } from './probeScheduler.js';

type In = StreamElement<string>;

/** A window operator with tumbling windows, however it is made. */
export type MakeTumbling = <R, K = undefined>(
  size: number,
  aggregate: Aggregate<string, R>,
  config?: AlignedConfig<string, K>,
) => Windowed<string, R, K>;

const { collect, count } = aggregates;
const Z = watermark(MAX_TIMESTAMP);

/** An aggregate that fails with `cause` in the given step at the second record. */
function failing(step: 'create' | 'add' | 'result', cause: unknown): AggregateSpec<string, number, number> {
  let creates = 0;
  return {
    create() {
      if (step === 'create' && ++creates === 2) throw cause;
      return 0;
    },
    add(n) {
      if (step === 'add' && n === 1) throw cause;
      return n + 1;
    },
    result(n) {
      if (step === 'result') throw cause;
      return n;
    },
  };
}

/**
 * What every operator with tumbling windows does, rule by rule. Windows are 10 ms wide, values are letters.
 */
export function windowRows(name: string, make: MakeTumbling): void {
  const tens = (config?: AlignedConfig<string, undefined>) => make(10, collect<string>(), config);

  describe(`${name}: the contract`, () => {
    it(
      'never: says nothing, and stays subscribed',
      marbles((m) => {
        const source = m.cold<In>('-');
        m.expect(source.pipe(tens())).toBeObservable('-');
        m.expect(source).toHaveSubscriptions('^');
      }),
    );

    it(
      'empty: the final watermark, then completion, in the frame of the end',
      marbles((m) => {
        const source = m.cold<In>('--|');
        m.expect(source.pipe(tens())).toBeObservable('--(Z|)', { Z });
        m.expect(source).toHaveSubscriptions('^ 1ms !');
      }),
    );

    it(
      'W9 error: passes at once, without partial windows and without a watermark',
      marbles((m) => {
        const source = m.cold<In>('-a-#', { a: record('a', 1) });
        m.expect(source.pipe(tens())).toBeObservable('---#');
        m.expect(source).toHaveSubscriptions('^--!');
      }),
    );

    it(
      'unsubscribe: releases the source in that frame, with windows open',
      marbles((m) => {
        const source = m.hot<In>('-a-W-b-', { a: record('a', 1), W: watermark(5), b: record('b', 6) });
        m.expect(source.pipe(tens()), '^---!').toBeObservable('---W', { W: watermark(5) });
        m.expect(source).toHaveSubscriptions('^---!');
      }),
    );

    for (const step of ['create', 'add', 'result'] as const) {
      it(
        `C1 throws: an aggregate that fails in ${step} is one error, and the source is let go`,
        marbles((m) => {
          const cause = new Error(`from ${step}`);
          const source = m.hot<In>('-a-b-c-W-d-|', {
            a: record('a', 1),
            b: record('b', 2),
            c: record('c', 11),
            W: watermark(9),
            d: record('d', 12),
          });
          const frames = { add: '---#', create: '-----#', result: '-------#' }[step];
          m.expect(source.pipe(make(10, failing(step, cause)))).toBeObservable(frames, {}, cause);
          m.expect(source).toHaveSubscriptions({ add: '^--!', create: '^----!', result: '^------!' }[step]);
        }),
      );

      it(`C1 throws: the error from ${step} is the caller's own, unchanged, and nothing follows it`, () => {
        const cause = { not: 'even an Error' };
        const seen: unknown[] = [];
        const source = new Subject<In>();
        source.pipe(make(10, failing(step, cause))).subscribe({
          next: () => seen.push('next'),
          error: (error: unknown) => seen.push(error),
          complete: () => seen.push('complete'),
        });
        for (const element of [record('a', 1), record('b', 2), record('c', 11), watermark(9), watermark(20)])
          source.next(element);
        source.complete();
        expect(seen).toHaveLength(1);
        expect(seen[0]).toBe(cause);
        expect(source.observed).toBe(false);
      });
    }

    it('C1 throws: a late output that fails is one error', () => {
      const cause = new Error('late sink');
      const errors: unknown[] = [];
      const lateTo = () => {
        throw cause;
      };
      const source = from<In[]>([watermark(9), record('late', 1), record('b', 11)]);
      source.pipe(tens({ lateTo })).subscribe({ error: (error: unknown) => errors.push(error) });
      expect(errors).toHaveLength(1);
      expect(errors[0]).toBe(cause);
    });

    it(
      'synchronous: everything in one frame keeps its order',
      marbles((m) => {
        const source = of<In[]>(record('a', 1), record('b', 11), watermark(9), record('c', 12), watermark(19));
        m.expect(source.pipe(tens())).toBeObservable('(xWyVZ|)', {
          x: record(windowed(0, 10, ['a']), 9),
          W: watermark(9),
          y: record(windowed(10, 20, ['b', 'c']), 19),
          V: watermark(19),
          Z,
        });
      }),
    );

    it('C2 re-entrant: through two stages, a record pushed from inside a result waits for the watermark under way', () => {
      const source = new Subject<In>();
      const late: string[] = [];
      const seen: string[] = [];
      const second = make(20, collect<string>());
      source
        .pipe(
          tens({ lateTo: ({ value }) => late.push(value) }),
          map((element): In => {
            if (element._tag === 'Watermark') return element;
            return record(`[${element.value.window.start}:${element.value.value}]`, element.timestamp);
          }),
          second,
        )
        .subscribe((element) => {
          seen.push(
            element._tag === 'Watermark' ? `W${element.timestamp}` : `${element.value.window.start}:${element.value.value}`,
          );
          if (seen.length === 1) {
            source.next(record('late', 12)); // behind W25: late once that is through
            source.next(record('in time', 26));
            expect(seen).toHaveLength(1); // queued, not run inside
          }
        });
      for (const element of [record('a', 1), record('b', 21), watermark(25)]) source.next(element);
      expect(seen).toEqual(['0:[0:a]', 'W25']);
      expect(late).toEqual(['late']);
      source.next(watermark(39));
      expect(seen).toEqual(['0:[0:a]', 'W25', '20:[20:b,in time]', 'W39']);
    });

    it('C2 re-entrant: completing the source from inside a result lets the watermark under way out first, in both stages', () => {
      const source = new Subject<In>();
      const seen: string[] = [];
      const passOn = map(
        (element: StreamElement<{ value: ReadonlyArray<string> }>): In =>
          element._tag === 'Watermark' ? element : record(element.value.value.join(''), element.timestamp),
      );
      source.pipe(tens(), passOn, tens(), passOn).subscribe({
        next: (element) => {
          seen.push(element._tag === 'Watermark' ? `W${element.timestamp}` : element.value);
          if (seen.length === 1) source.complete();
        },
        complete: () => seen.push('|'),
      });
      for (const element of [record('a', 1), record('b', 11), watermark(9)]) source.next(element);
      expect(seen).toEqual(['a', 'W9', 'b', 'WInfinity', '|']);
    });

    it('C2 re-entrant: what a source says after its own end is dropped, also if it ends from inside a result', () => {
      let say: Subscriber<In> | undefined;
      const broken = new Observable<In>((out) => {
        say = out;
      });
      const seen: string[] = [];
      broken.pipe(tens()).subscribe({
        next: (element) => {
          seen.push(element._tag === 'Watermark' ? `W${element.timestamp}` : element.value.value.join(''));
          if (seen.length > 1) return;
          say?.complete();
          say?.next(record('after', 11));
          say?.error(new Error('after'));
        },
        error: (error: Error) => seen.push(error.message),
        complete: () => seen.push('|'),
      });
      for (const element of [record('a', 1), watermark(9), record('b', 12)]) say?.next(element);
      expect(seen).toEqual(['a', 'W9', 'WInfinity', '|']);
    });

    it('C2 re-entrant: an error pushed from inside a result comes after the watermark under way', () => {
      const source = new Subject<In>();
      const seen: string[] = [];
      source.pipe(tens()).subscribe({
        next: (element) => {
          seen.push(element._tag === 'Watermark' ? `W${element.timestamp}` : element.value.value.join(''));
          if (seen.length === 1) source.error(new Error('boom'));
        },
        error: (error: Error) => seen.push(error.message),
      });
      for (const element of [record('a', 1), record('b', 11), watermark(25)]) source.next(element);
      expect(seen).toEqual(['a', 'b', 'W25', 'boom']);
    });

    it(
      'C2 re-entrant: when downstream closes in a burst of firings, firing stops and the source is let go',
      marbles((m) => {
        const source = m.hot<In>('abc-W-d-|', {
          a: record('a', 1),
          b: record('b', 11),
          c: record('c', 21),
          W: watermark(29),
          d: record('d', 31),
        });
        m.expect(source.pipe(tens(), take(1))).toBeObservable('----(x|)', { x: record(windowed(0, 10, ['a']), 9) });
        m.expect(source).toHaveSubscriptions('^---!');
      }),
    );

    it('C2 re-entrant: after downstream closed, no aggregate is asked for a result any more', () => {
      let results = 0;
      const counting: AggregateSpec<string, number, number> = { create: () => 0, add: (n) => n + 1, result: () => ++results };
      const source = from<In[]>([record('a', 1), record('b', 11), record('c', 21), watermark(29)]);
      source.pipe(make(10, counting), take(1)).subscribe();
      expect(results).toBe(1);
    });

    it(
      'C3: two subscribers share no state',
      marbles((m) => {
        const source = m.cold<In>('a-(W|)', { a: record('a', 1), W: watermark(9) });
        const result = source.pipe(tens());
        const values = { x: record(windowed(0, 10, ['a']), 9), W: watermark(9), Z };
        m.expect(result).toBeObservable('--(xWZ|)', values);
        m.expect(result, '-^').toBeObservable('---(xWZ|)', values);
      }),
    );

    it('C3: a retry starts afresh, its watermark included', () => {
      let runs = 0;
      const source: Observable<In> = new Observable((out) => {
        if (runs++ === 0) {
          out.next(record('a', 1));
          out.next(watermark(8));
          out.error(new Error('once'));
        } else {
          out.next(record('b', 2));
          out.next(watermark(9));
          out.complete();
        }
      });
      const seen: StreamElement<unknown>[] = [];
      source.pipe(tens(), retry(1)).subscribe((element) => seen.push(element));
      expect(seen).toStrictEqual([watermark(8), record(windowed(0, 10, ['b']), 9), watermark(9), Z]);
    });

    it('C4 arguments: refused when the operator is built, with name, value and what is allowed', () => {
      const sum = collect<string>();
      for (const size of [0, -1, NaN, 1.5, Infinity]) {
        expect(() => make(size, sum)).toThrow(RangeError);
        expect(() => make(size, sum)).toThrow(`size is ${size}, it must be a whole number of ms`);
      }
      expect(() => make(10, sum, { offset: 10 })).toThrow(/offset is 10, it must be /);
      expect(() => make(10, sum, { offset: -10 })).toThrow(RangeError);
      expect(() => make(10, sum, { offset: 0.5 })).toThrow(RangeError);
      expect(() => make(10, sum, { allowedLateness: -1 })).toThrow(/allowedLateness is -1/);
      expect(() => make(10, sum, { allowedLateness: NaN })).toThrow(RangeError);
      expect(() => make(10, sum, { panes: 'sideways' as never })).toThrow(/panes is "sideways", .*"accumulating"/);
      expect(() => make(10, sum, { clock: 'cuckoo' as never })).toThrow(/clock is "cuckoo", .*"processing"/);
      expect(() => make(10, 7 as never)).toThrow(/aggregate is 7/);
      expect(() => make(10, sum, { allowedLateness: Infinity, offset: -9 })).not.toThrow();
    });

    it('T2: a record at MIN or MAX is refused with the cause and the cure', () => {
      for (const timestamp of [MIN_TIMESTAMP, MAX_TIMESTAMP]) {
        const errors: unknown[] = [];
        of<In[]>(record('a', timestamp))
          .pipe(tens())
          .subscribe({ error: (error: unknown) => errors.push(error) });
        expect(errors).toHaveLength(1);
        expect(errors[0]).toBeInstanceOf(MissingTimestampError);
        expect(errors[0]).toMatchObject({ operator: name, timestamp, value: 'a', message: /reassignWatermarks/ });
      }
    });
  });

  describe(`${name}: watermarks and boundaries`, () => {
    it(
      'V1 boundary: nothing below end − 1, the result at it before the watermark, nothing again above it',
      marbles((m) => {
        const source = m.hot<In>('a 9ms b 9ms U 9ms V 9ms W 9ms |', {
          a: record('a', 9), // the last millisecond of [0, 10)
          b: record('b', 10), // the first of [10, 20)
          U: watermark(8),
          V: watermark(9),
          W: watermark(10),
        });
        m.expect(source.pipe(tens())).toBeObservable('20ms U 9ms (xV) 6ms W 9ms (yZ|)', {
          U: watermark(8),
          x: record(windowed(0, 10, ['a']), 9),
          V: watermark(9),
          W: watermark(10),
          y: record(windowed(10, 20, ['b']), 19),
          Z,
        });
      }),
    );

    it(
      'V1 boundary: a watermark far above fires all at once, ordered by end, each stamped with its own end − 1',
      marbles((m) => {
        const source = m.hot<In>('cab 7ms W', { c: record('c', 25), a: record('a', 3), b: record('b', 14), W: watermark(1_000) });
        m.expect(source.pipe(tens()), '^ 10ms !').toBeObservable('10ms (xyzW)', {
          x: record(windowed(0, 10, ['a']), 9),
          y: record(windowed(10, 20, ['b']), 19),
          z: record(windowed(20, 30, ['c']), 29),
          W: watermark(1_000),
        });
      }),
    );

    it(
      'V1: equal ends come in the order in which the keys appeared in that window',
      marbles((m) => {
        const source = m.cold<StreamElement<string, string>>('abcd(W|)', {
          a: keyedRecord('1', 25, 'a'),
          b: keyedRecord('2', 5, 'b'),
          c: keyedRecord('3', 15, 'a'),
          d: keyedRecord('4', 5, 'a'),
          W: watermark(29),
        });
        m.expect(source.pipe(make<number, string>(10, count()))).toBeObservable('----(bacdWZ|)', {
          b: record(keyedWindow('b', 0, 10, 1), 9),
          a: record(keyedWindow('a', 0, 10, 1), 9),
          c: record(keyedWindow('a', 10, 20, 1), 19),
          d: record(keyedWindow('a', 20, 30, 1), 29),
          W: watermark(29),
          Z,
        });
      }),
    );

    it(
      'watermark: without one nothing fires before completion',
      marbles((m) => {
        const source = m.hot<In>('a-b-c-|', { a: record('a', 1), b: record('b', 50), c: record('c', 100_000) });
        m.expect(source.pipe(tens())).toBeObservable('------(xyzZ|)', {
          x: record(windowed(0, 10, ['a']), 9),
          y: record(windowed(50, 60, ['b']), 59),
          z: record(windowed(100_000, 100_010, ['c']), 100_009),
          Z,
        });
      }),
    );

    it(
      'W1 regressing: a watermark that falls or repeats is swallowed and fires nothing',
      marbles((m) => {
        const source = m.hot<In>('a 9ms T 9ms U 9ms V 9ms W 9ms b 9ms |', {
          a: record('a', 1),
          T: watermark(10),
          U: watermark(5),
          V: watermark(10),
          W: watermark(11),
          b: record('b', 12),
        });
        m.expect(source.pipe(tens())).toBeObservable('10ms (xT) 26ms W 19ms (yZ|)', {
          x: record(windowed(0, 10, ['a']), 9),
          T: watermark(10),
          W: watermark(11),
          y: record(windowed(10, 20, ['b']), 19),
          Z,
        });
      }),
    );

    it(
      'W1 regressing: a watermark that falls does not open again what is over',
      marbles((m) => {
        const lateTo = sideOutput<StreamRecord<string>>();
        const source = m.hot<In>('W 9ms V 9ms a 9ms |', { W: watermark(10), V: watermark(5), a: record('a', 1) });
        m.expect(lateTo).toBeObservable('20ms a 9ms |', { a: record('a', 1) });
        m.expect(source.pipe(tens({ lateTo }))).toBeObservable('W 29ms (Z|)', { W: watermark(10), Z });
      }),
    );

    it(
      'W6 idle: a status passes, fires nothing and moves no time; the return with an advance fires',
      marbles((m) => {
        const source = m.hot<In>('a 9ms I 9ms J 9ms b 9ms A 9ms K 9ms W', {
          a: record('a', 1),
          I: idle(), // before any watermark
          J: idle(), // says the same again
          b: record('b', 2),
          A: watermark(MIN_TIMESTAMP), // active again, without an advance
          K: idle(5), // an advance and a going idle in one
          W: watermark(9), // a return with an advance is one element
        });
        m.expect(source.pipe(tens()), '^ 69ms !').toBeObservable('10ms I 29ms A 9ms (VK) 6ms (xW)', {
          I: idle(),
          A: watermark(MIN_TIMESTAMP),
          V: watermark(5),
          K: idle(5),
          x: record(windowed(0, 10, ['a', 'b']), 9),
          W: watermark(9),
        });
      }),
    );

    it(
      'W9 completion: windows fire, then MAX, then completion; a source that gave MAX itself gets it once',
      marbles((m) => {
        const source = m.hot<In>('ab 8ms Z 9ms |', { a: record('a', 1), b: record('b', 11), Z });
        m.expect(source.pipe(tens())).toBeObservable('10ms (xyZ) 5ms |', {
          x: record(windowed(0, 10, ['a']), 9),
          y: record(windowed(10, 20, ['b']), 19),
          Z,
        });
      }),
    );

    it(
      'T3 boundary: windows of negative time and shifted grids start at a floor',
      marbles((m) => {
        const source = m.hot<In>('abcd|', {
          a: record('a', -1),
          b: record('b', -10),
          c: record('c', -11),
          d: record('d', 0),
        });
        m.expect(source.pipe(tens())).toBeObservable('----(xyzZ|)', {
          x: record(windowed(-20, -10, ['c']), -11),
          y: record(windowed(-10, 0, ['a', 'b']), -1),
          z: record(windowed(0, 10, ['d']), 9),
          Z,
        });
        m.expect(source.pipe(tens({ offset: -3 }))).toBeObservable('----(xyZ|)', {
          x: record(windowed(-13, -3, ['b', 'c']), -4),
          y: record(windowed(-3, 7, ['a', 'd']), 6),
          Z,
        });
      }),
    );

    it(
      'T4 boundary: the start belongs to a window and the end does not',
      marbles((m) => {
        const source = m.hot<In>('abc|', { a: record('a', 10), b: record('b', 19), c: record('c', 20) });
        m.expect(source.pipe(tens())).toBeObservable('---(xyZ|)', {
          x: record(windowed(10, 20, ['a', 'b']), 19),
          y: record(windowed(20, 30, ['c']), 29),
          Z,
        });
      }),
    );

    it(
      'V4: where there are no records there are no windows',
      marbles((m) => {
        const source = m.hot<In>('ab 8ms W 9ms |', { a: record('a', 1), b: record('b', 31), W: watermark(29) });
        m.expect(source.pipe(tens())).toBeObservable('10ms (xW) 6ms (yZ|)', {
          x: record(windowed(0, 10, ['a']), 9),
          W: watermark(29),
          y: record(windowed(30, 40, ['b']), 39),
          Z,
        });
      }),
    );

    it(
      'V8: inside a collected window records are in the order of their arrival',
      marbles((m) => {
        const source = m.hot<In>('cab 7ms W', { c: record('c', 3), a: record('a', 1), b: record('b', 2), W: watermark(9) });
        m.expect(source.pipe(tens()), '^ 10ms !').toBeObservable('10ms (xW)', {
          x: record(windowed(0, 10, ['c', 'a', 'b']), 9),
          W: watermark(9),
        });
      }),
    );

    it(
      'V1: a result is on time for a second window of twice the size, which fires on the same watermark',
      marbles((m) => {
        const source = m.hot<In>('ab 8ms W 9ms X', { a: record('a', 1), b: record('b', 12), W: watermark(9), X: watermark(19) });
        const counted = source.pipe(make(10, count()), toText());
        m.expect(counted.pipe(make(20, collect<string>())), '^ 20ms !').toBeObservable('10ms W 9ms (xX)', {
          W: watermark(9),
          x: record(windowed(0, 20, ['1', '1']), 19),
          X: watermark(19),
        });
      }),
    );
  });

  describe(`${name}: lateness`, () => {
    const late = (marble: string) => (m: Parameters<Parameters<typeof marbles>[0]>[0]) =>
      m.hot<In>(marble, {
        a: record('a', 1),
        b: record('b', 2),
        c: record('c', 3),
        d: record('d', 15),
        T: watermark(8),
        U: watermark(9),
        V: watermark(13),
        W: watermark(14),
      });

    it(
      'V2 late: a record behind the watermark whose window is open is an ordinary one',
      marbles((m) => {
        const source = late('T 9ms a 9ms U')(m);
        m.expect(source.pipe(tens()), '^ 20ms !').toBeObservable('T 19ms (xU)', {
          T: watermark(8),
          x: record(windowed(0, 10, ['a']), 9),
          U: watermark(9),
        });
      }),
    );

    it(
      'V2 late: once the watermark is at end − 1 a record goes to the late output, in its frame, and is counted',
      marbles((m) => {
        const seen = counters();
        const lateTo = sideOutput<StreamRecord<string>>();
        const source = late('a 9ms U 9ms b 9ms |')(m);
        m.expect(lateTo).toBeObservable('20ms b 9ms |', { b: record('b', 2) });
        m.expect(source.pipe(tens({ lateTo, counters: seen }))).toBeObservable('10ms (xU) 16ms (Z|)', {
          x: record(windowed(0, 10, ['a']), 9),
          U: watermark(9),
          Z,
        });
        m.scheduler.schedule(() => expect(seen).toMatchObject({ records: 2, late: 1, unassigned: 0, discarded: 0 }), 40);
      }),
    );

    it(
      'V3 late: within the allowed lateness each record fires its window again at once, with everything',
      marbles((m) => {
        const source = late('a 9ms U 9ms b 9ms V 9ms c 9ms |')(m);
        m.expect(source.pipe(tens({ allowedLateness: 5 }))).toBeObservable('10ms (xU) 6ms y 9ms V 9ms z 9ms (Z|)', {
          x: record(windowed(0, 10, ['a']), 9),
          U: watermark(9),
          y: record(windowed(0, 10, ['a', 'b'], latePane(1)), 9),
          V: watermark(13),
          z: record(windowed(0, 10, ['a', 'b', 'c'], latePane(2)), 9),
          Z,
        });
      }),
    );

    it(
      'V3 late: beyond the allowed lateness, at watermark end − 1 + lateness, state is gone and records are late',
      marbles((m) => {
        const lateTo = sideOutput<StreamRecord<string>>();
        const source = late('a 9ms U 9ms W 9ms b 9ms |')(m);
        m.expect(lateTo).toBeObservable('30ms b 9ms |', { b: record('b', 2) });
        m.expect(source.pipe(tens({ allowedLateness: 5, lateTo }))).toBeObservable('10ms (xU) 6ms W 19ms (Z|)', {
          x: record(windowed(0, 10, ['a']), 9),
          U: watermark(9),
          W: watermark(14),
          Z,
        });
      }),
    );

    it(
      'V3 late: a window that a late record opens fires at once, is marked late, and does not fire again by itself',
      marbles((m) => {
        const source = late('V 9ms a 9ms b 9ms W 9ms |')(m);
        m.expect(source.pipe(tens({ allowedLateness: 5 }))).toBeObservable('V 9ms x 9ms y 9ms W 9ms (Z|)', {
          V: watermark(13),
          x: record(windowed(0, 10, ['a'], latePane(0)), 9),
          y: record(windowed(0, 10, ['a', 'b'], latePane(1)), 9),
          W: watermark(14),
          Z,
        });
      }),
    );

    it(
      'V3 late: discarding panes hold only what is new',
      marbles((m) => {
        const source = late('a 9ms U 9ms b 9ms c 9ms |')(m);
        const config = { allowedLateness: 5, panes: 'discarding' } as const;
        m.expect(source.pipe(tens(config))).toBeObservable('10ms (xU) 6ms y 9ms z 9ms (Z|)', {
          x: record(windowed(0, 10, ['a']), 9),
          U: watermark(9),
          y: record(windowed(0, 10, ['b'], latePane(1)), 9),
          z: record(windowed(0, 10, ['c'], latePane(2)), 9),
          Z,
        });
      }),
    );

    it(
      'V7 late: indices count the firings of each key by itself, and a new key in a fired window starts at 0',
      marbles((m) => {
        const source = m.hot<StreamElement<string, string>>('a 9ms U 9ms b 9ms c 9ms d', {
          a: keyedRecord('a', 1, 'k'),
          U: watermark(9),
          b: keyedRecord('b', 2, 'k'),
          c: keyedRecord('c', 3, 'new'),
          d: keyedRecord('d', 4, 'k'),
        });
        const result = source.pipe(make<number, string>(10, count(), { allowedLateness: 100 }));
        m.expect(result, '^ 40ms !').toBeObservable('10ms (xU) 6ms y 9ms z 9ms w', {
          x: record(keyedWindow('k', 0, 10, 1), 9),
          U: watermark(9),
          y: record(keyedWindow('k', 0, 10, 2, latePane(1)), 9),
          z: record(keyedWindow('new', 0, 10, 1, latePane(0)), 9),
          w: record(keyedWindow('k', 0, 10, 3, latePane(2)), 9),
        });
      }),
    );

    it(
      'T2 late: an infinite lateness keeps state until the end of time, which saturates',
      marbles((m) => {
        const source = m.hot<In>('a 9ms W 9ms b 9ms |', { a: record('a', 1), W: watermark(9_000_000), b: record('b', 2) });
        m.expect(source.pipe(tens({ allowedLateness: Infinity }))).toBeObservable('10ms (xW) 6ms y 9ms (Z|)', {
          x: record(windowed(0, 10, ['a']), 9),
          W: watermark(9_000_000),
          y: record(windowed(0, 10, ['a', 'b'], latePane(1)), 9),
          Z,
        });
      }),
    );

    it(
      'W1 late: a late firing is behind the watermark, which it does not move',
      marbles((m) => {
        const lateTo = sideOutput<StreamRecord<string>>();
        const source = late('a 9ms U 9ms b 9ms |')(m);
        const second = source.pipe(make(10, count(), { allowedLateness: 5 }), toText(), tens({ lateTo }));
        m.expect(lateTo).toBeObservable('20ms b 9ms |', { b: record('2', 9) });
        m.expect(second).toBeObservable('10ms (xU) 16ms (Z|)', { x: record(windowed(0, 10, ['1']), 9), U: watermark(9), Z });
      }),
    );

    it('C5 late: every record is in a result or late, and the late output gets errors and completion as they come', () => {
      const notes: string[] = [];
      const lateTo = {
        next: ({ value }: StreamRecord<string>) => notes.push(value),
        error: (cause: unknown) => notes.push(`#${cause}`),
        complete: () => notes.push('|'),
      };
      from<In[]>([watermark(9), record('a', 1), record('b', 11)])
        .pipe(tens({ lateTo }))
        .subscribe();
      expect(notes).toEqual(['a', '|']);
      notes.length = 0;
      throwError(() => 'boom')
        .pipe(tens({ lateTo }))
        .subscribe({ error: () => notes.push('main') });
      expect(notes).toEqual(['#boom', 'main']);
    });

    it('C5 late: without a late output a record is counted all the same; the count adds up over subscriptions', () => {
      const seen = counters();
      const result = from<In[]>([watermark(19), record('a', 1), record('b', 2)]).pipe(tens({ counters: seen }));
      result.subscribe();
      result.subscribe();
      expect(seen).toMatchObject({ records: 4, late: 4, invalid: 0, held: 0, unassigned: 0, discarded: 0 });
      seen.reset();
      expect(seen).toMatchObject({ records: 0, late: 0 });
    });
  });

  describe(`${name}: by the clock`, () => {
    const byClock = { clock: 'processing' } as const;
    const values = { a: record('a', MIN_TIMESTAMP), b: record('b', MIN_TIMESTAMP), c: record('c', 7) };

    it(
      'T6 boundary: [0, 10) takes what arrives in frame 9 and fires in frame 10; frame 10 is the next window',
      marbles((m) => {
        const source = m.hot<In>('a 8ms b c 20ms |', values);
        m.expect(source.pipe(tens(byClock))).toBeObservable('10ms x 9ms y 10ms (Z|)', {
          x: record(windowed(0, 10, ['a', 'b']), 9),
          y: record(windowed(10, 20, ['c']), 19),
          Z,
        });
      }),
    );

    it(
      'W9 completion: what is open fires when the stream completes, marked on time',
      marbles((m) => {
        const source = m.hot<In>('a--b-|', values);
        m.expect(source.pipe(tens(byClock))).toBeObservable('-----(xZ|)', { x: record(windowed(0, 10, ['a', 'b']), 9), Z });
      }),
    );

    it(
      'V2 late: nothing is late, whatever the watermark; watermarks pass and fire nothing',
      marbles((m) => {
        const lateTo = sideOutput<StreamRecord<string>>();
        const source = m.hot<In>('W-c--|', { ...values, W: watermark(1_000) });
        m.expect(lateTo).toBeObservable('-----|');
        m.expect(source.pipe(tens({ ...byClock, lateTo }))).toBeObservable('W----(xZ|)', {
          W: watermark(1_000),
          x: record(windowed(0, 10, ['c']), 9),
          Z,
        });
      }),
    );

    it(
      'timers: an aggregate that fails in a timer is one error in that frame, and the source is let go',
      marbles((m) => {
        const cause = new Error('in the timer');
        const source = m.hot<In>('a 20ms b', values);
        m.expect(source.pipe(make(10, failing('result', cause), byClock))).toBeObservable('10ms #', {}, cause);
        m.expect(source).toHaveSubscriptions('^ 9ms !');
      }),
    );

    it('timers: one wake-up at a time, and none left after completion, error, an error in a timer, unsubscription', () => {
      for (const end of ['complete', 'error', 'unsubscribe', 'error in a timer', 'take'] as const) {
        const scheduler = new ProbeScheduler();
        const source = new Subject<In>();
        const aggregate = end === 'error in a timer' ? failing('result', new Error('boom')) : count();
        const result = source.pipe(make(10, aggregate, { ...byClock, scheduler }), end === 'take' ? take(1) : map((e) => e));
        const subscription = result.subscribe({ error: () => {} });
        expect(scheduler.pending).toBe(0); // no record, no timer
        source.next(record('a', 1));
        source.next(record('b', 1));
        expect(scheduler.pending).toBe(1);
        if (end === 'complete') source.complete();
        else if (end === 'error') source.error(new Error('boom'));
        else if (end === 'unsubscribe') subscription.unsubscribe();
        else scheduler.advanceTo(10);
        expect([end, scheduler.pending, source.observed]).toEqual([end, 0, false]);
      }
    });

    it('timers: event time asks for none at all', () => {
      const scheduler = new ProbeScheduler();
      const source = new Subject<In>();
      source.pipe(tens({ scheduler, allowedLateness: 100 })).subscribe();
      for (const element of [record('a', 1), watermark(9), record('b', 2), idle(9), watermark(500)]) source.next(element);
      expect(scheduler.delays).toEqual([]);
    });

    it('T5 timers: a clock that is set back neither loses nor repeats a window', () => {
      const scheduler = new ProbeScheduler(1_000);
      const seen: unknown[] = [];
      const source = new Subject<In>();
      source.pipe(tens({ ...byClock, scheduler }), toValues()).subscribe(({ window, value }) => seen.push([window.start, value]));
      source.next(record('a', 1));
      scheduler.setTime(900);
      source.next(record('b', 1)); // still 1000 for the operator
      scheduler.advanceTo(1_010);
      source.next(record('c', 1));
      scheduler.advanceTo(1_100);
      expect(seen).toEqual([
        [1_000, ['a', 'b']],
        [1_010, ['c']],
      ]);
      expect(scheduler.pending).toBe(0);
    });

    it('C7: the same input in the same frames gives the same output', () => {
      const run = () => {
        const scheduler = new ProbeScheduler();
        const seen: unknown[] = [];
        const source = new Subject<In>();
        source.pipe(tens({ ...byClock, scheduler })).subscribe((element) => seen.push([scheduler.now(), element]));
        for (const at of [0, 3, 9, 10, 11, 35]) {
          scheduler.advanceTo(at);
          source.next(record(`r${at}`, at));
        }
        source.complete();
        return seen;
      };
      const first = run();
      expect(first.map((entry) => (entry as [number])[0])).toEqual([10, 20, 35, 35]);
      for (let i = 0; i < 10; i++) expect(run()).toStrictEqual(first);
    });

    it('empty: a source that never speaks or ends at once leaves no timer', () => {
      const scheduler = new ProbeScheduler();
      const never = NEVER.pipe(tens({ ...byClock, scheduler })).subscribe();
      EMPTY.pipe(tens({ ...byClock, scheduler })).subscribe();
      never.unsubscribe();
      expect(scheduler.delays).toEqual([]);
    });
  });
}

/** Results as text, so that they can go through a second window. */
function toText(): (source: Observable<StreamElement<{ readonly value: unknown }>>) => Observable<In> {
  return map((element): In => (element._tag === 'Watermark' ? element : record(String(element.value.value), element.timestamp)));
}

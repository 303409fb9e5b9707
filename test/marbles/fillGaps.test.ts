import fc from 'fast-check';
import { from, Subject, take, toArray } from 'rxjs';
import {
  aggregates,
  cumulativeWindow,
  fillGaps,
  idle,
  keyedRecord,
  MAX_TIMESTAMP,
  OffGridError,
  record,
  type StreamElement,
  sessionWindow,
  slidingWindow,
  type TimeWindow,
  triggers,
  tumblingWindow,
  type WindowResult,
  watermark,
  windowBy,
} from 'tidemark';
import { calendar } from 'tidemark/calendar';
import { describe, expect, it } from 'vitest';
import { keyedWindow, latePane } from '../helpers/elements.js';
import { marbles } from '../helpers/marbles.js';

type In = StreamElement<WindowResult<number, string>>;

const result = (key: string, start: number, value: number) => record(keyedWindow(key, start, start + 10, value), start + 9);

// results in lower case, by start; F is what fills
const V = {
  a: result('a', 0, 1),
  b: result('b', 0, 2),
  c: result('a', 30, 3),
  d: result('b', 10, 4),
  V: watermark(9),
  W: watermark(19),
  X: watermark(29),
  Y: watermark(39),
  I: idle(19),
  J: watermark(19),
  Z: watermark(MAX_TIMESTAMP),
  f: result('a', 10, 0),
  g: result('a', 20, 0),
  h: result('b', 20, 0),
  i: result('b', 30, 0),
  j: result('b', 10, 0),
};
const zero = () => fillGaps<number, string, number>(() => 0);

/** What comes out, a word an element: key, start, value, and `late`. */
function words(elements: ReadonlyArray<StreamElement<WindowResult<unknown, unknown>>>): string[] {
  return elements.map((element) => {
    if (element._tag === 'Watermark') return `W${element.timestamp}`;
    const { key, window, value, pane } = element.value;
    const name = key === undefined ? '' : String(key);
    return `${name}${window.start}:${String(value)}${pane.timing === 'onTime' ? '' : ` ${pane.timing}`}`;
  });
}

function through(elements: ReadonlyArray<In>, operator = zero()): string[] {
  let seen: string[] = [];
  from(elements)
    .pipe(operator, toArray())
    .subscribe((all) => {
      seen = words(all);
    });
  return seen;
}

describe('fillGaps', () => {
  it(
    'boundary: the watermark that closes a window fills it, in the order of ends, then of keys',
    marbles((m) => {
      const letters = { ...V, X: watermark(28), Y: watermark(29) };
      const source = m.hot<In>('            -a-b-V 9ms W     9ms X 9ms Y     9ms |', letters);
      m.expect(source.pipe(zero())).toBeObservable('-a-b-V 9ms (fjW) 5ms X 9ms (ghY) 5ms (Z|)', letters);
      m.expect(source).toHaveSubscriptions('^----- 9ms -     9ms - 9ms -     9ms !');
    }),
  );

  it(
    'boundary: a result on time closes what ends before it',
    marbles((m) => {
      const source = m.cold<In>('               a-b-V 9ms d 9ms c 9ms Y    9ms |', V);
      m.expect(source.pipe(zero())).toBeObservable('a-b-V 9ms d 9ms (fghc) 4ms (iY) 6ms (Z|)', V);
    }),
  );

  it(
    'never: says nothing and stays subscribed',
    marbles((m) => {
      const source = m.cold<In>('-');
      m.expect(source.pipe(zero())).toBeObservable('-');
      m.expect(source).toHaveSubscriptions('^');
    }),
  );

  it(
    'empty: the final watermark, and the end',
    marbles((m) => {
      m.expect(m.cold<In>('--|').pipe(zero())).toBeObservable('--(Z|)', V);
    }),
  );

  it(
    'error: passes at once, nothing is filled',
    marbles((m) => {
      const cause = new Error('of the source');
      const source = m.hot<In>('-a-b-V-#', V, cause);
      m.expect(source.pipe(zero())).toBeObservable('-a-b-V-#', V, cause);
      m.expect(source).toHaveSubscriptions('^------!');
    }),
  );

  it(
    'unsubscribe: lets go of the source in that frame',
    marbles((m) => {
      const source = m.hot<In>('                    -a-V-b-', V);
      m.expect(source.pipe(zero()), '    ^---!').toBeObservable('-a-V-', V);
      m.expect(source).toHaveSubscriptions('          ^---!');
    }),
  );

  it('unsubscribe: filling stops when downstream has enough', () => {
    let calls = 0;
    const seen: unknown[] = [];
    from([V.a, V.b, watermark(1e9)])
      .pipe(
        fillGaps(() => ++calls),
        take(4),
      )
      .subscribe((element) => seen.push(element));
    expect(seen).toHaveLength(4);
    expect(calls).toBe(2);
  });

  it('throws: what the user function throws is the error, unchanged, and the source is let go', () => {
    const cause = { not: 'an Error' };
    const fail = (): never => {
      throw cause;
    };
    for (const operator of [fillGaps<number, string, 0>(fail), fillGaps<number, string, 0>(() => 0, { step: fail })]) {
      const source = new Subject<In>();
      const seen: unknown[] = [];
      source.pipe(operator).subscribe({ next: (o) => seen.push(o), error: (e) => seen.push(e) });
      for (const element of [V.a, V.W, V.X]) source.next(element);
      expect(seen).toStrictEqual([V.a, cause]);
      expect(source.observed).toBe(false);
    }
  });

  it('synchronous: all in order', () => {
    expect(through([V.a, V.b, V.V, V.W, V.c, V.Y])).toEqual([
      'a0:1',
      'b0:2',
      'W9',
      'a10:0',
      'b10:0',
      'W19',
      'a20:0',
      'b20:0',
      'a30:3',
      'b30:0',
      'W39',
      'WInfinity',
    ]);
  });

  it('re-entrant: through two stages, what is pushed while an element is handled comes after it', () => {
    const source = new Subject<In>();
    const log: string[] = [];
    let pushed = false;
    source.pipe(zero(), zero()).subscribe({
      next: (element) => {
        log.push(...words([element]));
        if (pushed) return;
        pushed = true;
        source.next(V.W);
        source.complete();
        log.push('handled');
      },
      complete: () => log.push('complete'),
    });
    source.next(V.a);
    expect(log).toEqual(['a0:1', 'handled', 'a10:0', 'W19', 'WInfinity', 'complete']);
  });

  it('watermark: passes, a duplicate is swallowed', () => {
    expect(through([V.V, V.V, V.W])).toEqual(['W9', 'W19', 'WInfinity']);
  });

  it('regressing: a falling watermark is swallowed and fills nothing', () => {
    expect(through([V.a, V.W, V.V, V.W])).toEqual(['a0:1', 'a10:0', 'W19', 'WInfinity']);
  });

  it(
    'idle: a status alone fills nothing, and passes',
    marbles((m) => {
      const source = m.cold<In>('                   a-V 9ms W    9ms I-J-|', V);
      m.expect(source.pipe(zero())).toBeObservable('a-V 9ms (fW) 6ms I-J-(Z|)', V);
    }),
  );

  it('completion: all keys are filled up to the last window of any, whether MAX came or not', () => {
    const expected = ['a0:1', 'b0:2', 'a10:0', 'b10:0', 'a20:0', 'b20:0', 'a30:3', 'b30:0', 'WInfinity'];
    expect(through([V.a, V.b, V.c])).toEqual(expected);
    expect(through([V.a, V.b, V.c, V.Z, V.Z])).toEqual(expected);
  });

  it('late: a late result for a window that was filled passes', () => {
    const late = record(keyedWindow('a', 10, 20, 5, latePane(0)), 19);
    expect(through([V.a, V.W, late, V.X])).toEqual(['a0:1', 'a10:0', 'W19', 'a10:5 late', 'a20:0', 'W29', 'WInfinity']);
  });

  it('late: a key that begins with a late result has what it lacks filled at once', () => {
    const late = record(keyedWindow('a', 0, 10, 5, latePane(0)), 9);
    expect(through([V.X, late, V.Y])).toEqual(['W29', 'a0:5 late', 'a10:0 late', 'a20:0 late', 'a30:0', 'W39', 'WInfinity']);
  });

  it('timers: a key without results is forgotten after `limit` windows, and begins anew with its next one', () => {
    const operator = fillGaps<number, string, number>(() => 0, { limit: 2 });
    expect(through([V.a, V.V, watermark(999), result('a', 1_000, 7), watermark(1_029)], operator)).toEqual([
      'a0:1',
      'W9',
      'a10:0',
      'a20:0',
      'W999',
      'a1000:7',
      'a1010:0',
      'a1020:0',
      'W1029',
      'WInfinity',
    ]);
  });

  it('early panes are results: their window is not filled, and the one before is', () => {
    const source = [keyedRecord(1, 5, 'a'), keyedRecord(1, 25, 'a'), keyedRecord(2, 12, 'b'), watermark(9), watermark(39)];
    let seen: string[] = [];
    from(source)
      .pipe(
        tumblingWindow(10, aggregates.count(), { trigger: triggers.afterWatermark({ early: triggers.afterCount(1) }) }),
        fillGaps((_key, _window, last) => `-${last}`),
        toArray(),
      )
      .subscribe((all) => {
        seen = words(all);
      });
    const starts = seen.filter((word) => word.includes(':-'));
    expect(starts).toEqual(['a10:-1', 'b20:-1', 'b30:-1', 'a30:-1']);
  });

  it('an early pane of a later window first: what lies between is filled', () => {
    const early = (start: number) =>
      record(keyedWindow('a', start, start + 10, 1, { ...latePane(0), onTimeIndex: -1, timing: 'early' as const }), start + 9);
    expect(through([early(30), V.a, V.Y])).toEqual(['a30:1 early', 'a0:1', 'a10:0', 'a20:0', 'W39', 'WInfinity']);
  });

  it('the last result once more: RisingWave fills with the last observation', () => {
    const operator = fillGaps<number, string, number>((_key, _window, last) => last);
    const late = record(keyedWindow('a', 0, 10, 9, latePane(1)), 9);
    expect(through([V.a, V.b, V.V, late, V.X, V.c], operator)).toEqual([
      'a0:1',
      'b0:2',
      'W9',
      'a0:9 late',
      'a10:9',
      'b10:2',
      'a20:9',
      'b20:2',
      'W29',
      'a30:3',
      'b30:2',
      'WInfinity',
    ]);
  });

  it('a withdrawal is no result', () => {
    const withdrawn = record(keyedWindow('a', 0, 10, 1, { ...latePane(0), retraction: true }), 9);
    const again = record(keyedWindow('a', 0, 10, 6, latePane(1)), 9);
    const operator = fillGaps<number, string, number>((_key, _window, last) => last);
    expect(through([V.a, V.V, withdrawn, again, V.W], operator)).toEqual([
      'a0:1',
      'W9',
      'a0:1 late',
      'a0:6 late',
      'a10:6',
      'W19',
      'WInfinity',
    ]);
  });

  const starts = (
    operator: (source: ReturnType<typeof from<StreamElement<number, string>[]>>) => ReturnType<typeof from<In[]>>,
  ) => {
    let seen: ReadonlyArray<StreamElement<WindowResult<unknown, unknown>>> = [];
    operator(from([keyedRecord(1, 7, 'a'), keyedRecord(1, 47, 'a')]))
      .pipe(toArray())
      .subscribe((all) => {
        seen = all;
      });
    return words(seen);
  };

  it('sliding windows: with their slide as step', () => {
    expect(
      starts((s) =>
        s.pipe(
          slidingWindow(10, 5, aggregates.count()),
          fillGaps(() => 0, { step: 5 }),
        ),
      ),
    ).toEqual(['a0:1', 'a5:1', 'a10:0', 'a15:0', 'a20:0', 'a25:0', 'a30:0', 'a35:0', 'a40:1', 'a45:1', 'WInfinity']);
  });

  it('windows of a calendar: with their `next`', () => {
    const daily = calendar('day', { timeZone: 'Europe/Berlin' });
    const day = (text: string) => keyedRecord(1, Date.parse(`2024-${text}T12:00+01:00`), 'a');
    const lengths: unknown[] = [];
    from([day('03-29'), day('04-02')])
      .pipe(
        windowBy(daily, aggregates.count()),
        fillGaps(() => 0, { step: (window) => daily.next(window) }),
      )
      .subscribe((element) => {
        if (element._tag === 'Record')
          lengths.push([(element.value.window.end - element.value.window.start) / 3_600_000, element.value.value]);
      });
    expect(lengths).toEqual([
      [24, 1],
      [24, 0],
      [23, 0],
      [24, 0],
      [24, 1],
    ]);
  });

  it('windows that are on no grid are an error that says so', () => {
    const errorOf = (
      operator: (source: ReturnType<typeof from<StreamElement<number, string>[]>>) => ReturnType<typeof from<In[]>>,
    ) => {
      let found: unknown;
      operator(from([keyedRecord(1, 2, 'a'), keyedRecord(1, 9, 'a'), keyedRecord(1, 47, 'a')])).subscribe({
        error: (error) => {
          found = error;
        },
      });
      return found;
    };
    const ofSessions = errorOf((s) =>
      s.pipe(
        sessionWindow(10, aggregates.count()),
        fillGaps(() => 0),
      ),
    );
    expect(ofSessions).toBeInstanceOf(OffGridError);
    expect(ofSessions).toMatchObject({ _tag: 'OffGrid', end: 57, expected: { start: 53, end: 70 } });
    expect(
      errorOf((s) =>
        s.pipe(
          cumulativeWindow(5, 10, aggregates.count()),
          fillGaps(() => 0),
        ),
      ),
    ).toBeInstanceOf(OffGridError);
    const still = fillGaps<number, string, number>(() => 0, { step: (window: TimeWindow) => window });
    expect(errorOf((s) => s.pipe(tumblingWindow(10, aggregates.count()), still))).toMatchObject({ _tag: 'OffGrid' });
  });

  it('windows without end pass', () => {
    const global = record({ ...V.a.value, window: { start: -Infinity, end: MAX_TIMESTAMP } }, MAX_TIMESTAMP);
    expect(through([global, V.W])).toEqual(['a-Infinity:1', 'W19', 'WInfinity']);
  });

  it('whatever comes: each key has each window once, from its first one to the watermark, in the order of ends', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(120), fc.constantFrom('a', 'b', 'c')), { maxLength: 12 }),
        fc.array(fc.nat(150), { maxLength: 4 }),
        (records, marks) => {
          const elements: StreamElement<number, string>[] = records
            .sort(([a], [b]) => a - b)
            .flatMap(([at, key], i) => [
              keyedRecord(1, at, key),
              ...(marks[i] === undefined ? [] : [watermark(Math.min(marks[i], at - 1))]),
            ]);
          let seen: ReadonlyArray<StreamElement<WindowResult<number, string>>> = [];
          from(elements)
            .pipe(
              tumblingWindow(10, aggregates.count()),
              fillGaps(() => 0),
              toArray(),
            )
            .subscribe((all) => {
              seen = all;
            });
          const results = seen.flatMap((element) => (element._tag === 'Record' ? [element.value] : []));
          const ends = results.map(({ window }) => window.end);
          expect(ends).toEqual(ends.slice().sort((a, b) => a - b));
          const last = Math.max(...records.map(([at]) => Math.floor(at / 10)));
          for (const name of new Set(records.map(([, key]) => key))) {
            const own = records.filter(([, key]) => key === name).map(([at]) => Math.floor(at / 10));
            const first = Math.min(...own);
            expect(results.filter(({ key }) => key === name).map(({ window, value }) => [window.start / 10, value])).toEqual(
              Array.from({ length: last - first + 1 }, (_, i) => [first + i, own.filter((w) => w === first + i).length]),
            );
          }
        },
      ),
    ));

  it('arguments: refused when it is built', () => {
    expect(() => fillGaps(5 as never)).toThrow(new RangeError('fillGaps: empty is 5, it must be a function'));
    expect(() => fillGaps(() => 0, { step: 0 })).toThrow(
      new RangeError('fillGaps: step is 0, it must be a whole number of ms ≥ 1'),
    );
    expect(() => fillGaps(() => 0, { limit: 0 })).toThrow(
      new RangeError('fillGaps: limit is 0, it must be a whole number ≥ 1 or Infinity'),
    );
  });
});

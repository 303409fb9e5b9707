import { from, toArray } from 'rxjs';
import {
  aggregates,
  counters,
  countWindow,
  keyedRecord,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  record,
  type StreamElement,
  toValues,
  type WindowResult,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { contractRows } from '../helpers/contractRows.js';
import { marbles } from '../helpers/marbles.js';
import { play } from '../helpers/play.js';

const { collect } = aggregates;
const Z = watermark(MAX_TIMESTAMP);
type In = StreamElement<string>;

function all<R>(value: R, index = 0): WindowResult<R> {
  const pane = { index, onTimeIndex: -1, timing: 'early', last: false, retraction: false } as const;
  return { key: undefined, window: { start: MIN_TIMESTAMP, end: MAX_TIMESTAMP }, value, pane };
}

contractRows({
  name: 'countWindow',
  operator: (aggregate) => countWindow(2, aggregate),
  firedBy: 'record',
  pair: all(['a', 'b']),
  at: MAX_TIMESTAMP,
  flushes: false,
});

const letters = [...'abcdefg'].map((letter, i) => record(letter, i));

describe('countWindow', () => {
  it(
    'boundary: every second record fires, whatever the times; stamped MAX',
    marbles((m) => {
      const source = m.hot<In>('abcd|', {
        a: record('a', 9),
        b: record('b', MIN_TIMESTAMP),
        c: record('c', -5),
        d: record('d', MAX_TIMESTAMP),
      });
      m.expect(source.pipe(countWindow(2, collect()))).toBeObservable('-x-y(Z|)', {
        x: record(all(['a', 'b']), MAX_TIMESTAMP),
        y: record(all(['c', 'd'], 1), MAX_TIMESTAMP),
        Z,
      });
    }),
  );

  it('boundary: with a slide every so often the last ones, the first firings short; gaps where the slide is greater', () => {
    const values = (size: number, slide: number): string[] => {
      const out: string[] = [];
      from(letters)
        .pipe(countWindow(size, collect(), { slide }), toValues())
        .subscribe(({ value }) => out.push(value.join('')));
      return out;
    };
    expect(values(4, 2)).toEqual(['ab', 'abcd', 'cdef']);
    expect(values(3, 1)).toEqual(['a', 'ab', 'abc', 'bcd', 'cde', 'def', 'efg']);
    expect(values(3, 2)).toEqual(['ab', 'bcd', 'def']);
    expect(values(2, 3)).toEqual(['bc', 'ef']);
    expect(values(3, 3)).toEqual(['abc', 'def']);
  });

  it('boundary: each key counts for itself', () => {
    const elements = [keyedRecord('a', 1, 'k'), keyedRecord('b', 1, 'l'), keyedRecord('c', 1, 'k')];
    expect(play<string, string>(() => countWindow(2, collect()), elements)).toEqual([[], [], ['k: a,c early 0']]);
  });

  it('late: nothing ever is, before or after any watermark', () => {
    const seen = counters();
    const steps = [watermark(1_000), record('a', 1), Z, record('b', 2), '|'] as const;
    expect(play<string>(() => countWindow(2, collect(), { counters: seen }), steps)).toEqual([
      ['W(1000)'],
      [],
      ['W(MAX)'],
      ['a,b early 0'],
      ['|'],
    ]);
    expect(seen).toMatchObject({ records: 2, late: 0, discarded: 0 });
  });

  for (const slide of [undefined, 2, 3]) {
    const sliding = slide === undefined ? {} : { slide };
    it(`completion: leftovers of a slide of ${slide} are dropped and counted, or put out with partial: 'emit'`, () => {
      const run = (partial: 'drop' | 'emit') => {
        const seen = counters();
        const out: string[] = [];
        from(letters)
          .pipe(countWindow(3, collect(), { partial, counters: seen, ...sliding }), toValues())
          .subscribe(({ value }) => out.push(value.join('')));
        return { out, records: seen.records, discarded: seen.discarded };
      };
      const full = slide === 2 ? ['ab', 'bcd', 'def'] : ['abc', 'def'];
      const rest = { undefined: 'g', 2: 'efg', 3: 'efg' }[String(slide)];
      expect(run('drop')).toEqual({ out: full, records: 7, discarded: 1 });
      expect(run('emit')).toEqual({ out: [...full, rest], records: 7, discarded: 0 });
    });
  }

  it('completion: what a slide above the size leaves out is counted, once', () => {
    const seen = counters();
    from(letters)
      .pipe(countWindow(2, collect(), { slide: 3, counters: seen }))
      .subscribe();
    expect(seen.discarded).toBe(3); // a, d: in no window; g: left over
  });

  it('completion: a last, short window comes before MAX, key by key in the order of their appearance', () => {
    const elements = [
      keyedRecord('a', 1, 'k'),
      keyedRecord('b', 1, 'l'),
      keyedRecord('c', 1, 'm'),
      keyedRecord('d', 1, 'l'),
      '|',
    ];
    const words = play<string, string>(
      () => countWindow(2, collect(), { partial: 'emit' }),
      elements as ReadonlyArray<StreamElement<string, string> | '|'>,
    );
    expect(words.at(-1)).toEqual(['k: a early 0', 'm: c early 0', 'W(MAX)', '|']);
  });

  it('completion: nothing left is nothing emitted', () => {
    const out: unknown[] = [];
    from(letters.slice(0, 4))
      .pipe(countWindow(2, collect(), { partial: 'emit' }), toValues(), toArray())
      .subscribe((results) => out.push(results.length));
    expect(out).toEqual([2]);
  });

  it('timers: it asks for none', () => {
    expect(play<string>(() => countWindow(2, collect()), [record('a', 1), 1_000, record('b', 1)])).toEqual([
      [],
      [],
      ['a,b early 0'],
    ]);
  });

  it('C4 arguments: size, slide and partial, when the operator is built', () => {
    for (const n of [0, -1, NaN, 1.5, Infinity]) {
      expect(() => countWindow(n, collect())).toThrow(RangeError);
      expect(() => countWindow(n, collect())).toThrow(`size is ${n}, it must be a whole number ≥ 1`);
      expect(() => countWindow(n, collect(), { slide: 2 })).toThrow(`size is ${n}, it must be a whole number ≥ 1`);
      expect(() => countWindow(2, collect(), { slide: n })).toThrow(`slide is ${n}, it must be a whole number ≥ 1`);
    }
    expect(() => countWindow(2, collect(), { partial: 'keep' as never })).toThrow(/partial is "keep", .*"emit"/);
  });
});

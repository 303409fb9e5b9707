import { asyncScheduler, EMPTY, map, Observable, Subject, take, throwError } from 'rxjs';
import {
  aggregates,
  assigners,
  keyedRecord,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  type Pane,
  processWindowBy,
  record,
  type StreamElement,
  sideOutput,
  type TimeWindow,
  toValues,
  triggers,
  type WindowContext,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { keyedWindow, latePane, ON_TIME, windowed } from '../helpers/elements.js';
import { marbles } from '../helpers/marbles.js';
import { windowRows } from '../helpers/windowRows.js';

type In = StreamElement<string>;
const { collect, count } = aggregates;
const Z = watermark(MAX_TIMESTAMP);
const tens = assigners.tumbling(10);

windowRows('processWindowBy', (size, aggregate, { offset = 0, clock = 'event', ...config } = {}) =>
  processWindowBy(assigners.tumbling(size, { offset, clock }), aggregate, { onPane: (value) => [value] }, config),
);

/** What a function of these tests knows of a firing. */
interface Seen {
  readonly at: readonly [watermark: number, now: number];
  readonly pane: Pane;
  readonly fires: readonly [ofTheWindow: number, ofTheKey: number];
}
const counter = () => ({ n: 0 });

describe('processWindowBy: what the function sees', () => {
  it(
    'key, window, pane, clock and the new watermark; a state a window and a key, and one a key',
    marbles((m) => {
      const cleared: unknown[] = [];
      const source = m.hot<StreamElement<string, string>>('ab 7ms U 4ms c-V-d-W', {
        a: keyedRecord('a', 1, 'k'),
        b: keyedRecord('b', 2, 'l'),
        c: keyedRecord('c', 3, 'k'),
        d: keyedRecord('d', 11, 'k'),
        U: watermark(9),
        V: watermark(14),
        W: watermark(100),
      });
      const result = source.pipe(
        processWindowBy(
          tens,
          count(),
          {
            windowState: counter,
            keyState: counter,
            onPane: (_n, context, windowState, keyState): Seen[] => [
              {
                at: [context.watermark, context.now()],
                pane: context.pane,
                fires: [++windowState.n, ++keyState.n],
              },
            ],
            onClear({ key, window, pane, watermark, now }, windowState, keyState) {
              expect(now).toBeTypeOf('function');
              cleared.push([key, window.start, pane.index, watermark, windowState.n, keyState.n]);
            },
          },
          { allowedLateness: 5 },
        ),
      );
      const seen = (key: string, start: number, pane: Pane, at: readonly [number, number], fires: readonly [number, number]) =>
        record(keyedWindow(key, start, start + 10, { at, pane, fires }, pane), start + 9);
      m.expect(result, '^ 30ms !').toBeObservable('9ms (stU)u-V---(wW)', {
        s: seen('k', 0, ON_TIME, [9, 9], [1, 1]),
        t: seen('l', 0, ON_TIME, [9, 9], [1, 1]),
        U: watermark(9),
        u: seen('k', 0, latePane(1), [9, 14], [2, 2]),
        V: watermark(14),
        w: seen('k', 10, ON_TIME, [100, 20], [1, 3]),
        W: watermark(100),
      });
      m.flush();
      expect(cleared).toStrictEqual([
        ['k', 0, 1, 14, 2, 2],
        ['l', 0, 0, 14, 1, 1],
        ['k', 10, 0, 100, 1, 3],
      ]);
    }),
  );

  it('a window that has never fired is cleared too: its pane has the index −1', () => {
    const source = new Subject<In>();
    const cleared: unknown[] = [];
    const process = {
      onPane: () => [0],
      onClear: ({ pane }: WindowContext<undefined, TimeWindow>) => cleared.push(pane),
    };
    source.pipe(processWindowBy(tens, count(), process, { trigger: triggers.afterCount(5) })).subscribe();
    source.next(record('a', 1));
    source.next(watermark(9));
    expect(cleared).toStrictEqual([{ index: -1, onTimeIndex: -1, timing: 'early', last: false, retraction: false }]);
  });

  it('in a window of processing time the watermark is that of the stream, MIN if it has none; the completion clears, with MAX', () => {
    const source = new Subject<In>();
    const seen: unknown[] = [];
    const byClock = assigners.tumbling(1_000, { clock: 'processing' });
    const log = (what: string) => (context: WindowContext<undefined, TimeWindow>) => seen.push([what, context.watermark]);
    source
      .pipe(processWindowBy(byClock, count(), { onPane: (_n, context) => void log('fire')(context), onClear: log('clear') }))
      .subscribe();
    source.next(record('a', MIN_TIMESTAMP));
    source.complete();
    expect(seen).toStrictEqual([
      ['fire', MAX_TIMESTAMP],
      ['clear', MAX_TIMESTAMP],
    ]);
  });

  it('without states they are undefined; the same key has the same state in windows of any time', () => {
    const source = new Subject<StreamElement<string, number>>();
    const seen: unknown[] = [];
    const note = { onPane: (...all: unknown[]) => void seen.push(all.slice(2)) };
    source.pipe(processWindowBy(tens, count(), note)).subscribe();
    source.next(keyedRecord('a', 1, 1));
    source.complete();
    expect(seen).toStrictEqual([[undefined, undefined]]);
  });

  it('C3: states belong to one subscription', () => {
    const elements = new Observable<In>((out) => {
      out.next(record('a', 1));
      out.complete();
    });
    const seen: number[] = [];
    const counted = elements.pipe(
      processWindowBy(tens, count(), { keyState: counter, onPane: (_n, _c, _w, keyState) => [++keyState.n] }),
      toValues(),
    );
    for (let i = 0; i < 2; i++) counted.subscribe(({ value }) => seen.push(value));
    expect(seen).toEqual([1, 1]);
  });
});

describe('processWindowBy: what comes out', () => {
  it(
    'any number of results a firing, each with key, window and pane, stamped as the window is',
    marbles((m) => {
      const source = m.hot<In>('ab-W-c---|', {
        a: record('a', 1),
        b: record('b', 2),
        W: watermark(9),
        c: record('c', 11),
      });
      const result = source.pipe(
        processWindowBy(tens, collect<string>(), {
          *onPane(values) {
            for (const value of values) if (value !== 'c') yield value;
          },
        }),
      );
      m.expect(result).toBeObservable('---(xyW)-(Z|)', {
        x: record(windowed(0, 10, 'a'), 9),
        y: record(windowed(0, 10, 'b'), 9),
        W: watermark(9),
        Z,
      });
    }),
  );

  it(
    'V3: retracting panes withdraw each result of the firing before, without another call; a merge those of each part',
    marbles((m) => {
      let calls = 0;
      const source = m.hot<In>('ab-W 20ms c 20ms |', {
        a: record('a', 0),
        b: record('b', 20),
        W: watermark(40),
        c: record('c', 10), // touches both
      });
      const result = source.pipe(
        processWindowBy(
          assigners.session(10),
          collect<string>(),
          {
            keyState: counter,
            onPane(values, _context, _windowState, keyState) {
              calls++;
              return [...values, String(++keyState.n)];
            },
          },
          { allowedLateness: 100, panes: 'retracting' },
        ),
      );
      const withdrawn: Pane = { ...ON_TIME, retraction: true };
      const late: Pane = { index: 0, onTimeIndex: 0, timing: 'late', last: false, retraction: false };
      m.expect(result).toBeObservable('---(xyzwW) 14ms (stuvabcd) 11ms (Z|)', {
        x: record(windowed(0, 10, 'a'), 9),
        y: record(windowed(0, 10, '1'), 9),
        z: record(windowed(20, 30, 'b'), 29),
        w: record(windowed(20, 30, '2'), 29),
        W: watermark(40),
        s: record(windowed(0, 10, 'a', withdrawn), 9),
        t: record(windowed(0, 10, '1', withdrawn), 9),
        u: record(windowed(20, 30, 'b', withdrawn), 29),
        v: record(windowed(20, 30, '2', withdrawn), 29),
        a: record(windowed(0, 30, 'a', late), 29),
        b: record(windowed(0, 30, 'b', late), 29),
        c: record(windowed(0, 30, 'c', late), 29),
        d: record(windowed(0, 30, '3', late), 29),
        Z,
      });
      m.flush();
      expect(calls).toBe(3);
    }),
  );

  it('side outputs: fed by firings and by clears, opened when first used, completed at the end', () => {
    const fired = sideOutput<number>();
    const gone = sideOutput<number>();
    const unused = sideOutput<number>();
    const log: unknown[] = [];
    for (const [name, side] of Object.entries({ fired, gone, unused })) {
      side.subscribe({ next: (value) => log.push([name, value]), complete: () => log.push([name, 'complete']) });
    }
    const source = new Subject<In>();
    source
      .pipe(
        processWindowBy(tens, count(), {
          onPane: (n, context) => context.output(fired, n),
          onClear: (context) => context.output(gone, context.window.end),
        }),
      )
      .subscribe({ next: ({ _tag, timestamp }) => log.push([_tag, timestamp]), complete: () => log.push('complete') });
    source.next(record('a', 1));
    source.next(watermark(9));
    source.complete();
    expect(log).toStrictEqual([
      ['fired', 1],
      ['gone', 10],
      ['Watermark', 9],
      ['fired', 'complete'],
      ['gone', 'complete'],
      ['Watermark', MAX_TIMESTAMP],
      'complete',
    ]);
  });

  it('side outputs: stay open after an error and an unsubscription, for the next producer', () => {
    const side = sideOutput<number>();
    const seen: number[] = [];
    side.subscribe((value) => seen.push(value));
    const operator = processWindowBy<string, number, never, undefined, TimeWindow>(tens, count(), {
      onPane: (n, context) => context.output(side, n),
    });
    for (const end of ['error', 'unsubscribe', 'complete'] as const) {
      const source = new Subject<In>();
      const subscription = source.pipe(operator).subscribe({ error: () => {} });
      source.next(record('a', 1));
      source.next(watermark(9));
      if (end === 'error') source.error(new Error('boom'));
      else if (end === 'unsubscribe') subscription.unsubscribe();
      else source.complete();
    }
    expect(seen).toEqual([1, 1, 1]);
  });
});

describe('processWindowBy: the contract', () => {
  it('C1 throws: a function that fails, wherever, is one error, unchanged', () => {
    const cause = { not: 'an Error' };
    const fail = (): never => {
      throw cause;
    };
    const fails = {
      windowState: { windowState: fail, onPane: () => [] },
      keyState: { keyState: fail, onPane: () => [] },
      onPane: { onPane: fail },
      'its results': {
        *onPane() {
          yield 1;
          fail();
        },
      },
      onClear: { onPane: () => [], onClear: fail },
    };
    for (const [where, process] of Object.entries(fails)) {
      const source = new Subject<In>();
      const errors: unknown[] = [];
      source
        .pipe(processWindowBy<string, number, unknown, undefined, TimeWindow, unknown, unknown>(tens, count(), process))
        .subscribe({
          error: (error) => errors.push(error),
        });
      source.next(record('a', 1));
      source.next(watermark(9));
      source.next(watermark(20));
      expect([where, errors.length, errors[0] === cause, source.observed]).toEqual([where, 1, true, false]);
    }
  });

  it('throws: results that are no iterable, or a string, are refused in the stream', () => {
    for (const [bad, message] of [
      ['ab', 'processWindowBy: the result of process.onPane is "ab", it must be an iterable that is no string, or nothing'],
      [5, undefined],
    ] as const) {
      const source = new Subject<In>();
      let error: unknown;
      source.pipe(processWindowBy(tens, count(), { onPane: () => bad as never })).subscribe({
        error: (e: unknown) => {
          error = e;
        },
      });
      source.next(record('a', 1));
      source.complete();
      expect(error).toBeInstanceOf(TypeError);
      if (message !== undefined) expect(error).toMatchObject({ message });
    }
  });

  it('C2 re-entrant: once downstream has closed the function is not called any more, and its generator is left', () => {
    const source = new Subject<In>();
    const log: string[] = [];
    source
      .pipe(
        processWindowBy(tens, count(), {
          *onPane() {
            try {
              yield 1;
              log.push('went on');
            } finally {
              log.push('left');
            }
          },
          onClear: () => log.push('cleared'),
        }),
        take(1),
      )
      .subscribe();
    source.next(record('a', 1));
    source.next(record('b', 11));
    source.next(watermark(99));
    expect(log).toEqual(['left']);
    expect(source.observed).toBe(false);
  });

  it('C2 re-entrant: a record that is pushed from within the function waits for the watermark under way', () => {
    const source = new Subject<In>();
    const log: unknown[] = [];
    source
      .pipe(
        processWindowBy(tens, collect<string>(), {
          onPane(values, { window }) {
            if (window.start === 0) source.next(record('again', 11));
            return [values];
          },
        }),
        map((element) => (element._tag === 'Record' ? element.value.value : element.timestamp)),
      )
      .subscribe((seen) => log.push(seen));
    source.next(record('a', 1));
    source.next(record('b', 11));
    source.next(watermark(9));
    source.next(watermark(19));
    expect(log).toEqual([['a'], 9, ['b', 'again'], 19]);
  });

  it('C4 arguments: the parts of the function, and a state a window where windows merge', () => {
    const build =
      (process: object, assigner: unknown = tens) =>
      () =>
        processWindowBy(assigner as typeof tens, count(), process as never);
    const refused: Array<[() => unknown, string]> = [
      [build({}), 'processWindowBy: process.onPane is undefined, it must be a function'],
      [build({ onPane: () => [], onClear: 'x' }), 'processWindowBy: process.onClear is "x", it must be a function'],
      [build({ onPane: () => [], keyState: {} }), 'processWindowBy: process.keyState is'],
      [build({ onPane: () => [], windowState: {} }), 'processWindowBy: process.windowState is'],
      [build({ onPane: () => [], windowState: counter }, assigners.session(10)), 'absent, as these windows merge'],
    ];
    for (const [make, message] of refused) expect(make).toThrow(message);
    expect(build({ onPane: () => [], keyState: counter }, assigners.session(10))).not.toThrow();
  });

  it('timers: a function that fails in a timer is one error, and none is left', () => {
    const cause = new Error('in the timer');
    const errors: unknown[] = [];
    const byClock = assigners.tumbling(10, { clock: 'processing' });
    const fail = {
      onPane: () => {
        throw cause;
      },
    };
    const source = new Subject<In>();
    source
      .pipe(processWindowBy(byClock, count(), fail, { scheduler: asyncScheduler }))
      .subscribe({ error: (e) => errors.push(e) });
    source.next(record('a', 1));
    source.complete();
    expect(errors).toEqual([cause]);
  });

  it('error, empty: no function is called', () => {
    const never = {
      onPane: (): never => {
        throw new Error('called');
      },
    };
    const seen: unknown[] = [];
    EMPTY.pipe(processWindowBy(tens, count(), never)).subscribe((element) => seen.push(element));
    throwError(() => 'of the source')
      .pipe(processWindowBy(tens, count(), never))
      .subscribe({ error: (error) => seen.push(error) });
    expect(seen).toEqual([Z, 'of the source']);
  });
});

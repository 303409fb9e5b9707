import fc from 'fast-check';
import { from, type Observable, Subject } from 'rxjs';
import {
  alignment,
  dedupe,
  EventTimeScheduler,
  fillGaps,
  keyedRecord,
  lastPerKey,
  type Pane,
  record,
  type StreamElement,
  type StreamRecord,
  type TimeWindow,
  union,
  type WindowResult,
  watermark,
} from 'tidemark';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Holds } from '../../src/core/Holds.js';
import { PatternCore } from '../../src/core/PatternCore.js';
import { TimeBuffer } from '../../src/core/TimeBuffer.js';

// What there is much of is not looked through, moved or copied for each record: operations are counted, not time.

const N = 4_000;
type Keyed = StreamElement<number, number>;

afterEach(() => vi.restoreAllMocks());

/** How many elements come out. */
function count(stream$: Observable<StreamElement<unknown, unknown>>): number {
  let n = 0;
  stream$.subscribe(({ _tag }) => {
    if (_tag === 'Record') n++;
  });
  return n;
}

function times<T>(n: number, make: (i: number) => T): T[] {
  return Array.from({ length: n }, (_, i) => make(i));
}

/** How often the first of a buffer, or its time, is asked for while `work` is done. */
function firstsAsked(work: () => void, names: ReadonlyArray<'first' | 'next'> = ['first', 'next']): number {
  const asked = names.map((name) => vi.spyOn(TimeBuffer.prototype, name, 'get'));
  work();
  return asked.reduce((sum, { mock }) => sum + mock.calls.length, 0);
}

describe('growth', () => {
  it('dedupe: records of one name that are too far apart are not compared with each other, nor when they are forgotten', () => {
    const elements: Keyed[] = [
      ...times(N, (i) => keyedRecord(i, ((i * 7_919) % N) * 3, 0)),
      ...times(N, (i) => keyedRecord(i, i * 3 + 1, 0)),
      ...times(N, (i) => watermark(i * 3)),
    ];
    const looked = (['at', 'timeAt', 'before'] as const).map((name) => vi.spyOn(TimeBuffer.prototype, name));
    const asked = firstsAsked(() => expect(count(from(elements).pipe(dedupe(() => 'name', { within: 2 })))).toBe(N));
    expect(asked).toBeLessThanOrEqual(4 * N);
    for (const { mock } of looked) expect(mock.calls.length).toBeLessThanOrEqual(2 * N);
  });

  it('law: dedupe is a look at all that has passed', () => {
    const steps = fc.array(fc.record({ at: fc.nat(40), name: fc.nat(1), rises: fc.nat(9) }), { maxLength: 80 });
    fc.assert(
      fc.property(steps, fc.nat(12), (all, within) => {
        const passed: Array<{ readonly time: number; readonly name: number }> = [];
        let now = 0;
        const elements: StreamElement<number>[] = [watermark(-1)];
        for (const { at, name, rises } of all) {
          const time = now + at;
          elements.push(record(name, time));
          if (!passed.some((one) => one.name === name && Math.abs(one.time - time) <= within)) passed.push({ time, name });
          if (rises < 3) {
            now += rises;
            elements.push(watermark(now - 1));
          }
        }
        const seen: unknown[] = [];
        from(elements)
          .pipe(dedupe((name) => name, { within }))
          .subscribe((element) => element._tag === 'Record' && seen.push({ time: element.timestamp, name: element.value }));
        expect(seen).toEqual(passed);
      }),
    );
  });

  it('fillGaps: early panes of windows ahead are not looked through for each window', () => {
    const pane: Pane = { index: 0, onTimeIndex: -1, timing: 'early', last: false, retraction: false };
    const early = (i: number): StreamRecord<WindowResult<number, string>> =>
      record({ key: 'k', window: { start: i * 10, end: i * 10 + 10 }, value: i, pane }, i * 10 + 9);
    const looked = vi.spyOn(Map.prototype, 'keys');
    const seen: TimeWindow[] = [];
    from<StreamElement<WindowResult<number, string>>[]>([
      ...times(N, (i) => early(2 * i)),
      ...times(2 * N, (i) => watermark(i * 10 + 9)),
    ])
      .pipe(fillGaps(() => -1))
      .subscribe((element) => {
        if (element._tag === 'Record' && element.value.value === -1) seen.push(element.value.window);
      });
    expect(seen).toEqual(times(N, (i) => ({ start: i * 20 + 10, end: i * 20 + 20 })));
    expect(looked).not.toHaveBeenCalled();
  });

  it('alignment: what waits does not move up for each element that goes', () => {
    const [ahead, behind] = [new Subject<Keyed>(), new Subject<Keyed>()];
    const seen: number[] = [];
    union(ahead, behind, { alignment: alignment({ maxDrift: 10, buffer: 2 * N }) }).subscribe((element) => {
      if (element._tag === 'Record') seen.push(element.value);
    });
    behind.next(watermark(0));
    for (let i = 0; i < N; i++) for (const element of [keyedRecord(i, i, 0), watermark(i)]) ahead.next(element);
    let moved = 0;
    for (const name of ['slice', 'splice'] as const) {
      const real = Array.prototype[name] as (...args: unknown[]) => unknown[];
      vi.spyOn(Array.prototype, name).mockImplementation(function (this: unknown[], ...args: unknown[]) {
        const { length } = this;
        const taken = real.apply(this, args);
        moved += name === 'slice' ? taken.length : length;
        return taken as never;
      });
    }
    for (let i = 0; i < N; i++) behind.next(watermark(i));
    vi.restoreAllMocks();
    expect(seen).toEqual(times(N, (i) => i));
    expect(moved).toBeLessThan(4 * N);
  });

  it('holds: results of one time that have come are looked at once', () => {
    let looked = 0;
    const items = times(N, () => {
      let released = false;
      return {
        get released() {
          looked++;
          return released;
        },
        set released(value) {
          released = value;
        },
      };
    });
    const holds = new Holds(false);
    for (const item of items) holds.stamp(item, 10);
    for (const item of items) {
      expect(holds.next).toBe(10);
      item.released = true;
    }
    expect(holds.next).toBe(Infinity);
    expect(looked).toBeLessThanOrEqual(3 * N);
  });

  it('lastPerKey: keys of one time that have gone on are looked at once', () => {
    const elements: Keyed[] = [
      ...times(N, (i) => keyedRecord(i, 1, i)),
      watermark(1),
      ...times(N, (i) => [keyedRecord(i, 2 + i, i), watermark(2 + i)]).flat(),
    ];
    const asked = firstsAsked(() => expect(count(from(elements).pipe(lastPerKey({ within: 10 * N })))).toBe(N), ['first']);
    expect(asked).toBeLessThan(6 * N);
  });

  it('EventTimeScheduler: actions of one time that are cancelled are looked at once', () => {
    const scheduler = new EventTimeScheduler(0);
    let done = 0;
    const actions = times(N, () =>
      scheduler.schedule(() => {
        done++;
      }, 10),
    );
    const asked = firstsAsked(() => {
      for (const action of actions.slice(0, N / 2)) {
        action.unsubscribe();
        expect(scheduler.next).toBe(10);
      }
    });
    expect(asked).toBeLessThan(3 * N);
    scheduler.advanceTo(10);
    expect([done, scheduler.pending]).toEqual([N / 2, 0]);
  });

  it('pattern: what a step has taken is not counted through for each record', () => {
    let walked = 0;
    let matches = 0;
    const step = { strict: false, min: 1, max: 1, optional: false };
    const core = new PatternCore<number, undefined>(
      [
        { ...step, name: 'first', where: (n) => n === 0 },
        { ...step, name: 'more', where: () => true, max: Infinity },
      ],
      Infinity,
      true,
      {
        closed: false,
        matched(_key, last) {
          matches++;
          const { before } = last;
          Object.defineProperty(last, 'before', {
            get() {
              walked++;
              return before;
            },
          });
        },
        timedOut() {},
      },
    );
    for (let i = 0; i < N; i++) core.record(record(i, i));
    expect(matches).toBe(N - 1);
    expect(walked).toBeLessThanOrEqual(3 * N);
  });
});

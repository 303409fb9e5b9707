import { Subject } from 'rxjs';
import {
  aggregates,
  assigners,
  counters,
  globalWindow,
  keyedRecord,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  record,
  type StreamElement,
  type StreamRecord,
  triggers,
  type WindowResult,
  watermark,
  windowBy,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { contractRows } from '../helpers/contractRows.js';
import { marbles } from '../helpers/marbles.js';
import { play } from '../helpers/play.js';
import { ProbeScheduler } from '../helpers/probeScheduler.js';

const { collect, count } = aggregates;
const { afterCount, every, purging } = triggers;
const Z = watermark(MAX_TIMESTAMP);
type In = StreamElement<string>;

/** The result of the global window: each of its firings is early. */
function all<R>(value: R, index = 0): WindowResult<R> {
  const pane = { index, onTimeIndex: -1, timing: 'early', last: false, retraction: false } as const;
  return { key: undefined, window: { start: MIN_TIMESTAMP, end: MAX_TIMESTAMP }, value, pane };
}

contractRows({
  name: 'globalWindow',
  operator: (aggregate) => globalWindow(purging(afterCount(2)), aggregate),
  firedBy: 'record',
  pair: all(['a', 'b']),
  at: MAX_TIMESTAMP,
  flushes: false,
});

describe('globalWindow', () => {
  it(
    'boundary: there is none: all times are in it, none and the end of time too; results are stamped MAX and always early',
    marbles((m) => {
      const source = m.hot<In>('abcd(W|)', {
        a: record('a', -1e12),
        b: record('b', 1e12),
        c: record('c', MIN_TIMESTAMP),
        d: record('d', MAX_TIMESTAMP),
        W: watermark(5),
      });
      m.expect(source.pipe(globalWindow(afterCount(2), collect()))).toBeObservable('-x-y(WZ|)', {
        x: record(all(['a', 'b']), MAX_TIMESTAMP),
        y: record(all(['a', 'b', 'c', 'd'], 1), MAX_TIMESTAMP),
        W: watermark(5),
        Z,
      });
    }),
  );

  it('late: nothing ever is, before or after MAX', () => {
    const late: string[] = [];
    const seen = counters();
    const lateTo = ({ value }: StreamRecord<string>) => late.push(value);
    const steps = [watermark(1_000), record('a', 1), Z, record('b', 2), '|'] as const;
    const words = play<string>(() => globalWindow(afterCount(2), collect(), { lateTo, counters: seen }), steps);
    expect(words).toEqual([['W(1000)'], [], ['W(MAX)'], ['a,b early 0'], ['|']]);
    expect(late).toEqual([]);
    expect(seen).toMatchObject({ records: 2, late: 0, discarded: 0 });
  });

  it('completion: MAX fires nothing by itself; what no firing has put out is dropped, and counted once', () => {
    const seen = counters();
    const steps = [keyedRecord('a', 1, 'k'), keyedRecord('b', 2, 'k'), keyedRecord('c', 3, 'k'), keyedRecord('d', 4, 'l'), '|'];
    const words = play<string, string>(
      () => globalWindow(afterCount(2), collect(), { counters: seen }),
      steps as ReadonlyArray<StreamElement<string, string> | '|'>,
    );
    expect(words).toEqual([[], ['k: a,b early 0'], [], [], ['W(MAX)', '|']]);
    expect(seen).toMatchObject({ records: 4, late: 0, discarded: 2 });
  });

  it('watermark: triggers may go by it, also where no window ends', () => {
    const steps = [record('a', 3), record('b', 12), watermark(4), watermark(5), record('c', 13), watermark(20), '|'] as const;
    // nothing new at 15 is nothing to say
    expect(play<string>(() => globalWindow(every(5, 'event'), collect()), steps)).toEqual([
      [],
      [],
      ['W(4)'],
      ['a,b early 0', 'W(5)'],
      [],
      ['a,b,c early 1', 'W(20)'],
      ['a,b,c early 2', 'W(MAX)', '|'],
    ]);
  });

  for (const clock of ['event', 'processing'] as const) {
    it(`completion: every(…, '${clock}', { repeat: true }) ends, by completion and by a MAX of the source`, () => {
      for (const end of [['|'], [Z, '|'], [Z]] as const) {
        const seen = counters();
        const trigger = every(5, clock, { repeat: true });
        const words = play<string>(
          (scheduler) => globalWindow(trigger, collect(), { scheduler, counters: seen }),
          [record('a', 3), ...end],
        );
        expect(words.flat().length).toBeLessThan(8);
        if (end.at(-1) === '|') expect(words.flat()).toContain('a early 0');
        expect(seen).toMatchObject({ records: 1, discarded: 0 });
      }
    });
  }

  it('timers: one wake-up at a time, and none left after completion, error, unsubscription', () => {
    for (const end of ['complete', 'error', 'unsubscribe'] as const) {
      const scheduler = new ProbeScheduler();
      const source = new Subject<In>();
      const trigger = every(5, 'processing', { repeat: true });
      const subscription = source.pipe(globalWindow(trigger, count(), { scheduler })).subscribe({ error: () => {} });
      expect(scheduler.pending).toBe(0);
      source.next(record('a', 0));
      for (const at of [0, 7, 100]) {
        scheduler.advanceTo(at);
        expect(scheduler.pending).toBe(1);
      }
      if (end === 'complete') source.complete();
      else if (end === 'error') source.error(new Error('boom'));
      else subscription.unsubscribe();
      expect([end, scheduler.pending]).toEqual([end, 0]);
    }
  });

  it('C4 arguments: it needs a trigger, and one that loses nothing', () => {
    expect(() => globalWindow(undefined as never, count())).toThrow(
      /globalWindow: trigger is undefined, .*never fires by itself/,
    );
    expect(() => globalWindow({ kind: 'mine' } as never, count())).toThrow(/globalWindow: trigger is .*one of triggers/);
    expect(() => globalWindow(triggers.never(), count())).toThrow(/never\(\) never fires; set allowDataLoss: true/);
    expect(() => globalWindow(triggers.once(afterCount(2)), count())).toThrow(/once\(afterCount\(2\)\) finishes/);
    expect(() => globalWindow(triggers.never(), count(), { allowDataLoss: true })).not.toThrow();
    expect(() => windowBy(assigners.global(), count())).toThrow(/windowBy: trigger is undefined/);
    expect(() => windowBy(assigners.global(), count(), { allowDataLoss: true })).not.toThrow();
  });
});

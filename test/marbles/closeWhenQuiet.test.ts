import { Subject } from 'rxjs';
import {
  aggregates,
  closeWhenQuiet,
  idle,
  keyedRecord,
  MAX_TIMESTAMP,
  record,
  type StreamElement,
  tumblingWindow,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { checklist, type In } from '../helpers/checklist.js';
import { windowed } from '../helpers/elements.js';
import { marbles } from '../helpers/marbles.js';
import { ProbeScheduler } from '../helpers/probeScheduler.js';

describe('closeWhenQuiet', () => {
  const far = () => closeWhenQuiet<number, string>({ quiet: 1_000, ahead: 10 });
  checklist<In>({
    operator: far(),
    output: (element) => element,
    twice: (source) => source.pipe(far(), far()),
    statuses: true,
  });

  const V = { a: keyedRecord('a', 1_000, 'k'), b: keyedRecord('b', 2_000, 'k'), c: keyedRecord('c', 500, 'k') };
  type E = StreamElement<string, string>;

  it(
    'watermark: after the silence it moves past the newest record, once',
    marbles((m) => {
      const source = m.hot<E>('-a 9ms b 9ms c 500ms -', V);
      // the last record came in frame 21, the newest one is b
      m.expect(source.pipe(closeWhenQuiet({ quiet: 100, ahead: 50 })), '^ 400ms !').toBeObservable('-a 9ms b 9ms c 99ms Q', {
        ...V,
        Q: watermark(2_050),
      });
      m.expect(source).toHaveSubscriptions('^ 400ms !');
    }),
  );

  it(
    'watermark: each record begins the silence anew, and after a silence the next one',
    marbles((m) => {
      const source = m.hot<E>('a 98ms b 200ms d', { ...V, d: keyedRecord('d', 9_000, 'k') });
      m.expect(source.pipe(closeWhenQuiet({ quiet: 100, ahead: 50 })), '^ 450ms !').toBeObservable(
        'a 98ms b 99ms Q 100ms d 99ms R',
        { ...V, d: keyedRecord('d', 9_000, 'k'), Q: watermark(2_050), R: watermark(9_050) },
      );
    }),
  );

  it(
    'watermark: one that rises is a sign of life',
    marbles((m) => {
      const W = watermark(900);
      const source = m.hot<E>('a 49ms W 200ms -', { ...V, W });
      m.expect(source.pipe(closeWhenQuiet({ quiet: 100, ahead: 50 })), '^ 300ms !').toBeObservable('a 49ms W 99ms Q', {
        ...V,
        W,
        Q: watermark(1_050),
      });
    }),
  );

  it(
    'regressing: what the source says below what was promised is swallowed, above it passes',
    marbles((m) => {
      const letters = { ...V, X: watermark(1_040), Y: watermark(1_060), Q: watermark(1_050) };
      const source = m.hot<E>('a 149ms X-Y', letters);
      m.expect(source.pipe(closeWhenQuiet({ quiet: 100, ahead: 50 })), '^ 200ms !').toBeObservable('a 99ms Q 51ms Y', letters);
    }),
  );

  it(
    'watermark: a source that is further already is left as it is',
    marbles((m) => {
      const letters = { ...V, W: watermark(5_000) };
      const source = m.hot<E>('aW', letters);
      m.expect(source.pipe(closeWhenQuiet({ quiet: 100, ahead: 50 })), '^ 400ms !').toBeObservable('aW', letters);
    }),
  );

  it(
    'idle: is no sign of life and stays',
    marbles((m) => {
      const letters = { ...V, I: idle(), Q: idle(1_050) };
      const source = m.hot<E>('a 49ms I', letters);
      m.expect(source.pipe(closeWhenQuiet({ quiet: 100, ahead: 50 })), '^ 300ms !').toBeObservable('a 49ms I 49ms Q', letters);
    }),
  );

  it(
    'never: silence from the start closes nothing',
    marbles((m) => {
      m.expect(m.hot<E>('-').pipe(closeWhenQuiet({ quiet: 100, ahead: 50 })), '^ 400ms !').toBeObservable('-');
    }),
  );

  it(
    'completion: in the middle of a silence nothing is closed by it',
    marbles((m) => {
      const source = m.cold<E>('a 50ms |', V);
      m.expect(source.pipe(closeWhenQuiet({ quiet: 100, ahead: 50 }))).toBeObservable('a 50ms |', V);
    }),
  );

  it(
    'P012 the last window of a quiet stream closes, if asked for',
    marbles((m) => {
      const source = m.hot('a', { a: record('a', 1_000) });
      const windows = tumblingWindow<string, number, undefined>(5_000, aggregates.count());
      const closing = source.pipe(closeWhenQuiet({ quiet: 2_000, ahead: 5_000 }), windows);
      m.expect(closing, '^ 60m !').toBeObservable('2000ms (xW)', {
        x: record(windowed(0, 5_000, 1), 4_999),
        W: watermark(6_000),
      });
      m.expect(source.pipe(windows), '^ 60m !').toBeObservable('-');
    }),
  );

  it('P012 what follows with a time up to there is late', () => {
    const scheduler = new ProbeScheduler();
    const source = new Subject<StreamElement<string>>();
    const seen: unknown[] = [];
    source
      .pipe(
        closeWhenQuiet({ quiet: 2_000, ahead: 5_000, scheduler }),
        tumblingWindow(5_000, aggregates.collect(), { lateTo: ({ value }) => seen.push(`late ${value}`) }),
      )
      .subscribe((element) => seen.push(element._tag === 'Record' ? element.value.value : element.timestamp));
    source.next(record('a', 1_000));
    scheduler.advanceTo(2_000);
    source.next(record('b', 4_000)); // its window has gone
    source.next(record('c', 5_500)); // this one's has not
    source.complete();
    expect(seen).toEqual([['a'], 6_000, 'late b', ['c'], MAX_TIMESTAMP]);
    expect(scheduler.pending).toBe(0);
  });

  it('P016 a thread that was blocked is no silence', () => {
    const scheduler = new ProbeScheduler();
    const source = new Subject<StreamElement<string>>();
    const seen: StreamElement<string>[] = [];
    source.pipe(closeWhenQuiet({ quiet: 100, ahead: 50, scheduler })).subscribe((element) => seen.push(element));
    source.next(record('a', 1_000));
    scheduler.setTime(400); // the timer of 100 is overdue by three times as much
    scheduler.wake();
    source.next(record('b', 1_001)); // it had waited in a queue
    scheduler.advanceTo(500);
    scheduler.advanceTo(600);
    expect(seen).toEqual([record('a', 1_000), record('b', 1_001), watermark(1_051)]);
  });

  it.each(['unsubscribe', 'error', 'completion'] as const)('%s: no timer is left', (end) => {
    const scheduler = new ProbeScheduler();
    const source = new Subject<StreamElement<string>>();
    const subscription = source.pipe(closeWhenQuiet({ quiet: 100, ahead: 50, scheduler })).subscribe({ error() {} });
    source.next(record('a', 1_000));
    expect(scheduler.pending).toBe(1);
    if (end === 'unsubscribe') subscription.unsubscribe();
    else if (end === 'error') source.error(new Error('of the source'));
    else source.complete();
    expect(scheduler.pending).toBe(0);
  });

  it('state: one timer, however many records', () => {
    const scheduler = new ProbeScheduler();
    const source = new Subject<StreamElement<number>>();
    source.pipe(closeWhenQuiet({ quiet: 100, ahead: 50, scheduler })).subscribe();
    for (let i = 0; i < 1_000; i++) {
      source.next(record(i, i));
      scheduler.advanceTo(i);
    }
    expect(scheduler.pending).toBe(1);
    expect(scheduler.delays.length).toBeLessThanOrEqual(12);
  });

  it('arguments: refused when it is built', () => {
    expect(() => closeWhenQuiet({ quiet: 0, ahead: 1 })).toThrow(
      'closeWhenQuiet: quiet is 0, it must be a whole number of ms ≥ 1',
    );
    expect(() => closeWhenQuiet({ quiet: 1, ahead: Infinity })).toThrow(/^closeWhenQuiet: ahead is Infinity/);
  });
});

import { from, merge, NEVER, Observable, retry, Subject, share } from 'rxjs';
import {
  aggregates,
  assignWatermarks,
  MAX_TIMESTAMP,
  noWatermarks,
  record,
  SideOutputInUseError,
  type StreamElement,
  type StreamRecord,
  sideOutput,
  tumblingWindow,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { marbles } from '../helpers/marbles.js';

type In = StreamElement<string>;
type Late = StreamRecord<string>;
const LATE = { a: record('a', 1), b: record('b', 2) };
const INPUT = { ...LATE, W: watermark(99) };
const lateOf = (lateTo: ReturnType<typeof sideOutput<Late>>) =>
  tumblingWindow<string, number, undefined>(10, aggregates.count(), { lateTo });

describe('sideOutput', () => {
  it(
    'never: without a producer, or from one that is silent, nothing',
    marbles((m) => {
      const late = sideOutput<Late>();
      m.expect(late, '^----!').toBeObservable('-----');
      m.expect(m.hot<In>('---').pipe(lateOf(late)), '^----!').toBeObservable('-----');
    }),
  );

  it(
    'empty: completes when its producer does, with nothing late',
    marbles((m) => {
      const late = sideOutput<Late>();
      m.expect(late).toBeObservable('--|');
      m.expect(m.hot<In>('--|').pipe(lateOf(late))).toBeObservable('--(Z|)', { Z: watermark(MAX_TIMESTAMP) });
    }),
  );

  it(
    'completion: each late record in its frame, then the end of the producer; later subscribers get the end alone',
    marbles((m) => {
      const late = sideOutput<Late>();
      m.expect(late).toBeObservable('-a-b-|', LATE);
      m.expect(late, '--^').toBeObservable('---b-|', LATE);
      m.expect(late, '------^').toBeObservable('------|');
      m.hot<In>('Wa-b-|', INPUT).pipe(lateOf(late)).subscribe();
    }),
  );

  it('error: the main stream alone fails; the side output stays open, and a retry goes on with it', () => {
    const late = sideOutput<Late>();
    const seen: string[] = [];
    late.subscribe({ next: ({ value }) => seen.push(value), error: () => seen.push('#'), complete: () => seen.push('|') });
    let runs = 0;
    const source = new Observable<In>((out) => {
      out.next(watermark(99));
      out.next(record(runs === 0 ? 'first' : 'second', 1));
      if (runs++ === 0) out.error(new Error('once'));
      else out.complete();
    });
    source.pipe(lateOf(late), retry(1)).subscribe();
    expect(seen).toEqual(['first', 'second', '|']);
  });

  it('error: a stream that fails later, from outside any step, lets the next producer in too', () => {
    const late = sideOutput<Late>();
    const source = new Subject<In>();
    const errors: unknown[] = [];
    source.pipe(lateOf(late), retry(1)).subscribe({ error: (error) => errors.push(error) });
    source.error('first'); // the subject has failed: the retry fails with the same, not with SideOutputInUse
    expect(errors).toEqual(['first']);
  });

  it('unsubscribe: it stays open for the next producer', () => {
    const late = sideOutput<Late>();
    const seen: string[] = [];
    late.subscribe({ next: ({ value }) => seen.push(value), complete: () => seen.push('|') });
    const source = new Subject<In>();
    const first = source.pipe(lateOf(late)).subscribe();
    source.next(watermark(99));
    source.next(record('a', 1));
    first.unsubscribe();
    source.pipe(lateOf(late)).subscribe();
    source.next(watermark(99));
    source.next(record('b', 1));
    source.complete();
    expect(seen).toEqual(['a', 'b', '|']);
  });

  it('throws: a second producer at the same time gets an error that says what to do, and the first goes on', () => {
    const late = sideOutput<Late>();
    const seen: string[] = [];
    late.subscribe(({ value }) => seen.push(value));
    const source = new Subject<In>();
    const result = source.pipe(lateOf(late));
    const errors: unknown[] = [];
    result.subscribe();
    result.subscribe({ error: (error: unknown) => errors.push(error) });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBeInstanceOf(SideOutputInUseError);
    expect(String(errors[0])).toMatch(/share\(\)/);
    source.next(watermark(99));
    source.next(record('a', 1));
    expect(seen).toEqual(['a']);
  });

  it('throws: shared, one producer feeds it for many subscribers', () => {
    const late = sideOutput<Late>();
    const seen: string[] = [];
    late.subscribe(({ value }) => seen.push(value));
    const source = new Subject<In>();
    const shared = source.pipe(lateOf(late), share());
    merge(shared, shared).subscribe();
    source.next(watermark(99));
    source.next(record('a', 1));
    expect(seen).toEqual(['a']);
  });

  it(
    'synchronous: a source that is over at once, for those who subscribed before',
    marbles((m) => {
      const late = sideOutput<Late>();
      m.expect(late).toBeObservable('--(ab|)', LATE);
      const pipeline = new Observable<In>((out) => from<In[]>([INPUT.W, LATE.a, LATE.b]).subscribe(out)).pipe(lateOf(late));
      m.scheduler.schedule(() => pipeline.subscribe(), 2);
    }),
  );

  it('C2 re-entrant: through two stages, a late record whose consumer pushes into the source comes before what it pushed', () => {
    const late = sideOutput<Late>();
    const seen: string[] = [];
    const source = new Subject<{ at: number; v: string }>();
    late.subscribe(({ value }) => {
      seen.push(`late ${value}`);
      if (value === 'a') source.next({ at: 250, v: 'pushed' });
    });
    source
      .pipe(
        assignWatermarks(
          // says 99 after 'x', and 299 after what is pushed
          { create: () => ({ onRecord: (_value, at, output) => output.emit(at === 250 ? 299 : 99), onTick() {} }) },
          { timestamp: (event) => event.at },
        ),
        tumblingWindow(10, aggregates.count(), { lateTo: { next: (r) => late.next(record(r.value.v, r.timestamp)) } }),
      )
      .subscribe((element) =>
        seen.push(element._tag === 'Watermark' ? `W${element.timestamp}` : `[${element.value.window.start}`),
      );
    source.next({ at: 200, v: 'x' });
    source.next({ at: 1, v: 'a' });
    expect(seen).toEqual(['W99', 'late a', '[200', '[250', 'W299']);
  });

  it('completion: fed by hand it is a plain subject', () => {
    const side = sideOutput<number>();
    const seen: unknown[] = [];
    side.subscribe({ next: (n) => seen.push(n), complete: () => seen.push('|') });
    side.next(1);
    side.complete();
    expect(seen).toEqual([1, '|']);
    const failing = sideOutput<number>();
    failing.subscribe({ error: (error) => seen.push(error) });
    failing.error('#');
    expect(seen).toEqual([1, '|', '#']);
  });

  it('unsubscribe: a source that never speaks holds it only while it is subscribed', () => {
    const late = sideOutput<Late>();
    const invalid = sideOutput<number>();
    const policy = { timestamp: (n: number) => n, onInvalidTimestamp: { dropTo: invalid } } as const;
    for (let i = 0; i < 3; i++) {
      const errors: unknown[] = [];
      NEVER.pipe(lateOf(late))
        .subscribe({ error: (e) => errors.push(e) })
        .unsubscribe();
      NEVER.pipe(assignWatermarks(noWatermarks<number>(), policy))
        .subscribe({ error: (e) => errors.push(e) })
        .unsubscribe();
      expect(errors).toEqual([]);
    }
  });
});

import { of, pipe, Subject, throwError } from 'rxjs';
import { type Arrival, type RecordConfig, recordArrivals } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { IN, type In } from '../helpers/checklist.js';
import { marbles } from '../helpers/marbles.js';
import { ProbeScheduler } from '../helpers/probeScheduler.js';

const ignore = (): void => {};
const operator = (config?: RecordConfig) => recordArrivals<In>(ignore, config);

describe('recordArrivals', () => {
  it.each([
    ['never', '-', '-'],
    ['empty', '--|', '--|'],
    ['error', '-a-#', '-a-#'],
    ['completion', '-a-Z|', '-a-Z|'],
    ['watermark', '-a-V-b-W-', '-a-V-b-W-'],
    ['regressing', '-W-V-V-', '-W-V-V-'],
    ['idle', '-V-I-b-W-', '-V-I-b-W-'],
  ])('%s: passed on as it is, and logged', (_row, input, output) => {
    const log: unknown[] = [];
    marbles((m) => {
      m.expect(m.cold<In>(input, IN).pipe(recordArrivals<In>((arrival) => log.push(arrival)))).toBeObservable(output, IN);
    })();
    expect(log).toHaveLength(output.replaceAll('-', '').length);
  });
  it(
    'unsubscribe: lets go of the source in that frame',
    marbles((m) => {
      const source = m.hot<In>('-a-V-b-', IN);
      m.expect(source.pipe(operator()), '^---!').toBeObservable('-a-V-', IN);
      m.expect(source).toHaveSubscriptions('^---!');
    }),
  );

  it(
    'keeps the frames of the scheduler, the end included',
    marbles((m) => {
      const log: Arrival<string>[] = [];
      const source = m.cold('-a--b-|');
      m.expect(source.pipe(recordArrivals((arrival) => log.push(arrival)))).toBeObservable('-a--b-|');
      m.flush();
      expect(log).toEqual([
        { at: 1, notification: { kind: 'N', value: 'a' } },
        { at: 4, notification: { kind: 'N', value: 'b' } },
        { at: 6, notification: { kind: 'C' } },
      ]);
    }),
  );

  it('a clock that is set back does not go back in the log', () => {
    const scheduler = new ProbeScheduler(100);
    const source = new Subject<string>();
    const ats: number[] = [];
    source.pipe(recordArrivals(({ at }) => ats.push(at), { scheduler })).subscribe();
    source.next('a');
    scheduler.setTime(50);
    source.next('b');
    expect(ats).toEqual([100, 100]);
  });

  it('throws: what the log throws is the error', () => {
    const cause = new Error('of the user');
    const fail = (): never => {
      throw cause;
    };
    const seen: unknown[] = [];
    of(1)
      .pipe(recordArrivals(fail))
      .subscribe({ error: (error) => seen.push(error) });
    expect(seen).toEqual([cause]);
  });

  it('synchronous: an observer as a log completes, or fails, with the stream', () => {
    const seen: unknown[] = [];
    const observer = { complete: () => seen.push('complete'), error: (cause: unknown) => seen.push(cause) };
    of(1).pipe(recordArrivals(observer)).subscribe();
    throwError(() => 'cause')
      .pipe(recordArrivals(observer))
      .subscribe({ error: ignore });
    expect(seen).toEqual(['complete', 'cause']);
  });

  it('re-entrant: through two stages, what is pushed while a value is handled comes after it', () => {
    const source = new Subject<number>();
    const log: number[] = [];
    const seen: unknown[] = [];
    source
      .pipe(
        pipe(
          recordArrivals(({ at: _, notification }) => notification.kind === 'N' && log.push(notification.value)),
          recordArrivals(ignore),
        ),
      )
      .subscribe((value) => {
        if (value === 1) source.next(2);
        seen.push(value);
      });
    source.next(1);
    expect([log, seen]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it('arguments: refuses to be without a log', () => {
    expect(() => recordArrivals(undefined as never)).toThrow(
      new TypeError('recordArrivals: to is undefined, it must be a function or an observer'),
    );
  });
});

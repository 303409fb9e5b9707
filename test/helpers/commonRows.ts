import { from, type OperatorFunction, Subject, take } from 'rxjs';
import { keyedRecord, type StreamElement, watermark } from 'tidemark';
import { expect, it } from 'vitest';
import { marbles } from './marbles.js';

// Rows of the checklist that are the same for all kinds of operators.

type In = StreamElement<number, string>;

export function neverRow(operator: OperatorFunction<In, unknown>): void {
  it(
    'never: says nothing and stays subscribed',
    marbles((m) => {
      const source = m.cold<In>('-');
      m.expect(source.pipe(operator)).toBeObservable('-');
      m.expect(source).toHaveSubscriptions('^');
    }),
  );
}

export function endlessRow(operator: OperatorFunction<In, unknown>): void {
  it('synchronous: an endless source is left when downstream closes', () => {
    let given = 0;
    function* endless(): Generator<In> {
      for (; given < 1_000; given++) {
        yield keyedRecord(given, given * 10, 'k');
        yield watermark(given * 10 + 5);
      }
    }
    const seen: unknown[] = [];
    from(endless())
      .pipe(operator, take(2))
      .subscribe((o) => seen.push(o));
    expect(seen).toHaveLength(2);
    expect(given).toBeLessThan(3);
  });
}

/**
 * What comes out when the sink pushes `pushed` and the end into the source while it handles the first thing that comes out
 * for `first`, and when it has handled that.
 */
export function reentrantLog(
  operator: OperatorFunction<In, unknown>,
  first: ReadonlyArray<In>,
  pushed: ReadonlyArray<In>,
): ReadonlyArray<unknown> {
  const source = new Subject<In>();
  const log: unknown[] = [];
  let handled = false;
  source.pipe(operator).subscribe({
    next(o) {
      log.push(o);
      if (handled) return;
      handled = true;
      for (const element of pushed) source.next(element);
      source.complete();
      log.push('handled');
    },
    complete: () => log.push('complete'),
  });
  for (const element of first) source.next(element);
  return log;
}

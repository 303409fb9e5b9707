import { concat, from, of, Subject, timer } from 'rxjs';
import { mergeMap } from 'rxjs/operators';
import {
  AlignmentOverflowError,
  alignment,
  type EventStream,
  idle,
  MAX_TIMESTAMP,
  record,
  type StreamElement,
  type UnionConfig,
  union,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { marbles } from '../helpers/marbles.js';
import { unionRows } from '../helpers/unionRows.js';

type In = StreamElement<string>;

describe('union', () => {
  unionRows((streams, config = {}) => union(...streams, config));

  it('arguments: refuses what is no observable, and what is no alignment', () => {
    expect(() => union(of(watermark(1)), 5 as never)).toThrow(new RangeError('union: stream 1 is 5, it must be an observable'));
    for (const none of [null, undefined, 'text', Promise.resolve(), []]) {
      expect(() => union(of(watermark(1)), none as never)).toThrow(/^union: stream 1 is .*, it must be an observable$/);
    }
    expect(() => union({ nothing: true } as never, of(watermark(1)))).toThrow(/^union: stream 0 is/);
    expect(() => union(of(watermark(1)), { alignment: { maxDrift: 5 } as never })).toThrow(
      new TypeError('union: alignment is {"maxDrift":5}, it must be what alignment(…) gives'),
    );
    expect(() => alignment({ maxDrift: -1 })).toThrow(RangeError);
    expect(() => alignment({ maxDrift: 1.5 })).toThrow(RangeError);
    expect(() => alignment({ maxDrift: 1, buffer: -1 })).toThrow(
      new RangeError('alignment: buffer is -1, it must be a whole number ≥ 0 or Infinity'),
    );
  });
});

/** Subjects, and what comes out of their union. */
function aligned(count: number, config: UnionConfig) {
  const inputs = Array.from({ length: count }, () => new Subject<In>());
  const seen: unknown[] = [];
  const subscription = union(...(inputs as EventStream<string>[]), config).subscribe({
    next: (element) => seen.push(element),
    error: (cause) => seen.push(cause),
    complete: () => seen.push('complete'),
  });
  return { inputs, seen, subscription, take: () => seen.splice(0) };
}

const r = (t: number): In => record(`r${t}`, t);

describe('union with an alignment', () => {
  unionRows((streams, config = {}) => union(...streams, { ...config, alignment: alignment({ maxDrift: 1_000 }) }));

  it('keeps what an input brings that is too far ahead, until the others are near', () => {
    const together = alignment({ maxDrift: 10 });
    const { inputs, take } = aligned(2, { alignment: together });
    const [fast, slow] = inputs as [Subject<In>, Subject<In>];
    slow.next(watermark(5));
    fast.next(watermark(15));
    fast.next(r(16));
    fast.next(watermark(16)); // 11 ahead
    expect(take()).toEqual([watermark(5), r(16)]);
    fast.next(r(20));
    fast.next(watermark(30));
    fast.next(r(31));
    expect([together.buffered, take()]).toEqual([3, []]);
    slow.next(r(6));
    slow.next(watermark(6)); // 16 is 10 ahead: its record and the watermark 30 may come, not what is behind it
    expect([together.buffered, take()]).toEqual([1, [r(6), watermark(6), r(20)]]);
    slow.next(watermark(20));
    expect([together.buffered, together.peak, take()]).toEqual([0, 3, [watermark(20), r(31)]]);
  });

  it('holds nothing back for inputs that are idle or have ended', () => {
    const together = alignment({ maxDrift: 0 });
    const { inputs, take } = aligned(3, { alignment: together });
    const [fast, slow, slower] = inputs as [Subject<In>, Subject<In>, Subject<In>];
    slow.next(watermark(5));
    slower.next(watermark(1));
    fast.next(watermark(9));
    fast.next(r(10));
    fast.next(watermark(12));
    expect([together.buffered, take()]).toEqual([2, [watermark(1)]]);
    slower.complete();
    slow.next(idle(5));
    expect([together.buffered, take()]).toEqual([0, [watermark(5), watermark(9), r(10), watermark(12)]]);
    fast.complete();
    slow.complete();
    expect(take()).toEqual([idle(12), watermark(MAX_TIMESTAMP), 'complete']);
  });

  it('counts one that has said nothing as standing where the first began, and the end waits as well', () => {
    const together = alignment({ maxDrift: 10 });
    const { inputs, take } = aligned(2, { alignment: together });
    const [fast, silent] = inputs as [Subject<In>, Subject<In>];
    for (const t of [100, 105, 111, 120]) {
      fast.next(r(t));
      fast.next(watermark(t));
    }
    fast.complete();
    expect([together.buffered, take()]).toEqual([3, [r(100), r(105), r(111)]]);
    silent.next(watermark(102));
    expect([together.buffered, take()]).toEqual([1, [watermark(102), r(120)]]);
    silent.complete();
    expect([together.buffered, take()]).toEqual([0, [watermark(120), watermark(MAX_TIMESTAMP), 'complete']]);
  });

  it('fails when more waits than it may', () => {
    const together = alignment({ maxDrift: 10, buffer: 2 });
    const { inputs, take } = aligned(2, { alignment: together });
    const [fast, slow] = inputs as [Subject<In>, Subject<In>];
    slow.next(watermark(0));
    fast.next(watermark(50));
    fast.next(r(51));
    fast.next(r(52));
    expect(take()).toEqual([watermark(0)]);
    fast.next(r(53));
    const [error] = take();
    expect(error).toBeInstanceOf(AlignmentOverflowError);
    expect(error).toMatchObject({ _tag: 'AlignmentOverflow', input: 0, time: 50, slowest: 0, buffer: 2 });
    expect((error as Error).message).toMatch(/^union: input 0 is at 50, the slowest one at 0, and 2 elements wait already/);
    expect([slow.observed, together.buffered]).toEqual([false, 0]);
  });

  it('lets a source that is pulled wait: it is ready again when the others are near, or all is over', async () => {
    const together = alignment({ maxDrift: 10 });
    const ready = together.ready(0);
    expect(ready()).toBeUndefined(); // nothing is at work
    const { inputs, subscription } = aligned(2, { alignment: together });
    const [fast, slow] = inputs as [Subject<In>, Subject<In>];
    expect(ready()).toBeUndefined();
    slow.next(watermark(5));
    fast.next(watermark(50));
    expect(together.ready(1)()).toBeUndefined();
    const first = ready();
    expect(first).toBeInstanceOf(Promise);
    expect(ready()).toBe(first);
    slow.next(watermark(45));
    await first;
    expect(ready()).toBeUndefined();
    fast.next(watermark(90));
    const second = ready();
    subscription.unsubscribe();
    await second;
    expect(ready()).toBeUndefined();
  });

  it('an error passes at once, what waits before it does not', () => {
    const { inputs, take } = aligned(2, { alignment: alignment({ maxDrift: 0 }) });
    const [fast, slow] = inputs as [Subject<In>, Subject<In>];
    slow.next(watermark(5));
    fast.next(watermark(50));
    fast.next(r(51));
    const cause = new Error('of the fast one');
    fast.error(cause);
    expect(take()).toEqual([watermark(5), cause]);
  });

  it(
    'changes nothing but when things come',
    marbles((m) => {
      const fast = from<In[]>([watermark(50), r(70)]);
      const slow = concat(of(watermark(1)), timer(100).pipe(mergeMap(() => from([r(45), watermark(45)]))));
      m.expect(union(slow, fast, { alignment: alignment({ maxDrift: 10 }) })).toBeObservable('V 99ms (rWaZ|)', {
        V: watermark(1),
        r: r(45),
        W: watermark(45),
        a: r(70),
        Z: watermark(MAX_TIMESTAMP),
      });
    }),
  );
});

import { merge, type Observable, of, Subject } from 'rxjs';
import {
  alignment,
  coProcessWith,
  processWith,
  record,
  type StreamElement,
  union,
  unionAll,
  unionWith,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { ProbeScheduler } from '../helpers/probeScheduler.js';

/** Two streams, what is built from them, and how much it has left on the scheduler. */
type Build = (
  left: Subject<StreamElement<number>>,
  right: Subject<StreamElement<number>>,
  scheduler: ProbeScheduler,
) => Observable<unknown>;

const spec = {
  create: () => ({ n: 0 }),
  onTimer: () => {},
};
const busy = (
  _value: number,
  _state: unknown,
  context: { timers: { processingTime(t: number): void; eventTime(t: number): void } },
) => {
  context.timers.processingTime(1_000);
  context.timers.eventTime(1_000);
};

/** Operators of several inputs, and those with timers. */
const PIPELINES: ReadonlyArray<readonly [name: string, build: Build]> = [
  ['union', (left, right) => union(left, right)],
  ['union, aligned', (left, right) => union(left, right, { alignment: alignment({ maxDrift: 0 }) })],
  ['unionWith', (left, right) => left.pipe(unionWith(right))],
  ['unionAll', (left, right) => of(left, right).pipe(unionAll())],
  ['processWith', (left, right, scheduler) => merge(left, right).pipe(processWith({ ...spec, onRecord: busy }, { scheduler }))],
  [
    'coProcessWith',
    (left, right, scheduler) => left.pipe(coProcessWith(right, { ...spec, onLeft: busy, onRight: busy }, { scheduler })),
  ],
];

describe.each(PIPELINES)('%s', (_name, build) => {
  it.each(['completion', 'an error on the left', 'an error on the right', 'unsubscription'] as const)(
    'leaves nothing behind after %s',
    (end) => {
      const left = new Subject<StreamElement<number>>();
      const right = new Subject<StreamElement<number>>();
      const scheduler = new ProbeScheduler();
      for (let round = 0; round < 2; round++) {
        const subscription = build(left, right, scheduler).subscribe({ error: () => {} });
        for (const input of [left, right]) for (const element of [record(1, 5), watermark(7), record(2, 8)]) input.next(element);
        expect([left.observed, right.observed]).toEqual([true, true]);
        if (end === 'unsubscription' || round === 0) subscription.unsubscribe();
        else if (end === 'completion') for (const input of [left, right]) input.complete();
        else if (end === 'an error on the left') left.error(new Error());
        else right.error(new Error());
        expect([left.observed, right.observed, scheduler.pending]).toEqual([false, false, 0]);
      }
    },
  );
});

import fc from 'fast-check';
import { concatMap, delay, from, map, of, timer, VirtualAction, VirtualTimeScheduler } from 'rxjs';
import { concatMapValue, idle, keyedRecord, mergeMapValue, type StreamElement, watermark } from 'tidemark';
import { describe, expect, it } from 'vitest';

/** One thing that comes in: work of so many ms with so many results, or a watermark, or an idle mark. */
interface Step {
  readonly after: number;
  readonly work: number;
  readonly results: number;
  readonly kind: 'record' | 'watermark' | 'idle';
}
const step: fc.Arbitrary<Step> = fc.record({
  after: fc.integer({ min: 0, max: 3 }),
  work: fc.integer({ min: 0, max: 20 }),
  results: fc.integer({ min: 0, max: 2 }),
  kind: fc.constantFrom('record', 'record', 'record', 'watermark', 'idle'),
});

type Element = StreamElement<string, string>;

/** Runs the steps in virtual time, through an operator that takes `concurrent` at once; undefined: concatMapValue. */
function run(steps: readonly Step[], concurrent: number | undefined): Element[] {
  const scheduler = new VirtualTimeScheduler(VirtualAction, Infinity);
  const project = (n: number) => {
    const { work = 0, results = 0 } = steps[n] ?? {};
    const values = Array.from({ length: results }, (_, i) => `${n}.${i}`);
    return work === 0 ? values : timer(work, scheduler).pipe(concatMap(() => values));
  };
  const source = from(steps).pipe(
    concatMap((s, n) => (s.after === 0 ? of(n) : of(n).pipe(delay(s.after, scheduler)))),
    map((n): StreamElement<number, string> => {
      const kind = steps[n]?.kind;
      return kind === 'record' ? keyedRecord(n, n, 'k') : kind === 'idle' ? idle(n) : watermark(n);
    }),
  );
  const seen: Element[] = [];
  let completed = 0;
  const operator =
    concurrent === undefined
      ? concatMapValue<number, string, string>(project)
      : mergeMapValue<number, string, string>(project, { concurrent });
  source.pipe(operator).subscribe({ next: (element) => seen.push(element), complete: () => completed++ });
  scheduler.flush();
  expect(completed).toBe(1);
  return seen;
}

/** What comes out if no work takes time: the order of the input. */
function inOrder(steps: readonly Step[]): Element[] {
  let wasIdle = false;
  return steps.flatMap(({ kind, results }, n): Element[] => {
    if (kind === 'record') return Array.from({ length: results }, (_, i) => keyedRecord(`${n}.${i}`, n, 'k'));
    const both: Element[] = kind === 'idle' ? [...(wasIdle ? [] : [watermark(n)]), idle(n)] : [watermark(n)];
    wasIdle = kind === 'idle';
    return both;
  });
}

/** Sorts the records between two watermarks by their number; watermarks stay where they are. */
function settled(elements: readonly Element[]): Element[] {
  const out: Element[] = [];
  let between: Element[] = [];
  const close = (): void => {
    out.push(...between.sort((l, r) => l.timestamp - r.timestamp));
    between = [];
  };
  for (const element of elements) {
    if (element._tag === 'Record') between.push(element);
    else {
      close();
      out.push(element);
    }
  }
  close();
  return out;
}

describe('work that takes time', () => {
  it('concatMapValue keeps the order of the input, watermarks included', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        expect(run(steps, undefined)).toStrictEqual(inOrder(steps));
      }),
    );
  });

  it.each([1, 2, 3, Infinity])(
    'mergeMapValue keeps it between watermarks up to the order of records, %s at once',
    (concurrent) => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
          expect(settled(run(steps, concurrent))).toStrictEqual(inOrder(steps));
        }),
      );
    },
  );
});

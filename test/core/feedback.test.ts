import { type OperatorFunction, Subject } from 'rxjs';
import {
  aggregates,
  assignWatermarks,
  filterValue,
  fromGenerator,
  keyBy,
  mapValue,
  type StreamElement,
  tapValue,
  triggers,
  tumblingWindow,
} from 'tidemark';
import { describe, expect, it } from 'vitest';

// C2 where each element comes from inside the one before it: in order, each once, and without a deeper stack. The stages that do
// their work within the guard, and one that does not.

const never = fromGenerator<number>(() => ({ onRecord() {}, onTick() {} }));
const options = { timestamp: (n: number) => n, interval: Infinity } as const;
const stamp: OperatorFunction<number, StreamElement<number>> = assignWatermarks(never, options);
const each: OperatorFunction<StreamElement<number>, StreamElement<{ readonly value: number }>> = tumblingWindow(
  1_000_000,
  aggregates.max((n: number) => n),
  { trigger: triggers.afterCount(1) },
);

const STAGES: ReadonlyArray<readonly [string, (source: Subject<number>, got: (n: number) => void) => unknown]> = [
  ['assignWatermarks', (source, got) => source.pipe(stamp).subscribe(valueTo(got))],
  [
    'mapValue',
    (source, got) =>
      source
        .pipe(
          stamp,
          mapValue((n) => n),
        )
        .subscribe(valueTo(got)),
  ],
  [
    'filterValue',
    (source, got) =>
      source
        .pipe(
          stamp,
          filterValue((n) => n >= 0),
        )
        .subscribe(valueTo(got)),
  ],
  [
    'keyBy',
    (source, got) =>
      source
        .pipe(
          stamp,
          keyBy((n) => n % 3),
        )
        .subscribe(valueTo(got)),
  ],
  [
    'tapValue',
    (source, got) =>
      source
        .pipe(
          stamp,
          tapValue(() => undefined),
        )
        .subscribe(valueTo(got)),
  ],
  ['tumblingWindow', (source, got) => source.pipe(stamp, each).subscribe(valueTo(({ value }) => got(value)))],
];

function valueTo<A>(got: (value: A) => void): (element: StreamElement<A, unknown>) => void {
  return (element) => {
    if (element._tag === 'Record') got(element.value);
  };
}

describe.each(STAGES)('%s, fed from inside', (_, build) => {
  it('C2 a chain: each element pushes the next', () => {
    const source = new Subject<number>();
    const seen: number[] = [];
    build(source, (n) => {
      seen.push(n);
      if (n < 20_000) source.next(n + 1);
    });
    source.next(1);
    expect(seen).toEqual(Array.from({ length: 20_000 }, (_, i) => i + 1));
  });

  it('C2 a tree: each element pushes two, those of one generation before those of the next', () => {
    const source = new Subject<number>();
    const seen: number[] = [];
    build(source, (n) => {
      seen.push(n);
      if (n < 512) for (const next of [2 * n, 2 * n + 1]) source.next(next);
    });
    source.next(1);
    expect(seen).toEqual(Array.from({ length: 1_023 }, (_, i) => i + 1));
  });
});

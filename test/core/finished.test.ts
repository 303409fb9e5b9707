import { from, type OperatorFunction } from 'rxjs';
import {
  aggregates,
  fromElements,
  idle,
  keyBy,
  MAX_TIMESTAMP,
  mapValue,
  record,
  type StreamElement,
  sortByEventTime,
  tumblingWindow,
  watermark,
} from 'tidemark';
import { show } from 'tidemark/testing';
import { describe, expect, it } from 'vitest';

const MAX = watermark(MAX_TIMESTAMP);
const stages: Record<string, OperatorFunction<StreamElement<number>, StreamElement<unknown, unknown>>> = {
  mapValue: mapValue((n) => n),
  keyBy: keyBy((n) => n),
  sortByEventTime: sortByEventTime(),
  tumblingWindow: tumblingWindow(10, aggregates.count()),
};

/** The watermarks of a stream. */
function marks(
  elements: StreamElement<number>[],
  stage: OperatorFunction<StreamElement<number>, StreamElement<unknown, unknown>>,
) {
  const seen: string[] = [];
  from(elements)
    .pipe(stage)
    .subscribe((element) => {
      if (element._tag === 'Watermark') seen.push(show(element));
    });
  return seen;
}

describe('W6: a stream that has given MAX is finished, neither active nor idle', () => {
  for (const [name, stage] of Object.entries(stages)) {
    it(`W6: ${name} says nothing after MAX`, () => {
      const end = [show(MAX)];
      expect(marks([record(1, 1), MAX, idle(MAX_TIMESTAMP), MAX], stage)).toEqual(end);
      expect(marks([idle(MAX_TIMESTAMP)], stage)).toEqual(end);
      expect(marks([idle(4), idle(MAX_TIMESTAMP)], stage)).toEqual([
        ...[watermark(4), idle(4)].map((mark) => show(mark)),
        ...end,
      ]);
    });
  }

  it('W6: nor does a source', () => {
    expect(marks([], () => fromElements(MAX, idle(MAX_TIMESTAMP)))).toEqual([show(MAX)]);
  });
});

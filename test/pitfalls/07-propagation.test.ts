import { from, map } from 'rxjs';
import { aggregates, filterValue, mapValue, type StreamElement, tumblingWindow, type WindowResult } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { listen, r, through, W } from './notation.js';

describe('how watermarks go on', () => {
  it('P073 behind every operator watermarks rise strictly', () => {
    const input = [W(10), W(5), W(10), W(11)];
    expect(through(tumblingWindow(10), input)).toEqual(['W(10)', 'W(11)', 'W(MAX)', '|']);
    expect(
      through(
        mapValue((n: number) => n),
        input as StreamElement<number>[],
      ),
    ).toEqual(['W(10)', 'W(11)', '|']);
    expect(through(filterValue(Boolean), input)).toEqual(['W(10)', 'W(11)', '|']);
  });

  it('P079 a result is stamped end − 1 and comes before the watermark that caused it, so that windows can be chained', () => {
    const stamps: string[] = [];
    const words = listen(
      from([r(1), r(12), W(9), W(19)]).pipe(
        tumblingWindow(10, aggregates.count()),
        map((element) => {
          stamps.push(`${element._tag} ${element.timestamp}`);
          return element;
        }),
        tumblingWindow(
          20,
          aggregates.sum((counted: WindowResult<number>) => counted.value),
        ),
      ),
    );
    expect(stamps).toEqual(['Record 9', 'Watermark 9', 'Record 19', 'Watermark 19', 'Watermark Infinity']);
    expect(words).toEqual(['W(9)', '[0,20) 2', 'W(19)', 'W(MAX)', '|']);
  });
});

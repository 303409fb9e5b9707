import { from } from 'rxjs';
import {
  aggregates,
  assignWatermarks,
  filterValue,
  keyBy,
  mapValue,
  punctuated,
  type StreamElement,
  tumblingWindow,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { listen, r, through, W } from './notation.js';

describe('order', () => {
  it('P119 windows fire by end, and equal ends by the first appearance of the key; the same in each run', () => {
    const run = () =>
      listen(
        from<StreamElement<string>[]>([r(25, 'a'), r(5, 'b'), r(15, 'a'), r(5, 'a'), W(29)]).pipe(
          keyBy((key) => key),
          tumblingWindow(10, aggregates.count()),
        ),
      );
    for (let i = 0; i < 10; i++) {
      expect(run()).toEqual(['[0,10) b: 1', '[0,10) a: 1', '[10,20) a: 1', '[20,30) a: 1', 'W(29)', 'W(MAX)', '|']);
    }
  });

  it('P120 inside a window the order is that of arrival, for collecting and folding alike', () => {
    const input = [r(3), r(1), r(2), W(9)];
    expect(through(tumblingWindow(10), input)[0]).toBe('[0,10) 3,1,2');
    const folded = tumblingWindow<number, string, undefined>(
      10,
      aggregates.fold(
        () => '',
        (text, n: number) => text + n,
      ),
    );
    expect(through(folded, input)[0]).toBe('[0,10) 312');
  });

  it('P122 operators without state keep the order, and pass every watermark', () => {
    const input: StreamElement<number>[] = [r(1), W(1), r(2), W(2)];
    expect(
      through(
        mapValue((n: number) => n),
        input,
      ),
    ).toEqual(['1@1', 'W(1)', '2@2', 'W(2)', '|']);
    expect(
      through(
        filterValue<number, undefined>((n) => n !== 2),
        input,
      ),
    ).toEqual(['1@1', 'W(1)', 'W(2)', '|']);
    const assign = assignWatermarks<number>(
      punctuated((n) => n),
      { timestamp: (n) => n },
    );
    expect(listen(from([1, 2]).pipe(assign))).toEqual(['1@1', 'W(1)', '2@2', 'W(2)', 'W(MAX)', '|']);
  });
});

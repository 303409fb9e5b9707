import { type Observable, of } from 'rxjs';
import { isRecord, type StreamElement, tumblingWindow } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { r, W } from './notation.js';

/** What a window collected, once for each subscription. */
function collected(stream: Observable<StreamElement<{ value: ReadonlyArray<number> }>>): ReadonlyArray<number>[] {
  const values: ReadonlyArray<number>[] = [];
  stream.subscribe((element) => isRecord(element) && values.push(element.value.value));
  return values;
}

describe('state of one subscription', () => {
  it('P100 accumulators are made anew for each subscriber', () => {
    const result = of<StreamElement<number>[]>(r(1), W(9)).pipe(tumblingWindow(10));
    expect([collected(result), collected(result)]).toEqual([[[1]], [[1]]]);
  });

  it('P102 windows hand out values, not streams that have to be subscribed in time', async () => {
    const [value] = collected(of<StreamElement<number>[]>(r(1), W(9)).pipe(tumblingWindow(10)));
    await Promise.resolve();
    expect(value).toEqual([1]);
  });
});

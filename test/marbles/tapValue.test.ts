import { pipe, Subject } from 'rxjs';
import { keyedRecord, tapValue, watermark } from 'tidemark';
import { describe, expect, it } from 'vitest';
import { checklist, type In, refusesNonFunctions } from '../helpers/checklist.js';

describe('tapValue', () => {
  checklist({
    operator: tapValue<number, string>(() => {}),
    output: (element: In) => element,
    twice: pipe(
      tapValue<number, string>(() => {}),
      tapValue(() => {}),
    ),
    throwing: (fail) => tapValue<number, string>(fail),
    statuses: true,
  });
  refusesNonFunctions('tapValue', 'observer', tapValue);

  it('shows value and time before the element goes on, and passes the record itself', () => {
    const source = new Subject<In>();
    const log: unknown[] = [];
    source.pipe(tapValue((value, timestamp) => log.push([value, timestamp]))).subscribe((element) => log.push(element));
    const given = [keyedRecord(1, 10, 'k'), watermark(10)];
    for (const element of given) source.next(element);
    expect(log).toStrictEqual([[1, 10], given[0], given[1]]);
    expect(log[1]).toBe(given[0]);
  });
});

import { idle, keyedRecord, MAX_TIMESTAMP, MIN_TIMESTAMP, record, watermark } from 'tidemark';
import { show } from 'tidemark/testing';
import { expect, it } from 'vitest';

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

it.each([
  [record('a', 5), 'a@5'],
  [record(undefined, 5), 'undefined@5'],
  [record(null, 5), 'null@5'],
  [record({ at: 1 }, -5), '{"at":1}@-5'],
  [record([1, 'b'], 0), '[1,"b"]@0'],
  [record(cyclic, 0), '[object Object]@0'],
  [record({ toJSON: () => undefined }, 0), '[object Object]@0'],
  [record('a', MIN_TIMESTAMP), 'a@MIN'],
  [record('a', MAX_TIMESTAMP), 'a@MAX'],
  [keyedRecord(7, 9, 'ann'), 'ann:7@9'],
  [keyedRecord(7, 9, null), 'null:7@9'],
  [watermark(4), 'W(4)'],
  [watermark(MAX_TIMESTAMP), 'W(MAX)'],
  [idle(), 'W(MIN, idle)'],
  [idle(7), 'W(7, idle)'],
])('%o is shown as %s', (element, shown) => {
  expect(show(element)).toBe(shown);
});

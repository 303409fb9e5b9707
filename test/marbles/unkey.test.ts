import { pipe } from 'rxjs';
import { keyBy, record, type StreamElement, unkey } from 'tidemark';
import { describe } from 'vitest';
import { checklist, type In } from '../helpers/checklist.js';

const unkeyed = (element: In): StreamElement<number> =>
  element._tag === 'Record' ? record(element.value, element.timestamp) : element;

describe('unkey', () => {
  checklist({
    operator: unkey<number>(),
    output: unkeyed,
    twice: pipe(
      keyBy((value: number) => value),
      unkey(),
    ),
    statuses: true,
  });
});

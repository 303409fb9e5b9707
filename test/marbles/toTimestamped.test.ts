import { pipe } from 'rxjs';
import { tapValue, toTimestamped } from 'tidemark';
import { describe } from 'vitest';
import { checklist } from '../helpers/checklist.js';

describe('toTimestamped', () => {
  checklist({
    operator: toTimestamped<number>(),
    output: (element) => (element._tag === 'Record' ? { value: element.value, timestamp: element.timestamp } : undefined),
    twice: pipe(
      tapValue<number, string>(() => {}),
      toTimestamped(),
    ),
    statuses: false,
  });
});

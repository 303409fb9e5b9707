import { pipe } from 'rxjs';
import { tapValue, toValues } from 'tidemark';
import { describe } from 'vitest';
import { checklist } from '../helpers/checklist.js';

describe('toValues', () => {
  checklist({
    operator: toValues<number>(),
    output: (element) => (element._tag === 'Record' ? element.value : undefined),
    twice: pipe(
      tapValue<number, string>(() => {}),
      toValues(),
    ),
    statuses: false,
  });
});

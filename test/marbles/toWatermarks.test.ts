import { pipe } from 'rxjs';
import { idle, MIN_TIMESTAMP, type StreamElement, tapValue, toWatermarks, watermark } from 'tidemark';
import { describe, it } from 'vitest';
import { checklist } from '../helpers/checklist.js';
import { marbles } from '../helpers/marbles.js';

describe('toWatermarks', () => {
  checklist({
    operator: toWatermarks(),
    output: (element) => (element._tag === 'Watermark' && !element.idle ? element.timestamp : undefined),
    twice: pipe(
      tapValue<number, string>(() => {}),
      toWatermarks(),
    ),
    statuses: false,
  });

  it(
    'idle: an advance counts even if it goes idle with it, a status alone and MIN say nothing',
    marbles((m) => {
      const source = m.cold<StreamElement<never>>('MIAXB|', {
        M: watermark(MIN_TIMESTAMP),
        I: idle(),
        A: watermark(5),
        X: idle(9),
        B: watermark(9),
      });
      m.expect(source.pipe(toWatermarks())).toBeObservable('--AX-|', { A: 5, X: 9 });
    }),
  );
});

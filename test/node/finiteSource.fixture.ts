// A script that must end by itself: run by process.test.ts. Its argument is the interval.

import { Readable } from 'node:stream';
import { of } from 'rxjs';
import { aggregates, assignWatermarks, boundedOutOfOrderness, tumblingWindow, withIdleness } from 'tidemark';
import { fromReadable } from 'tidemark/node';

const argument = process.argv[2] ?? '200';
const interval = argument === 'record' ? 'record' : Number(argument);

// one source that ends at once, and one that ends a few turns later, when ticks and idle timer are under way
for (const source of [of(1, 12, 25), fromReadable<number>(() => Readable.from([1, 12, 25]))]) {
  source
    .pipe(
      assignWatermarks(withIdleness(60_000)(boundedOutOfOrderness<number>(0)), { timestamp: (n) => n, interval }),
      tumblingWindow(10, aggregates.count()),
    )
    .subscribe({ complete: () => console.log('complete') });
}

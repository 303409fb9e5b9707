import { BehaviorSubject, filter, groupBy, map, mergeMap, reduce, Subject } from 'rxjs';
import { BOUND, EVERY, type Event } from './records.js';
import { type Checksum, count, emptyChecksum } from './workload.js';

/** A stream a window that a subject of watermarks ends, and a stream a key in it: what one would write with RxJS alone. */
export function grouped(size: number): (events: ReadonlyArray<Event>) => Checksum {
  const endOf = ({ ts }: Event): number => Math.floor(ts / size) * size + size;
  return (events) => {
    const found = emptyChecksum();
    const events$ = new Subject<Event>();
    const watermark$ = new BehaviorSubject(-Infinity);
    events$
      .pipe(
        filter((event) => {
          const late = endOf(event) - 1 <= watermark$.value;
          if (late) found.late++;
          return !late;
        }),
        groupBy(endOf, {
          duration: ({ key: end }) => watermark$.pipe(filter((watermark) => end - 1 <= watermark)),
        }),
        mergeMap((window$) =>
          window$.pipe(
            groupBy(({ key }) => key),
            mergeMap((key$) => key$.pipe(reduce((total, { value }) => total + 1 + value, 0))),
            map((total) => ({ total, end: window$.key })),
          ),
        ),
      )
      .subscribe(({ total, end }) => count(found, total, end));
    let max = -Infinity;
    for (let i = 0; i < events.length; ) {
      const event = events[i++] as Event;
      events$.next(event);
      if (event.ts > max) max = event.ts;
      if (i % EVERY === 0 && max - BOUND - 1 > watermark$.value) watermark$.next(max - BOUND - 1);
    }
    events$.complete();
    return found;
  };
}

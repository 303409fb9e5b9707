// A pipe of fifteen operators of all kinds, whose cost for the compiler `npm run check` measures: scripts/typeCost.ts.
import { none, some } from 'fp-ts/lib/Option.js';
import type { Observable } from 'rxjs';
import {
  aggregates,
  assignWatermarks,
  boundedOutOfOrderness,
  dedupe,
  type EventStream,
  filterMapValue,
  filterValue,
  flatMapValue,
  intervalJoinWith,
  keyBy,
  mapValue,
  processWith,
  sortByEventTime,
  tapValue,
  toValues,
  tumblingWindow,
} from 'tidemark';

interface Click {
  readonly at: number;
  readonly user: string;
  readonly page: string;
  readonly ms: number;
}
declare const clicks$: Observable<Click>;
declare const sales$: EventStream<{ readonly total: number }, string>;

// the `pipe` of RxJS knows nine operators at once
export const best$: Observable<readonly [user: string, sales: number, best: number]> = clicks$
  .pipe(
    assignWatermarks(boundedOutOfOrderness(3_000), { timestamp: (click) => click.at }),
    filterValue((click) => click.ms > 0),
    keyBy((click) => click.user),
    dedupe((click) => click.page, { within: 60_000 }),
    tapValue((click) => click.page),
    intervalJoinWith(sales$, { lower: 0, upper: 10_000 }),
    mapValue(([{ page, ms }, { total }]) => ({ page, ms, total })),
    sortByEventTime(),
    flatMapValue((sale) => [sale, { ...sale, total: -1 }]),
  )
  .pipe(
    processWith({ create: () => ({ sum: 0 }), onRecord: ({ total }, state) => [state.sum + total] }),
    filterMapValue((total) => (total > 0 ? some({ total }) : none)),
    tumblingWindow(5_000, aggregates.struct({ sales: aggregates.count(), best: aggregates.max((sale) => sale.total) })),
    mapValue(({ key, value }) => [key, value.sales, value.best] as const),
    filterValue(([user]) => user !== ''),
    toValues(),
  );

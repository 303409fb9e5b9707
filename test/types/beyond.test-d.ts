import { Ord } from 'fp-ts/lib/number.js';
import { from, type Observable } from 'rxjs';
import {
  aggregates,
  closeWhenQuiet,
  fillGaps,
  keyedRecord,
  type StreamElement,
  sessionWindow,
  slidingWindow,
  tumblingWindow,
  type WindowResult,
  windowBy,
} from 'tidemark';
import { calendar } from 'tidemark/calendar';
import { approxDistinct, histogram, quantiles } from 'tidemark/sketches';
import { same } from './expect.js';

interface Click {
  readonly user: string;
  readonly n: number;
}
const clicks$ = from([keyedRecord<Click, string>({ user: 'ann', n: 1 }, 5, 'k')]);
type Results<R> = Observable<StreamElement<WindowResult<R, string>>>;

const filled$ = clicks$.pipe(
  closeWhenQuiet({ quiet: 1_000, ahead: 5_000 }),
  tumblingWindow(5_000, aggregates.count()),
  fillGaps((key, window, last) => `${key.length} ${window.start} ${last.toFixed()}`),
);
same<typeof filled$, Results<number | string>>(true);

const sketched$ = clicks$.pipe(
  windowBy(
    calendar('day', { timeZone: 'UTC' }),
    aggregates.struct({
      users: approxDistinct((click: Click) => click.user),
      exactly: aggregates.distinctCount((click: Click) => click.user),
      quantiles: quantiles((click: Click) => click.n, [0.5]),
      bars: histogram((click: Click) => click.n, [0]),
      share: aggregates.percentOf((click: Click) => click.n > 0),
      spread: aggregates.variance((click: Click) => click.n),
    }),
  ),
);
type Summary = {
  users: number;
  exactly: number;
  quantiles: ReadonlyArray<number>;
  bars: ReadonlyArray<number>;
  share: number;
  spread: number;
};
same<typeof sketched$, Results<Summary>>(true);

// all of them merge, so that sessions take them
const best$ = clicks$.pipe(
  sessionWindow(10, aggregates.topK(3, { equals: () => false, compare: (a: Click, b: Click) => Ord.compare(a.n, b.n) })),
);
same<typeof best$, Results<ReadonlyArray<Click>>>(true);
const users$ = clicks$.pipe(
  slidingWindow(
    10,
    5,
    aggregates.distinctCount((click) => click.user),
  ),
);
same<typeof users$, Results<number>>(true);

// @ts-expect-error a unit that no calendar has
calendar('second', { timeZone: 'UTC' });
// @ts-expect-error a time zone has to be given
calendar('day', {});
// @ts-expect-error windows first
clicks$.pipe(fillGaps(() => 0));

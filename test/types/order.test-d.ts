// Compiled by `npm run check`, never run: order, patterns and RxJS in event time.
import { bufferTime, debounceTime, type Observable, timeInterval } from 'rxjs';
import {
  type Arrival,
  changes,
  dedupe,
  type EventStream,
  firstPerKey,
  lastPerKey,
  type PatternMatch,
  type PatternStep,
  pattern,
  recordArrivals,
  replay,
  type StreamRecord,
  sideOutput,
  sortByEventTime,
  type TimeWindow,
  toValues,
  withEventTime,
} from 'tidemark';
import { type Elements, type Emits, same } from './expect.js';

interface Click {
  readonly at: number;
  readonly user: string;
  readonly n: number;
}
declare const keyed$: EventStream<Click, string>;
declare const unkeyed$: EventStream<Click>;

// value and key are kept, and user functions know the value
const late = sideOutput<StreamRecord<Click, string>>();
const sorted$ = keyed$.pipe(sortByEventTime({ lateTo: late, maxBuffer: 10 }));
same<Elements<typeof sorted$>, [Click, string]>(true);
const deduped$ = keyed$.pipe(dedupe((click) => click.user, { within: 10, lateTo: (record) => record.value.n }));
same<Elements<typeof deduped$>, [Click, string]>(true);
const firsts$ = unkeyed$.pipe(firstPerKey(), lastPerKey({ within: 5 }));
same<Elements<typeof firsts$>, [Click, undefined]>(true);
const changes$ = keyed$.pipe(changes((click) => click.n));
same<Elements<typeof changes$>, [Click, string]>(true);
// @ts-expect-error the name must be a string or a number
keyed$.pipe(dedupe((click) => [click.user], { within: 10 }));
// @ts-expect-error how far duplicates are apart must be said
keyed$.pipe(dedupe((click) => click.user));
// @ts-expect-error the late output of another stream
keyed$.pipe(sortByEventTime({ lateTo: sideOutput<StreamRecord<string, string>>() }));

// RxJS in event time: keyed results only if asked for
const all$ = keyed$.pipe(withEventTime((values$, scheduler) => values$.pipe(debounceTime(10, scheduler))));
same<Elements<typeof all$>, [Click, undefined]>(true);
const each$ = keyed$.pipe(withEventTime((values$, scheduler) => values$.pipe(bufferTime(10, scheduler)), { perKey: true }));
same<Elements<typeof each$>, [Click[], string]>(true);
const gaps$ = unkeyed$.pipe(
  withEventTime((values$, scheduler) => values$.pipe(timeInterval(scheduler))),
  toValues(),
);
same<Emits<typeof gaps$>['value'], Click>(true);

// patterns: a match has the names of the steps
const rises$ = keyed$.pipe(
  pattern(
    [
      { name: 'low', where: (click) => click.n < 5 },
      { name: 'high', where: (click, soFar) => click.n > (soFar('low')[0]?.n ?? 0), follows: 'strict', times: { min: 1 } },
    ],
    { within: 10, timeoutTo: ({ taken }) => taken.low },
  ),
);
same<Elements<typeof rises$>, [PatternMatch<Click, string, 'low' | 'high'>, string]>(true);
const matches$ = rises$.pipe(toValues());
same<Emits<typeof matches$>['taken']['high'], ReadonlyArray<Click>>(true);
declare const steps: ReadonlyArray<PatternStep<{ readonly n: number }>>;
const wider$ = keyed$.pipe(pattern(steps, { within: 10 })); // steps of a wider type, kept elsewhere
same<Elements<typeof wider$>, [PatternMatch<Click, string, string>, string]>(true);
// @ts-expect-error there is no such field
keyed$.pipe(pattern([{ name: 'a', where: (click) => click.page === '' }], { within: 10 }));
// @ts-expect-error how long a match may take must be said
keyed$.pipe(pattern([{ name: 'a', where: () => true }]));
// @ts-expect-error a match has no other names
matches$.subscribe(({ taken }) => taken.middle);

// recordings: any stream, and what it was
declare const plain$: Observable<TimeWindow>;
const recorded$ = plain$.pipe(recordArrivals((arrival: Arrival<TimeWindow>) => arrival.at));
same<Emits<typeof recorded$>, TimeWindow>(true);
declare const log: ReadonlyArray<Arrival<Click>>;
const again$ = replay(log, (clicks$, scheduler) => clicks$.pipe(bufferTime(10, scheduler)), { speed: Infinity });
same<Emits<typeof again$>, Click[]>(true);

// Compiled by `npm run check`, never run: what unions and process functions infer.

import type { Observable } from 'rxjs';
import {
  alignment,
  coProcessWith,
  type EventStream,
  processWith,
  sideOutput,
  toValues,
  union,
  unionAll,
  unionWith,
} from 'tidemark';
import { type Elements, type Emits, same } from './expect.js';

interface Click {
  readonly at: number;
}
interface Order {
  readonly id: string;
}
declare const clicks$: EventStream<Click, string>;
declare const orders$: EventStream<Order, string>;
declare const counts$: EventStream<number>;
declare const rooms$: Observable<EventStream<Click, string>>;

// one element of a union of values, not a union of elements: what comes next infers it
const both$ = union(clicks$, orders$);
same<Elements<typeof both$>, [Click | Order, string]>(true);
same<Emits<ReturnType<typeof three>>, Click | Order | number>(true);
const three = () => union(clicks$, orders$, counts$).pipe(toValues());
same<Elements<ReturnType<typeof three2>>, [Click | Order | number, string | undefined]>(true);
const three2 = () => union(clicks$, orders$, counts$);

const configured$ = union(clicks$, orders$, { alignment: alignment({ maxDrift: 5 }) });
same<Elements<typeof configured$>, [Click | Order, string]>(true);

const piped$ = clicks$.pipe(unionWith(orders$, counts$));
same<Elements<typeof piped$>, [Click | Order | number, string | undefined]>(true);
const pipedConfig$ = clicks$.pipe(unionWith(orders$, { alignment: alignment({ maxDrift: 5 }) }));
same<Elements<typeof pipedConfig$>, [Click | Order, string]>(true);

const all$ = rooms$.pipe(unionAll());
same<Elements<typeof all$>, [Click, string]>(true);

// the output is what is returned or yielded; nothing is `never`
const silent$ = clicks$.pipe(processWith({ create: () => ({ n: 0 }), onRecord: () => {} }));
same<Elements<typeof silent$>, [never, string]>(true);
const processed$ = clicks$.pipe(
  processWith({
    create: () => ({ n: 0 }),
    onRecord(click, state, { key, output }) {
      state.n += click.at;
      output(sideOutput<string>(), key);
      return [state.n];
    },
    *onTimer(timestamp, { n }) {
      if (n > timestamp) yield { n };
    },
  }),
);
same<Elements<typeof processed$>, [number | { n: number }, string]>(true);

const connected$ = clicks$.pipe(
  coProcessWith(orders$, {
    create: () => new Set<string>(),
    onLeft: (click, seen) => [click.at + seen.size],
    onRight: (order) => [order.id],
    onTimer: () => [true],
  }),
);
same<Elements<typeof connected$>, [number | string | boolean, string]>(true);

// @ts-expect-error: a string would fall apart into characters
clicks$.pipe(processWith({ create: () => 0, onRecord: () => 'text' }));
// @ts-expect-error: a side output of another type
clicks$.pipe(processWith({ create: () => 0, onRecord: (_c, _s, { output }) => output(sideOutput<string>(), 5) }));
// @ts-expect-error: the keys differ
clicks$.pipe(coProcessWith(counts$, { create: () => 0, onLeft: () => [], onRight: () => [] }));
// @ts-expect-error: no stream of elements
union(clicks$, 5);

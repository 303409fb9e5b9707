import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js';
import type { Option } from 'fp-ts/lib/Option.js';
import type { These } from 'fp-ts/lib/These.js';
import {
  asOfJoinWith,
  assigners,
  coGroupWith,
  type EventStream,
  intervalJoinWith,
  type TimeWindow,
  temporalJoinWith,
  type WindowResult,
  windowJoinWith,
} from 'tidemark';
import { type Elements, same } from './expect.js';

interface Order {
  readonly id: string;
}
interface Payment {
  readonly cents: number;
}
declare const orders$: EventStream<Order, string>;
declare const payments$: EventStream<Payment, string>;
declare const numbered$: EventStream<Payment, number>;

const bounds = { lower: 0, upper: 10 };
const inner$ = orders$.pipe(intervalJoinWith(payments$, bounds));
same<Elements<typeof inner$>, [readonly [Order, Payment], string]>(true);
const left$ = orders$.pipe(intervalJoinWith(payments$, { kind: 'left', lower: 0, upper: 10 }));
same<Elements<typeof left$>, [readonly [Order, Option<Payment>], string]>(true);
const right$ = orders$.pipe(intervalJoinWith(payments$, { kind: 'right', lower: 0, upper: 10 }));
same<Elements<typeof right$>, [readonly [Option<Order>, Payment], string]>(true);
const full$ = orders$.pipe(intervalJoinWith(payments$, { kind: 'full', lower: 0, upper: 10 }));
same<Elements<typeof full$>, [These<Order, Payment>, string]>(true);
orders$.pipe(
  intervalJoinWith(payments$, { ...bounds, lateTo: { left: (late) => late.value.id, right: (late) => late.value.cents } }),
);

const pairs$ = orders$.pipe(windowJoinWith(payments$, assigners.tumbling(10)));
same<Elements<typeof pairs$>, [WindowResult<readonly [Order, Payment], string, TimeWindow>, undefined]>(true);
const unpaid$ = orders$.pipe(windowJoinWith(payments$, assigners.session(10), { kind: 'left', allowedLateness: 5 }));
same<Elements<typeof unpaid$>, [WindowResult<readonly [Order, Option<Payment>], string, TimeWindow>, undefined]>(true);
const groups$ = orders$.pipe(coGroupWith(payments$, assigners.sliding(10, 5)));
same<
  Elements<typeof groups$>,
  [WindowResult<These<NonEmptyArray<Order>, NonEmptyArray<Payment>>, string, TimeWindow>, undefined]
>(true);

const asOf$ = orders$.pipe(asOfJoinWith(payments$, { direction: 'nearest', tolerance: 5 }));
same<Elements<typeof asOf$>, [readonly [Order, Option<Payment>], string]>(true);
const versions$ = orders$.pipe(temporalJoinWith(payments$, { isDelete: (payment) => payment.cents === 0 }));
same<Elements<typeof versions$>, [readonly [Order, Payment], string]>(true);
const perhaps$ = orders$.pipe(temporalJoinWith(payments$, { kind: 'left' }));
same<Elements<typeof perhaps$>, [readonly [Order, Option<Payment>], string]>(true);

// keys of another type
// @ts-expect-error
orders$.pipe(intervalJoinWith(numbered$, bounds));
// @ts-expect-error
orders$.pipe(windowJoinWith(numbered$, assigners.tumbling(10)));
// @ts-expect-error
orders$.pipe(asOfJoinWith(numbered$));
// @ts-expect-error
orders$.pipe(temporalJoinWith(numbered$));
// @ts-expect-error: bounds are needed
orders$.pipe(intervalJoinWith(payments$, { lower: 0 }));
// @ts-expect-error: no such kind
orders$.pipe(intervalJoinWith(payments$, { ...bounds, kind: 'outer' }));

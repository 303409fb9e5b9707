// Compiled by `npm run check`, never run: record-wise operators keep the key and infer the value.
import * as O from 'fp-ts/lib/Option.js';
import { of } from 'rxjs';
import {
  compositeKey,
  concatMapValue,
  type EventStream,
  filterMapValue,
  filterValue,
  flatMapValue,
  keyBy,
  mapValue,
  mergeMapValue,
  tapValue,
  toTimestamped,
  toValues,
  toWatermarks,
  unkey,
} from 'tidemark';
import { type Elements, type Emits, same } from './expect.js';

type A = { readonly t: 'a'; readonly a: number };
type B = { readonly t: 'b'; readonly b: string };
declare const ab$: EventStream<A | B, string>;
declare const maybe$: EventStream<number | undefined, string>;
declare const words$: EventStream<string, number>;

// --- filterValue narrows: by a guard, by what TypeScript infers of a predicate, by Boolean
const guarded = ab$.pipe(
  filterValue((value): value is B => value.t === 'b'),
  mapValue((value) => value.b),
);
same<Elements<typeof guarded>, [string, string]>(true);
const inferred = ab$.pipe(
  filterValue((value) => value.t === 'b'),
  mapValue((value) => value.b),
);
same<Elements<typeof inferred>, [string, string]>(true);
const kept = ab$.pipe(filterValue((value) => value.t === 'b' && value.b.length > 1));
same<Elements<typeof kept>, [A | B, string]>(true);
const defined = maybe$.pipe(filterValue((value) => value !== undefined));
same<Elements<typeof defined>, [number, string]>(true);
const truthy = maybe$.pipe(filterValue(Boolean));
same<Elements<typeof truthy>, [number, string]>(true);

// --- the others
const longWords = words$.pipe(filterMapValue((word) => (word.length > 3 ? O.some(word.length) : O.none)));
same<Elements<typeof longWords>, [number, number]>(true);
const letters = words$.pipe(flatMapValue((word) => [...word]));
same<Elements<typeof letters>, [string, number]>(true);
const numbers = words$.pipe(
  flatMapValue(function* (word, timestamp) {
    yield word.length;
    yield timestamp;
  }),
);
same<Elements<typeof numbers>, [number, number]>(true);
const chain = words$.pipe(
  flatMapValue((word) => [word.length]),
  concatMapValue(async (n) => String(n)),
  mergeMapValue((text) => of(text.length), { concurrent: 2 }),
  tapValue((n) => n.toFixed()),
);
same<Elements<typeof chain>, [number, number]>(true);
// @ts-expect-error a string would fall apart into characters
words$.pipe(flatMapValue((word) => word));
// @ts-expect-error the value is no number
words$.pipe(tapValue((word) => word.toFixed()));

// --- keys
const keyed = words$.pipe(keyBy((word) => word[0]));
same<Elements<typeof keyed>, [string, string | undefined]>(true);
const literal = words$.pipe(keyBy((word) => (word.length > 3 ? 'long' : 'short')));
same<Elements<typeof literal>, [string, 'long' | 'short']>(true);
const composite = words$.pipe(keyBy((word, timestamp) => compositeKey(word, timestamp)));
same<Elements<typeof composite>, [string, string]>(true);
const unkeyed = words$.pipe(unkey());
same<Elements<typeof unkeyed>, [string, undefined]>(true);

// --- exits
const values = words$.pipe(toValues());
same<Emits<typeof values>, string>(true);
const timestamped = words$.pipe(toTimestamped());
same<Emits<typeof timestamped>, { value: string; timestamp: number }>(true);
const times = words$.pipe(toWatermarks());
same<Emits<typeof times>, number>(true);

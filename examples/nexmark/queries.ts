import * as N from 'fp-ts/lib/number.js';
import * as O from 'fp-ts/lib/Option.js';
import * as Ord from 'fp-ts/lib/Ord.js';
import * as T from 'fp-ts/lib/These.js';
import type { Observable } from 'rxjs';
import {
  aggregates,
  assigners,
  coGroupWith,
  compositeKey,
  countWindow,
  days,
  type EventStream,
  filterMapValue,
  filterValue,
  flatMapValue,
  intervalJoinWith,
  keyBy,
  lastPerKey,
  mapValue,
  minutes,
  seconds,
  sessionWindow,
  slidingWindow,
  tumblingWindow,
  type WindowAssigner,
  windowBy,
} from 'tidemark';
import { best, countOf, distinctOf, top } from './aggregates.js';
import type { Auction, Bid, Event, Person } from './events.js';

// Nexmark's queries, each a short pipeline from all events to its rows.

type Events = EventStream<Event>;

const persons = (events$: Events) => events$.pipe(filterValue((event): event is Person => event.type === 'person'));
const auctions = (events$: Events) => events$.pipe(filterValue((event): event is Auction => event.type === 'auction'));
const bids = (events$: Events) => events$.pipe(filterValue((event): event is Bid => event.type === 'bid'));

/** Everything, as it is: what passing on costs. */
export const q0 = (events$: Events) => events$;

/** Bids in euros. */
export const q1 = (events$: Events) =>
  bids(events$).pipe(mapValue(({ auction, bidder, price, ts }) => ({ auction, bidder, price: (price * 908) / 1_000, ts })));

/** The bids on a few auctions. */
export const q2 = (events$: Events, wanted: ReadonlyArray<number> = [1007, 1020, 2001, 2019, 2087]) =>
  bids(events$).pipe(
    filterValue(({ auction }) => wanted.includes(auction)),
    mapValue(({ auction, price }) => ({ auction, price })),
  );

const NORTH_WEST = ['or', 'id', 'ca'];

/** Who sells things of category 10 in three states. Either may come first; a day apart they don't meet any more. */
export const q3 = (events$: Events) =>
  persons(events$).pipe(
    filterValue(({ state }) => NORTH_WEST.includes(state.toLowerCase())),
    keyBy(({ id }) => id),
    intervalJoinWith(
      auctions(events$).pipe(
        filterValue(({ category }) => category === 10),
        keyBy(({ seller }) => seller),
      ),
      { lower: -days(1), upper: days(1) },
    ),
    mapValue(([{ name, city, state }, { id }]) => ({ name, city, state, auction: id })),
  );

/** An auction, and a bid on it. */
type Offer = readonly [Auction, Bid];

/** An auction as a window: what is bid for it from its opening to its end. */
const AUCTION: WindowAssigner<Offer> = {
  kind: 'event',
  assign: ([{ ts, expires }]) => [{ start: ts, end: expires + 1 }],
  maxTimestamp: ({ end }) => end - 1,
  keyOf: ({ start, end }) => `${start}-${end}`,
};

/** The higher price, of equal ones the earlier bid. */
const WINNING = Ord.getMonoid<Offer>().concat(
  Ord.contramap(([, bid]: Offer) => bid.price)(N.Ord),
  Ord.reverse(Ord.contramap(([, bid]: Offer) => bid.ts)(N.Ord)),
);

/** The winning bid of each auction, when it ends: the highest, the earliest of equals. */
export const q9 = (events$: Events) =>
  auctions(events$).pipe(
    keyBy(({ id }) => id),
    intervalJoinWith(bids(events$).pipe(keyBy(({ auction }) => auction)), { lower: 0, upper: days(1) }),
    filterValue(([{ expires }, { ts }]) => ts <= expires),
    windowBy(AUCTION, aggregates.maxBy(WINNING)),
    mapValue(({ value: [auction, bid] }) => ({ auction, bid })),
  );

/** The average closing price of each category, day by day. */
export const q4 = (events$: Events) =>
  q9(events$).pipe(
    keyBy(({ auction }) => auction.category),
    tumblingWindow(
      days(1),
      aggregates.mean(({ bid }) => bid.price),
    ),
    mapValue(({ key, value }) => ({ category: key, avgFinalPrice: value })),
  );

/** The auctions with the most bids in 10 seconds, every 2: a window over the results of a window. */
export const q5 = (events$: Events, period: number = seconds(2)) =>
  bids(events$).pipe(
    keyBy(({ auction }) => auction),
    slidingWindow(seconds(10), period, aggregates.count()),
    tumblingWindow(
      period,
      best(({ value }) => value),
    ),
    flatMapValue(({ value }) =>
      value.map(({ key, window, value: n }) => ({
        windowStart: window.start,
        windowEnd: window.end,
        auction: key,
        bids: n,
      })),
    ),
  );

/** The average price of the last ten things that somebody has sold, at each sale. */
export const q6 = (events$: Events) =>
  q9(events$).pipe(
    keyBy(({ auction }) => auction.seller),
    countWindow(
      10,
      aggregates.mean(({ bid }) => bid.price),
      { slide: 1 },
    ),
    mapValue(({ key, value }) => ({ seller: key, avgPrice: value })),
  );

/** The highest bids of each 10 seconds. */
export const q7 = (events$: Events) =>
  bids(events$).pipe(
    tumblingWindow(
      seconds(10),
      best(({ price }) => price),
    ),
    flatMapValue(({ value }) => value.map(({ auction, price, bidder, ts }) => ({ auction, price, bidder, ts }))),
  );

/** Who opens an auction in the 10 seconds in which they registered. */
export const q8 = (events$: Events) =>
  persons(events$).pipe(
    keyBy(({ id }) => id),
    coGroupWith(auctions(events$).pipe(keyBy(({ seller }) => seller)), assigners.tumbling(seconds(10))),
    filterMapValue(({ key, window, value }) =>
      T.isBoth(value) ? O.some({ person: key, name: value.left[0].name, windowStart: window.start }) : O.none,
    ),
  );

/** How many bids somebody makes without a pause of 10 seconds. */
export const q11 = (events$: Events) =>
  bids(events$).pipe(
    keyBy(({ bidder }) => bidder),
    sessionWindow(seconds(10), aggregates.count()),
    mapValue(({ key, window, value }) => ({ bidder: key, bids: value, windowStart: window.start, windowEnd: window.end })),
  );

const low = ({ price }: Bid): boolean => price < 10_000;
const mid = ({ price }: Bid): boolean => price >= 10_000 && price < 1_000_000;
const high = ({ price }: Bid): boolean => price >= 1_000_000;
const bidder = (bid: Bid): unknown => bid.bidder;
const auction = (bid: Bid): unknown => bid.auction;

const TOTALS = {
  bids: countOf(),
  bidsLow: countOf(low),
  bidsMid: countOf(mid),
  bidsHigh: countOf(high),
  bidders: distinctOf(bidder),
  biddersLow: distinctOf(bidder, low),
  biddersMid: distinctOf(bidder, mid),
  biddersHigh: distinctOf(bidder, high),
  auctions: distinctOf(auction),
  auctionsLow: distinctOf(auction, low),
  auctionsMid: distinctOf(auction, mid),
  auctionsHigh: distinctOf(auction, high),
};

/** Bids, bidders and auctions of each day, by what was bid. */
export const q15 = (events$: Events) =>
  bids(events$).pipe(
    tumblingWindow(days(1), aggregates.struct(TOTALS)),
    mapValue(({ value }) => value),
  );

/** The same for each channel, with the last minute in which it was used. */
export const q16 = (events$: Events) =>
  bids(events$).pipe(
    keyBy(({ channel = '' }) => channel),
    tumblingWindow(days(1), aggregates.struct({ ...TOTALS, last: aggregates.max(({ ts }: Bid) => ts) })),
    mapValue(({ key, value: { last, ...totals } }) => ({
      channel: key,
      minute: Math.floor(last / minutes(1)) * minutes(1),
      ...totals,
    })),
  );

/** The prices of each auction and day. */
export const q17 = (events$: Events) =>
  bids(events$).pipe(
    keyBy(({ auction }) => auction),
    tumblingWindow(
      days(1),
      aggregates.struct({
        bids: countOf(),
        bidsLow: countOf(low),
        bidsMid: countOf(mid),
        bidsHigh: countOf(high),
        min: aggregates.min(({ price }: Bid) => price),
        max: aggregates.max(({ price }: Bid) => price),
        mean: aggregates.mean(({ price }: Bid) => price),
        sum: aggregates.sum(({ price }: Bid) => price),
      }),
    ),
    mapValue(({ key, window, value }) => ({ auction: key, day: window.start, ...value })),
  );

/** The last bid of each bidder on each auction, when there has been none for a minute. */
export const q18 = (events$: Events) =>
  bids(events$).pipe(
    keyBy((bid) => compositeKey(bid.bidder, bid.auction)),
    lastPerKey({ within: minutes(1) }),
  );

/** The ten highest bids of each auction, day by day. */
export const q19 = (events$: Events) =>
  bids(events$).pipe(
    keyBy(({ auction }) => auction),
    tumblingWindow(
      days(1),
      top(({ price }) => price, 10),
    ),
    flatMapValue(({ value }) => value.map(({ auction, bidder, price, ts }, i) => ({ auction, bidder, price, ts, rank: i + 1 }))),
  );

const CHANNELS: Readonly<Record<string, string>> = { apple: '0', google: '1', facebook: '2', baidu: '3' };

/** Bids with the number of their channel, by its name or from the address. */
export const q21 = (events$: Events) =>
  bids(events$).pipe(
    filterMapValue(({ auction, bidder, price, channel = '', url = '' }) => {
      const channelId = CHANNELS[channel.toLowerCase()] ?? /[&?]channel_id=([^&]*)/.exec(url)?.[1];
      return channelId === undefined ? O.none : O.some({ auction, bidder, price, channel, channelId });
    }),
  );

/** Bids with the folders of their address. */
export const q22 = (events$: Events) =>
  bids(events$).pipe(
    mapValue(({ auction, bidder, price, channel = '', url = '' }) => {
      const [, , , dir1 = '', dir2 = '', dir3 = ''] = url.split('/');
      return { auction, bidder, price, channel, dir1, dir2, dir3 };
    }),
  );

/** What a query gives, whatever it is. */
export type Query = (events$: Events) => Observable<unknown>;

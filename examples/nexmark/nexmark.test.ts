import { createHash } from 'node:crypto';
import { from, lastValueFrom, take, toArray } from 'rxjs';
import { assignWatermarks, boundedOutOfOrderness, type EventStream, minutes, seconds, toValues } from 'tidemark';
import { describe, expect, it } from 'vitest';
import type { Auction, Bid, Event, Person } from './events.js';
import { generate } from './generator.js';
import { q0, q1, q3, q4, q5, q6, q7, q8, q9, q11, q15, q16, q17, q18, q19 } from './queries.js';

const count = 6_000;
const inOrder = await lastValueFrom(from(generate({ rate: 100 })).pipe(take(count), toArray()));
const shuffled = await lastValueFrom(from(generate({ rate: 100, outOfOrderGroupSize: 50 })).pipe(take(count), toArray()));

const bids = inOrder.filter((event): event is Bid & { watermark: number } => event.type === 'bid');
const auctions = inOrder.filter((event): event is Auction & { watermark: number } => event.type === 'auction');
const persons = inOrder.filter((event): event is Person & { watermark: number } => event.type === 'person');

/** The rows of a query over the events, in whatever order they came in. */
function rowsOf<B>(query: (events$: EventStream<Event>) => EventStream<B, unknown>, events: ReadonlyArray<Event> = inOrder): B[] {
  const rows: B[] = [];
  query(from(events).pipe(assignWatermarks(boundedOutOfOrderness(seconds(1)), { timestamp: ({ ts }) => ts, interval: 'record' })))
    .pipe(toValues())
    .subscribe((row) => rows.push(row));
  return rows;
}

function groups<A>(all: ReadonlyArray<A>, by: (one: A) => unknown): Map<unknown, A[]> {
  const found = new Map<unknown, A[]>();
  for (const one of all) found.set(by(one), [...(found.get(by(one)) ?? []), one]);
  return found;
}
const sorted = (rows: ReadonlyArray<unknown>): string[] => rows.map((row) => JSON.stringify(row)).sort();
const highest = (all: ReadonlyArray<Bid>): number => Math.max(...all.map(({ price }) => price));
const mean = (all: ReadonlyArray<number>): number => all.reduce((a, b) => a + b, 0) / all.length;

describe('Nexmark', () => {
  it('generates what Apache Beam generates, byte for byte', () => {
    const digest = (events: ReadonlyArray<Event>): string =>
      createHash('sha256')
        .update(events.map((event) => JSON.stringify(event)).join('\n'))
        .digest('hex');
    expect(digest(inOrder)).toBe('0956138b551bcf5f043298186e882639d415445b494feeb4afee971ad3badcbc');
    expect(digest(shuffled)).toBe('c08a2d5669ca36e42764b69b5e722e07532b192bd70960d9b76efef12fb7e012');
    expect([persons.length, auctions.length, bids.length]).toEqual([120, 360, 5_520]);
  });

  it('q0, q1: each event, each bid', () => {
    expect(rowsOf(q0)).toEqual(inOrder);
    expect(rowsOf(q1)).toHaveLength(bids.length);
  });

  it('q9, q4, q6: who has won, for how much, by category and by seller', () => {
    const won = auctions.flatMap(({ watermark: _, ...auction }) => {
      const offers = bids.filter((bid) => bid.auction === auction.id && bid.ts >= auction.ts && bid.ts <= auction.expires);
      const best = offers.filter(({ price }) => price === highest(offers))[0];
      return best === undefined ? [] : [{ auction: auction.id, price: best.price, ...auction, at: auction.expires }];
    });
    const rows = rowsOf(q9);
    expect(sorted(rows.map(({ auction, bid }) => [auction.id, bid.price]))).toEqual(
      sorted(won.map(({ id, price }) => [id, price])),
    );
    expect(won.length).toBeGreaterThan(100);
    const expires = rows.map(({ auction }) => auction.expires);
    expect(expires).toEqual([...expires].sort((a, b) => a - b));

    const byCategory = [...groups(won, ({ category }) => category)].map(([category, all]) => ({
      category,
      avgFinalPrice: Math.round(mean(all.map(({ price }) => price))),
    }));
    const averages = rowsOf(q4).map(({ category, avgFinalPrice }) => ({ category, avgFinalPrice: Math.round(avgFinalPrice) }));
    expect(sorted(averages)).toEqual(sorted(byCategory));

    const last = [...new Map(rowsOf(q6).map((row) => [row.seller, row])).values()];
    const tens = [...groups(rows, ({ auction }) => auction.seller)].map(([seller, all]) => ({
      seller,
      avgPrice: mean(all.slice(-10).map(({ bid }) => bid.price)),
    }));
    expect(sorted(last.map((row) => [row.seller, Math.round(row.avgPrice)]))).toEqual(
      sorted(tens.map((row) => [row.seller, Math.round(row.avgPrice)])),
    );
  });

  it('q7: the highest of each 10 seconds', () => {
    const expected = [...groups(bids, ({ ts }) => Math.floor(ts / 10_000)).values()].flatMap((all) =>
      all.filter(({ price }) => price === highest(all)).map(({ auction, price, bidder, ts }) => ({ auction, price, bidder, ts })),
    );
    expect(sorted(rowsOf(q7))).toEqual(sorted(expected));
  });

  it('q11: sessions', () => {
    const expected = [...groups(bids, ({ bidder }) => bidder)].flatMap(([bidder, all]) => {
      const sessions: Bid[][] = [];
      for (const bid of all) {
        const session = sessions.at(-1);
        if (session !== undefined && bid.ts - (session.at(-1) ?? bid).ts <= 10_000) session.push(bid);
        else sessions.push([bid]);
      }
      return sessions.map((session) => [bidder, session.length]);
    });
    expect(sorted(rowsOf(q11).map((row) => [row.bidder, row.bids]))).toEqual(sorted(expected));
  });

  it('q16, q17: by channel and by auction', () => {
    const [totals] = rowsOf(q15);
    expect(rowsOf(q16)).toEqual([
      { channel: '', minute: Math.floor((bids.at(-1)?.ts ?? 0) / minutes(1)) * minutes(1), ...totals },
    ]);
    const expected = [...groups(bids, ({ auction }) => auction)].map(([auction, all]) => [auction, all.length, highest(all)]);
    expect(sorted(rowsOf(q17).map((row) => [row.auction, row.bids, row.max]))).toEqual(sorted(expected));
  });

  it('q18, q19: the last of a bidder, the ten highest', () => {
    const lasts = [...groups(bids, ({ bidder, auction }) => `${bidder} ${auction}`).values()].map((all) => all.at(-1));
    expect(sorted(rowsOf(q18))).toEqual(sorted(lasts));
    const tens = [...groups(bids, ({ auction }) => auction).values()].flatMap((all) =>
      all
        .map(({ price }) => price)
        .sort((a, b) => b - a)
        .slice(0, 10),
    );
    expect(sorted(rowsOf(q19).map(({ price }) => price))).toEqual(sorted(tens));
  });

  it('the order of arrival does not matter, as long as the watermark waits for it', () => {
    for (const query of [q3, q4, q5, q7, q8, q9, q11, q15, q17, q18]) {
      expect(
        sorted(
          rowsOf<unknown>(
            query,
            shuffled.map(({ watermark: _, ...event }) => event),
          ),
        ),
      ).toEqual(
        sorted(
          rowsOf<unknown>(
            query,
            inOrder.map(({ watermark: _, ...event }) => event),
          ),
        ),
      );
    }
  });
});

/** Somebody has registered. */
export interface Person {
  readonly type: 'person';
  readonly id: number;
  readonly name: string;
  readonly city: string;
  readonly state: string;
  readonly ts: number;
  readonly email?: string;
  readonly card?: string;
  readonly extra?: string;
}

/** Something is for sale until `expires`. */
export interface Auction {
  readonly type: 'auction';
  readonly id: number;
  readonly item: string;
  readonly initialBid: number;
  readonly reserve: number;
  readonly ts: number;
  readonly expires: number;
  readonly seller: number;
  readonly category: number;
  readonly description?: string;
  readonly extra?: string;
}

/** Somebody offers a price, in cents. */
export interface Bid {
  readonly type: 'bid';
  readonly auction: number;
  readonly bidder: number;
  readonly price: number;
  readonly ts: number;
  readonly channel?: string;
  readonly url?: string;
  readonly extra?: string;
}

/** What happens at an auction house; `ts` is when, in ms since the epoch. */
export type Event = Person | Auction | Bid;

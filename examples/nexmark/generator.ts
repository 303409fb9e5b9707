import type { Event } from './events.js';
import { Random } from './random.js';

/** What a generated stream is like. */
export interface GeneratorConfig {
  /** Events a second. */
  readonly rate: number;
  /** Each block of so many events is shuffled; 1 is in order. */
  readonly outOfOrderGroupSize?: number;
  /** ms, the time of the first event. */
  readonly baseTime?: number;
}

/** An event, and before which time none follows any more: a Beam watermark, 1 ms above Flink's. */
export type Generated = Event & { readonly watermark: number };

const BASE_TIME = Date.UTC(2015, 6, 15);
const IN_EPOCH = 50; // of so many events the first is a person, the next three are auctions
const AUCTIONS = 3;
const FIRST = 1_000; // the first id of persons and of auctions
const LEAD = 10; // ids that don't exist yet may be drawn
const ACTIVE_PEOPLE = 1_000;
const IN_FLIGHT = 100; // auctions
const HOT = 100; // what is hot has ids that are multiples of it

const FIRST_NAMES = 'Peter Paul Luke John Saul Vicky Kate Julie Sarah Deiter Walter'.split(' ');
const LAST_NAMES = 'Shultz Abrams Spencer White Bartels Walton Smith Jones Noris'.split(' ');
const CITIES = 'Phoenix,Los Angeles,San Francisco,Boise,Portland,Bend,Redmond,Seattle,Kent,Cheyenne'.split(',');
const STATES = 'AZ CA ID OR WA WY'.split(' ');

/**
 * The events of Nexmark as Apache Beam generates them, byte for byte: each one is drawn from a generator of its own, seeded
 * with its number, so the stream is the same each time.
 */
export function* generate(config: GeneratorConfig): Generator<Generated> {
  const { rate, outOfOrderGroupSize: group = 1, baseTime = BASE_TIME } = config;
  const delay = Math.floor((1_000_000 + Math.floor(rate / 2)) / rate); // µs
  const time = (n: number): number => baseTime + Math.floor((n * delay) / 1_000);
  for (let k = 0; ; k++) {
    const block = Math.floor(k / group) * group;
    const id = block + ((k * 953) % group);
    const closes = time(id + Math.floor((IN_FLIGHT * IN_EPOCH) / AUCTIONS));
    yield { ...event(id, time(id), closes), watermark: time(block) } as Generated;
  }
}

function event(id: number, ts: number, closes: number): Event {
  const random = new Random(id);
  const epoch = Math.floor(id / IN_EPOCH);
  const offset = id % IN_EPOCH;
  const person = epoch; // the last one there is
  if (offset < 1) return newPerson(random, person, ts);
  const auction = epoch * AUCTIONS + Math.min(offset - 1, AUCTIONS - 1);
  return offset <= AUCTIONS ? newAuction(random, auction, person, ts, closes) : newBid(random, auction, person, ts);
}

function newPerson(random: Random, id: number, ts: number): Event {
  const name = `${pick(random, FIRST_NAMES)} ${pick(random, LAST_NAMES)}`;
  const email = `${text(random, 7)}@${text(random, 5)}.com`;
  const card = Array.from({ length: 4 }, () => `${random.int(10_000)}`.padStart(4, '0')).join(' ');
  const city = pick(random, CITIES);
  const state = pick(random, STATES);
  const extra = filler(random, 8 + name.length + email.length + card.length + city.length + state.length, 200);
  return { type: 'person', id: id + FIRST, name, email, card, city, state, ts, extra };
}

function newAuction(random: Random, id: number, lastPerson: number, ts: number, closes: number): Event {
  const seller = (random.int(4) > 0 ? hot(lastPerson) : anyPerson(random, lastPerson)) + FIRST;
  const category = 10 + random.int(5);
  const initialBid = price(random);
  const expires = ts + 1 + random.int(Math.max(2 * (closes - ts), 1));
  const item = text(random, 20);
  const description = text(random, 100);
  const reserve = initialBid + price(random);
  const extra = filler(random, 8 + item.length + description.length + 40, 500);
  return { type: 'auction', id: id + FIRST, item, description, initialBid, reserve, ts, expires, seller, category, extra };
}

function newBid(random: Random, lastAuction: number, lastPerson: number, ts: number): Event {
  const auction = (random.int(2) > 0 ? hot(lastAuction) : anyAuction(random, lastAuction)) + FIRST;
  const bidder = (random.int(4) > 0 ? hot(lastPerson) + 1 : anyPerson(random, lastPerson)) + FIRST;
  const offer = price(random);
  return { type: 'bid', auction, bidder, price: offer, ts, extra: filler(random, 32, 100) };
}

function hot(last: number): number {
  return Math.floor(last / HOT) * HOT;
}

function anyPerson(random: Random, last: number): number {
  const people = last + 1;
  const active = Math.min(people, ACTIVE_PEOPLE);
  return people - active + random.int(active + LEAD);
}

function anyAuction(random: Random, last: number): number {
  const least = Math.max(last - IN_FLIGHT, 0);
  return least + random.int(last - least + 1 + LEAD);
}

function pick(random: Random, words: ReadonlyArray<string>): string {
  return words[random.int(words.length)] ?? '';
}

function price(random: Random): number {
  return Math.round(10 ** (6 * random.double()) * 100);
}

/** Words of up to `most` letters in all. */
function text(random: Random, most: number): string {
  const length = 3 + random.int(most - 3);
  const letters = Array.from({ length }, () => (random.int(13) === 0 ? ' ' : String.fromCharCode(97 + random.int(26))));
  return letters.join('').trim();
}

/** So much that an event of `size` bytes is about `average` long. */
function filler(random: Random, size: number, average: number): string {
  if (size > average) return '';
  const missing = average - size;
  const spread = Math.round(0.2 * missing);
  const length = missing - spread + (spread === 0 ? 0 : random.int(2 * spread));
  let filled = '';
  while (filled.length < length) {
    let draw = random.int(); // a negative one gives characters below 'a', as in the original
    for (let i = 0; i < 6 && filled.length < length; i++) {
      filled += String.fromCharCode(97 + (draw % 26));
      draw = Math.trunc(draw / 26);
    }
  }
  return filled;
}

import type { Aggregate, MergeableAggregateSpec } from 'tidemark';
import type { Bid } from './events.js';

/** All of those that no other beats, in the order of their arrival. */
export function best<A>(score: (value: A) => number): Aggregate<A, ReadonlyArray<A>> {
  return top(score, 1, true);
}

/** The `n` best, the best first; of equal ones the earlier first, and with `ties` those that equal the last one too. */
export function top<A>(score: (value: A) => number, n: number, ties = false): Aggregate<A, ReadonlyArray<A>> {
  const spec: MergeableAggregateSpec<A, ReadonlyArray<A>, A[]> = {
    create: () => [],
    add: (state, value) => insert(state, value),
    result: (state) => [...state],
    merge: (left, right) => right.reduce(insert, left),
  };
  return spec;

  function insert(state: A[], value: A): A[] {
    const at = state.findIndex((other) => score(other) < score(value));
    state.splice(at < 0 ? state.length : at, 0, value);
    let length = Math.min(n, state.length);
    const last = state[length - 1];
    if (ties && last !== undefined) {
      for (let next = state[length]; next !== undefined && score(next) === score(last); next = state[length]) length++;
    }
    state.length = length;
    return state;
  }
}

const ANY = (): boolean => true;

/** How many bids are of a kind. */
export function countOf(is: (bid: Bid) => boolean = ANY) {
  const spec: MergeableAggregateSpec<Bid, number, number> = {
    create: () => 0,
    add: (n, bid) => (is(bid) ? n + 1 : n),
    result: (n) => n,
    merge: (left, right) => left + right,
    commutative: true,
  };
  return spec;
}

/** How many different ones there are among the bids of a kind. */
export function distinctOf(by: (bid: Bid) => unknown, is: (bid: Bid) => boolean = ANY) {
  const spec: MergeableAggregateSpec<Bid, number, Set<unknown>> = {
    create: () => new Set(),
    add: (seen, bid) => (is(bid) ? seen.add(by(bid)) : seen),
    result: (seen) => seen.size,
    merge: (left, right) => new Set([...left, ...right]),
    commutative: true,
  };
  return spec;
}

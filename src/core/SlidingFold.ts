import type { MergeableAggregateSpec } from '../windows/aggregates/aggregate.js';

/** A stretch of time that no window cuts: all of its records are in the same windows. */
export interface Slice<K, S> {
  readonly start: number;
  readonly end: number;
  /** The end of the first window with it. */
  readonly first: number;
  /** The end of the last window with it. */
  readonly last: number;
  /** By key, until it has entered: from then on they are found by the chains of their keys. */
  cells: Map<K, Cell<K, S>> | undefined;
  /** The same cells, in the order of their first appearance. */
  readonly list: Cell<K, S>[];
  /** It has entered, and is part of the window that fires next. */
  inside: boolean;
  /**
   * The cells whose keys are in no older slice that is inside (and some that were), a bit each by their place: in order
   * without sorting, and nothing twice.
   */
  owners: number[];
  /** It is in the list of those with owners. */
  ranked: boolean;
}

/** The records of one key in one slice. */
export interface Cell<K, S> {
  /** What they fold to, unless that was lost to a suffix. */
  state: S;
  readonly slice: Slice<K, S>;
  chain: KeyChain<K, S> | undefined;
  previous: Cell<K, S> | undefined;
  next: Cell<K, S> | undefined;
  /** Its index in the slice. */
  readonly place: number;
}

/** A cell that is looked at again after it has left the windows to come. */
export interface LongCell<K, S> extends Cell<K, S> {
  /** The fold of this cell and those after it, up to the edge of its chain. Other cells keep it in `state`. */
  suffix: S | undefined;
  /** The end of the last window that had fired when it began: later ones have fired with it. */
  readonly born: number;
}

/** The cells of one key in slices that have entered, the oldest first, and the running fold of those inside. */
export interface KeyChain<K, S> {
  readonly key: K;
  last: Cell<K, S> | undefined;
  /** The oldest that is inside. */
  first: Cell<K, S> | undefined;
  /** The last cell with a suffix; without one `state` is the fold of all that are inside. */
  edge: Cell<K, S> | undefined;
  /** The fold of the cells behind the edge. */
  state: S;
  /** Is there anything in `state`? */
  filled: boolean;
}

/**
 * The folds of cells that come in at one end and leave at the other. While the aggregate can take back exactly what it has
 * merged, what leaves is subtracted. Else there are two stacks: newcomers are merged into one fold, and when the
 * oldest leaves, the cells that are there get the fold from each of them on, which serves until the last one has left. A
 * cell is merged twice then, however many windows it is in.
 *
 * The first state that can't be removed exactly (a fraction among sums, say) makes it two stacks for good.
 */
export class SlidingFold<A, K, S> {
  private readonly merge: (left: S, right: S) => S;
  private remove: ((state: S, other: S) => S) | undefined;
  private readonly removable: ((state: S) => boolean) | undefined;

  constructor(
    private readonly aggregate: MergeableAggregateSpec<A, unknown, S>,
    /** The states of cells are asked for after they have left. */
    private readonly keeps: boolean,
  ) {
    this.merge = aggregate.merge;
    this.remove = aggregate.remove;
    this.removable = aggregate.removable;
  }

  chain(key: K): KeyChain<K, S> {
    return { key, last: undefined, first: undefined, edge: undefined, state: this.aggregate.create(), filled: false };
  }

  /** A state that may be changed. */
  copy(state: S): S {
    return this.aggregate.merge(this.aggregate.create(), state);
  }

  /** What all cells inside hold; only to be looked at. */
  stateOf(chain: KeyChain<K, S>): S {
    if (chain.edge === undefined) return chain.state;
    const suffix = this.suffixOf(chain.first as Cell<K, S>);
    return chain.filled ? this.aggregate.merge(this.copy(suffix), chain.state) : suffix;
  }

  private suffixOf(cell: Cell<K, S>): S {
    return this.keeps ? ((cell as LongCell<K, S>).suffix as S) : cell.state;
  }
  private setSuffix(cell: Cell<K, S>, suffix: S): void {
    if (this.keeps) (cell as LongCell<K, S>).suffix = suffix;
    else cell.state = suffix;
  }

  /** The newest cell comes in. */
  enter(chain: KeyChain<K, S>, cell: Cell<K, S>, chains: Map<K, KeyChain<K, S>>): void {
    const { last } = chain;
    cell.chain = chain;
    cell.previous = last;
    if (last !== undefined) last.next = cell;
    chain.last = cell;
    chain.state = this.aggregate.merge(chain.filled ? chain.state : this.aggregate.create(), cell.state);
    chain.filled = true;
    this.check(cell, chain, chains);
  }

  /** The oldest cell inside goes out. */
  leave(chain: KeyChain<K, S>, cell: Cell<K, S>): void {
    const { next } = cell;
    if (next === undefined) {
      chain.filled = false;
      chain.edge = undefined;
    } else if (this.remove !== undefined) {
      chain.state = this.remove(chain.state, cell.state);
    } else if (chain.edge === undefined) {
      this.turn(chain, next);
    } else if (chain.edge === cell) {
      chain.edge = undefined;
    }
  }

  /** Gives each cell the fold of itself and those after it. */
  private turn(chain: KeyChain<K, S>, first: Cell<K, S>): void {
    const { last } = chain;
    let cell = last as Cell<K, S>;
    if (this.keeps) this.setSuffix(cell, this.copy(cell.state));
    while (cell !== first) {
      const suffix = this.suffixOf(cell);
      cell = cell.previous as Cell<K, S>;
      this.setSuffix(cell, this.merge(this.keeps ? this.copy(cell.state) : cell.state, suffix));
    }
    chain.edge = last;
    chain.filled = false;
  }

  /** The cell of a key in a slice that has entered. */
  find(chain: KeyChain<K, S>, slice: Slice<K, S>): Cell<K, S> | undefined {
    let cell = chain.last;
    while (cell !== undefined && cell.slice.start > slice.start) cell = cell.previous;
    return cell?.slice === slice ? cell : undefined;
  }

  /** A new cell takes its place in the middle. */
  insert(chain: KeyChain<K, S>, cell: Cell<K, S>): void {
    const { start } = cell.slice;
    let previous = chain.last;
    let next: Cell<K, S> | undefined;
    while (previous !== undefined && previous.slice.start > start) {
      next = previous;
      previous = previous.previous;
    }
    cell.chain = chain;
    cell.previous = previous;
    cell.next = next;
    if (previous !== undefined) previous.next = cell;
    if (next !== undefined) next.previous = cell;
    else chain.last = cell;
    if (cell.slice.inside && isBefore(cell, chain.edge)) {
      this.setSuffix(cell, this.copy(this.suffixOf(next as Cell<K, S>)));
    }
  }

  /** Something more goes into a cell. */
  addBehind(cell: Cell<K, S>, one: S, chains: Map<K, KeyChain<K, S>>): void {
    const chain = cell.chain as KeyChain<K, S>;
    const { merge } = this.aggregate;
    if (!cell.slice.inside) {
      cell.state = merge(cell.state, one);
      return;
    }
    if (!isBefore(cell, chain.edge)) {
      cell.state = merge(cell.state, one);
      chain.state = merge(chain.filled ? chain.state : this.aggregate.create(), one);
      chain.filled = true;
      this.check(cell, chain, chains);
      return;
    }
    if (this.keeps) cell.state = merge(cell.state, one);
    for (let at: Cell<K, S> | undefined = cell; at?.slice.inside === true; at = at.previous) {
      this.setSuffix(at, merge(this.suffixOf(at), one));
    }
  }

  /** From subtracting to two stacks, if something can't be subtracted. */
  private check(cell: Cell<K, S>, chain: KeyChain<K, S>, chains: Map<K, KeyChain<K, S>>): void {
    const { removable } = this;
    if (this.remove === undefined || removable === undefined || (removable(cell.state) && removable(chain.state))) return;
    this.remove = undefined;
    for (const other of chains.values()) {
      other.state = this.aggregate.create();
      let at = other.last;
      for (; at?.slice.inside === true; at = at.previous) other.state = this.merge(other.state, at.state);
    }
  }
}

/** Has this cell a suffix, with that edge? */
function isBefore<K, S>(cell: Cell<K, S>, edge: Cell<K, S> | undefined): boolean {
  return edge !== undefined && cell.slice.start <= edge.slice.start;
}

import type { Option } from 'fp-ts/lib/Option.js';
import type { These } from 'fp-ts/lib/These.js';
import type { StreamRecord } from '../../element/element.js';

/**
 * What a join gives, by its kind. A side that may be absent is fp-ts's `Option`; of two that may be, `These` says which
 * are there.
 *
 * @category combining
 * @since 0.1.0
 */
export interface Joined<L, R> {
  readonly inner: readonly [L, R];
  readonly left: readonly [L, Option<R>];
  readonly right: readonly [Option<L>, R];
  readonly full: These<L, R>;
}

/**
 * Which rows come out without a partner too: none, those of the left, those of the right, or both.
 *
 * @category combining
 * @since 0.1.0
 */
export type JoinKind = keyof Joined<unknown, unknown>;

type Cell<A> = Pick<StreamRecord<A, unknown>, 'value'> | null;

/** Makes the value of a result of two rows, or of one. */
export type Shape<L, R, B> = (left: Cell<L>, right: Cell<R>) => B;

// plain literals: fp-ts is known by its types only
const NONE: Option<never> = { _tag: 'None' };

/** The value of a cell that is there: a join of this kind never makes a result without it. */
function present<A>(cell: Cell<A>): A {
  return (cell as { readonly value: A }).value;
}

function option<A>(cell: Cell<A>): Option<A> {
  return cell === null ? NONE : { _tag: 'Some', value: cell.value };
}

const SHAPES: { readonly [J in JoinKind]: <L, R>(left: Cell<L>, right: Cell<R>) => Joined<L, R>[J] } = {
  inner: (left, right) => [present(left), present(right)],
  left: (left, right) => [present(left), option(right)],
  right: (left, right) => [option(left), present(right)],
  full: (left, right) => these(left, right),
};

function these<L, R>(left: Cell<L>, right: Cell<R>): These<L, R> {
  if (right === null) return { _tag: 'Left', left: present(left) };
  return left === null ? { _tag: 'Right', right: right.value } : { _tag: 'Both', left: left.value, right: right.value };
}

export const KINDS: ReadonlyArray<JoinKind> = ['inner', 'left', 'right', 'full'];

/** The shape of a join of this kind. */
export function shapeOf<L, R, J extends JoinKind>(kind: J): Shape<L, R, Joined<L, R>[J]> {
  return SHAPES[kind];
}

/** Which sides come out alone in a join of this kind. */
export function aloneIn(kind: JoinKind): { readonly left: boolean; readonly right: boolean } {
  return { left: kind === 'left' || kind === 'full', right: kind === 'right' || kind === 'full' };
}

import type { Option } from 'fp-ts/lib/Option.js';
import type { These } from 'fp-ts/lib/These.js';

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

/** Makes the value of a result of two rows, and of one of a side of which such come out. */
export interface Shape<L, R, B> {
  readonly pair: (left: L, right: R) => B;
  readonly left?: (left: L) => B;
  readonly right?: (right: R) => B;
}

// plain literals: fp-ts is known by its types only
const NONE: Option<never> = { _tag: 'None' };

const some = <A>(value: A): Option<A> => ({ _tag: 'Some', value });

const SHAPES: { readonly [J in JoinKind]: Shape<unknown, unknown, Joined<unknown, unknown>[J]> } = {
  inner: { pair: (left, right) => [left, right] },
  left: { pair: (left, right) => [left, some(right)], left: (left) => [left, NONE] },
  right: { pair: (left, right) => [some(left), right], right: (right) => [NONE, right] },
  full: {
    pair: (left, right) => ({ _tag: 'Both', left, right }),
    left: (left) => ({ _tag: 'Left', left }),
    right: (right) => ({ _tag: 'Right', right }),
  },
};

export const KINDS: ReadonlyArray<JoinKind> = ['inner', 'left', 'right', 'full'];

/** The shape of a join of this kind. */
export function shapeOf<L, R, J extends JoinKind>(kind: J): Shape<L, R, Joined<L, R>[J]> {
  return SHAPES[kind] as unknown as Shape<L, R, Joined<L, R>[J]>;
}

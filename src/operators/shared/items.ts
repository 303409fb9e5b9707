import { refuse } from '../../time/assert.js';

/**
 * What user code hands back: any iterable but a string, which would fall apart into characters.
 *
 * @category record-wise
 * @since 0.1.0
 */
export type Items<B> = Iterable<B> & object;

/** Throws for a string: the type refuses it, but not every caller has types. `or` says what is allowed besides. */
export function assertItems(where: string, of: string, items: unknown, or = ''): void {
  if (typeof items === 'string') throw refuse(where, `the result of ${of}`, items, `an iterable that is no string${or}`);
}

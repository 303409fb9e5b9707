/**
 * What user code hands back: any iterable but a string, which would fall apart into characters.
 *
 * @category record-wise
 * @since 0.1.0
 */
export type Items<B> = Iterable<B> & object;

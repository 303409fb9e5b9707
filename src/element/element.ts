/** The end of negative time: as a watermark "nothing is promised yet", on a record "has no timestamp". */
export const MIN_TIMESTAMP: number = -Infinity;

/** The end of time: as a watermark "the stream has ended", on a record the time of a result without end. */
export const MAX_TIMESTAMP: number = Infinity;

/**
 * A value that happened at `timestamp` (ms since the epoch).
 *
 * `key` is always present and `undefined` while the stream is not keyed, so that every record has the same shape; build
 * records with {@link record} and {@link keyedRecord}.
 *
 * @category elements
 * @since 0.1.0
 */
export interface StreamRecord<out A, out K = undefined> {
  readonly _tag: 'Record';
  readonly value: A;
  /** Event time in ms since the epoch; `MIN_TIMESTAMP` if the record has none, `MAX_TIMESTAMP` for results without end. */
  readonly timestamp: number;
  readonly key: K;
}

/**
 * The promise that no record with a timestamp ≤ `timestamp` follows, and whether to go on waiting for this stream.
 *
 * A watermark is the pair (time, idle) that holds from now on. `idle: true` says "do not wait for me"; it does not say
 * that time went on.
 *
 * @category elements
 * @since 0.1.0
 */
export interface Watermark {
  readonly _tag: 'Watermark';
  readonly timestamp: number;
  readonly idle: boolean;
}

/**
 * What flows through every operator: records, and between them the progress of event time.
 *
 * @category elements
 * @since 0.1.0
 */
export type StreamElement<A, K = undefined> = StreamRecord<A, K> | Watermark;

/**
 * An unkeyed record.
 *
 * ```ts
 * record('a', 1_000); // { _tag: 'Record', value: 'a', timestamp: 1000, key: undefined }
 * ```
 *
 * @category elements
 * @since 0.1.0
 */
export function record<A>(value: A, timestamp: number): StreamRecord<A> {
  return { _tag: 'Record', value, timestamp, key: undefined };
}

/**
 * A record that belongs to `key`. Keys are compared as `Map` compares them: objects by identity, so give strings.
 *
 * ```ts
 * keyedRecord(7, 1_000, 'user1'); // { _tag: 'Record', value: 7, timestamp: 1000, key: 'user1' }
 * ```
 *
 * @category elements
 * @since 0.1.0
 */
export function keyedRecord<A, K>(value: A, timestamp: number, key: K): StreamRecord<A, K> {
  return { _tag: 'Record', value, timestamp, key };
}

/**
 * The watermark of an active stream.
 *
 * ```ts
 * watermark(4_999); // { _tag: 'Watermark', timestamp: 4999, idle: false }
 * ```
 *
 * @category elements
 * @since 0.1.0
 */
export function watermark(timestamp: number): Watermark {
  return { _tag: 'Watermark', timestamp, idle: false };
}

/**
 * The watermark of a stream that has gone idle at `timestamp`, by default before it promised anything.
 *
 * ```ts
 * idle(4_999); // { _tag: 'Watermark', timestamp: 4999, idle: true }
 * ```
 *
 * @category elements
 * @since 0.1.0
 */
export function idle(timestamp: number = MIN_TIMESTAMP): Watermark {
  return { _tag: 'Watermark', timestamp, idle: true };
}

/**
 * Is this element a record? Narrows the type, also inside RxJS's `filter`.
 *
 * @category elements
 * @since 0.1.0
 */
export function isRecord<A, K>(element: StreamElement<A, K>): element is StreamRecord<A, K> {
  return element._tag === 'Record';
}

/**
 * Is this element a watermark? Narrows the type, also inside RxJS's `filter`.
 *
 * @category elements
 * @since 0.1.0
 */
export function isWatermark(element: StreamElement<unknown, unknown>): element is Watermark {
  return element._tag === 'Watermark';
}

/**
 * Folds an element by what it is.
 *
 * ```ts
 * const show = match((value, timestamp) => `${value}@${timestamp}`, (timestamp) => `W(${timestamp})`);
 * show(record('a', 5)); // 'a@5'
 * ```
 *
 * @category elements
 * @since 0.1.0
 */
export function match<A, B, K>(
  onRecord: (value: A, timestamp: number, key: K) => B,
  onWatermark: (timestamp: number, idle: boolean) => B,
): (element: StreamElement<A, K>) => B {
  return matchW(onRecord, onWatermark);
}

/**
 * {@link match} whose two arms may give different types.
 *
 * @category elements
 * @since 0.1.0
 */
export function matchW<A, B, C, K>(
  onRecord: (value: A, timestamp: number, key: K) => B,
  onWatermark: (timestamp: number, idle: boolean) => C,
): (element: StreamElement<A, K>) => B | C {
  return (element) =>
    element._tag === 'Record'
      ? onRecord(element.value, element.timestamp, element.key)
      : onWatermark(element.timestamp, element.idle);
}

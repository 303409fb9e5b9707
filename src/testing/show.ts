import { MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamElement } from '../element/element.js';

/**
 * An element in one short word, for the output of tests: `value@time`, `key:value@time`, `W(time)`, `W(time, idle)`.
 *
 * ```ts
 * [record('a', 5), keyedRecord(7, 9, 'ann'), idle(4), watermark(MAX_TIMESTAMP)].map(show).join(); // 'a@5,ann:7@9,W(4, idle),W(MAX)'
 * ```
 *
 * @category testing
 * @since 0.1.0
 */
export function show(element: StreamElement<unknown, unknown>): string {
  if (element._tag === 'Watermark') return `W(${time(element.timestamp)}${element.idle ? ', idle' : ''})`;
  const key = element.key === undefined ? '' : `${text(element.key)}:`;
  return `${key}${text(element.value)}@${time(element.timestamp)}`;
}

function time(timestamp: number): string {
  return timestamp === MIN_TIMESTAMP ? 'MIN' : timestamp === MAX_TIMESTAMP ? 'MAX' : String(timestamp);
}

function text(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    try {
      return JSON.stringify(value) ?? String(value);
    } catch {
      return String(value); // cyclic, or with a BigInt in it
    }
  }
  return String(value);
}

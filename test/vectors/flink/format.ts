import { MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamElement } from 'tidemark';
import type { Json } from '../json.js';

/** A time of a case: ms, `"MAX"` or `"MIN"`. */
export type Time = number | 'MAX' | 'MIN';

/** A record of a case; it is also the value of the stream that replays it. */
export interface Item {
  readonly key: unknown;
  readonly value: unknown;
  /** A field of the value's own. */
  readonly time?: number;
}

export interface Step {
  readonly record?: Item & { readonly timestamp?: number };
  readonly watermark?: Time;
  readonly processingTime?: number;
  readonly idle?: true;
  readonly active?: true;
  readonly end?: true;
  readonly input?: number;
}

export interface Operator extends Json {
  readonly kind: string;
}

export interface FlinkCase {
  readonly name: string;
  readonly doc: string;
  readonly engine?: string;
  readonly operator: Operator;
  readonly input: ReadonlyArray<Step>;
  readonly output: ReadonlyArray<Json>;
}

export function toTime(time: unknown): number {
  return time === 'MAX' ? MAX_TIMESTAMP : time === 'MIN' ? MIN_TIMESTAMP : (time as number);
}

export function fromTime(time: number): Time {
  return time === MAX_TIMESTAMP ? 'MAX' : time === MIN_TIMESTAMP ? 'MIN' : time;
}

/** A record as the vectors write it: no timestamp for none, no key for none. */
export function stamped(fields: Json, timestamp: number): Json {
  return timestamp === MIN_TIMESTAMP ? fields : { ...fields, timestamp: fromTime(timestamp) };
}

/** Spells our (time, idle) watermarks out into active, watermark and idle, as rule W6 reads them. The only place that does. */
export class Speller {
  private time = MIN_TIMESTAMP;
  private idle = false;

  spell<A, K>(element: StreamElement<A, K>, record: (value: A, timestamp: number) => Json): Json[] {
    if (element._tag === 'Record') return [{ record: record(element.value, element.timestamp) }];
    const items: Json[] = [];
    if (this.idle && !element.idle) items.push({ active: true });
    if (element.timestamp > this.time) items.push({ watermark: fromTime(element.timestamp) });
    if (!this.idle && element.idle) items.push({ idle: true });
    this.time = Math.max(this.time, element.timestamp);
    this.idle = element.idle;
    return items;
  }
}

/** Reads active, watermark and idle of a case into our pairs, for one input. */
export class Reader {
  private time = MIN_TIMESTAMP;
  private idle = false;

  read(step: Step): StreamElement<Item, unknown> | undefined {
    if (step.record !== undefined) {
      const { timestamp, ...item } = step.record;
      return { _tag: 'Record', value: item, timestamp: timestamp ?? MIN_TIMESTAMP, key: item.key };
    }
    if (step.watermark !== undefined) this.time = toTime(step.watermark);
    else if (step.idle) this.idle = true;
    else if (step.active) this.idle = false;
    else return undefined;
    return { _tag: 'Watermark', timestamp: this.time, idle: this.idle };
  }

  get isIdle(): boolean {
    return this.idle;
  }
}

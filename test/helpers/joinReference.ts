import { MAX_TIMESTAMP, MIN_TIMESTAMP, type StreamElement, type StreamRecord } from 'tidemark';

// Joins as one would say them: everything is kept for ever, and looked through again at each step.

export type In = StreamElement<number, string>;
type Rec = StreamRecord<number, string>;

/** What comes in, and on which side. */
export interface Step {
  readonly right: boolean;
  readonly element: In;
}

/** What comes out: rows as [left, right] values with `null` for none, and watermarks as [time, idle]. */
export type Out =
  | { readonly row: readonly [number | null, number | null]; readonly at: number; readonly key: string }
  | { readonly watermark: number; readonly idle: boolean }
  | { readonly late: 'left' | 'right'; readonly value: number };

/** What both inputs promise, recomputed from what each has said. */
class Promised {
  private readonly sides = [
    { time: MIN_TIMESTAMP, idle: false, finished: false },
    { time: MIN_TIMESTAMP, idle: false, finished: false },
  ];
  time = MIN_TIMESTAMP;
  idle = false;

  say(right: boolean, time: number, idle: boolean): void {
    const side = this.sides[right ? 1 : 0] as (typeof this.sides)[0];
    if (side.finished) return;
    side.time = Math.max(side.time, time);
    side.idle = idle;
    side.finished = time === MAX_TIMESTAMP;
    const unfinished = this.sides.filter(({ finished }) => !finished);
    const active = unfinished.filter((one) => !one.idle);
    const among = active.length > 0 ? Math.min(...active.map((one) => one.time)) : Math.max(...unfinished.map((one) => one.time));
    this.time = Math.max(this.time, unfinished.length === 0 ? MAX_TIMESTAMP : among);
    this.idle = unfinished.length > 0 && active.length === 0;
  }
}

/** A join that does something with records and at rises of the watermark; `passable` is how much of it may go on. */
interface Naive {
  record(right: boolean, record: Rec, watermark: number): Out[];
  rise(watermark: number): Out[];
  passable(watermark: number): number;
}

export function run(join: Naive, steps: ReadonlyArray<Step>): Out[] {
  const out: Out[] = [];
  const promised = new Promised();
  let told = MIN_TIMESTAMP;
  let sent = MIN_TIMESTAMP;
  let sentIdle = false;
  const say = (right: boolean, time: number, idle: boolean): void => {
    promised.say(right, time, idle);
    if (promised.time > told) out.push(...join.rise(promised.time));
    told = promised.time;
    const may = told === MAX_TIMESTAMP ? told : join.passable(told);
    if (may > sent) {
      sent = may;
      if (promised.idle && !sentIdle) out.push({ watermark: sent, idle: false });
    } else if (promised.idle === sentIdle) return;
    sentIdle = promised.idle;
    out.push({ watermark: sent, idle: sentIdle });
  };
  for (const { right, element } of steps) {
    if (element._tag === 'Record') out.push(...join.record(right, element, told));
    else say(right, element.timestamp, element.idle);
  }
  say(false, MAX_TIMESTAMP, false);
  say(true, MAX_TIMESTAMP, false);
  return out;
}

export interface IntervalRules {
  readonly lower: number;
  readonly upper: number;
  readonly lateness: number;
  readonly resultTime: 'max' | 'left' | 'right';
  readonly kind: 'inner' | 'left' | 'right' | 'full';
}

export function naiveInterval({ lower, upper, lateness, resultTime, kind }: IntervalRules): Naive {
  interface Kept {
    readonly right: boolean;
    readonly record: Rec;
    readonly due: number;
    matched: boolean;
    over: boolean;
  }
  const all: Kept[] = [];
  const wanted = { left: kind === 'left' || kind === 'full', right: kind === 'right' || kind === 'full' };
  const reach = (right: boolean): number => Math.max(right ? -lower : upper, 0);
  return {
    record(right, record, watermark) {
      if (record.timestamp + lateness < watermark) return [{ late: right ? 'right' : 'left', value: record.value }];
      const mine: Kept = { right, record, due: record.timestamp + reach(right) + lateness, matched: false, over: false };
      all.push(mine);
      const partners = all
        .filter((other) => other.right !== right && !other.over && other.record.key === record.key)
        .filter((other) => {
          const apart = right ? record.timestamp - other.record.timestamp : other.record.timestamp - record.timestamp;
          return lower <= apart && apart <= upper;
        })
        .sort((a, b) => a.record.timestamp - b.record.timestamp); // stable: equal times by arrival
      return partners.map((other) => {
        mine.matched = other.matched = true;
        const [l, r] = right ? [other.record, record] : [record, other.record];
        const at = { max: Math.max(l.timestamp, r.timestamp), left: l.timestamp, right: r.timestamp }[resultTime];
        return { row: [l.value, r.value], at, key: record.key };
      });
    },
    rise(watermark) {
      const over = all.filter((one) => !one.over && one.due <= watermark);
      for (const one of over) one.over = true;
      return over
        .filter((one) => !one.matched && (one.right ? wanted.right : wanted.left))
        .sort((a, b) => a.due - b.due)
        .map(({ right, record: { value, timestamp, key } }) => ({
          row: right ? [null, value] : [value, null],
          at: timestamp,
          key,
        }));
    },
    passable(watermark) {
      const early = [0];
      if (resultTime === 'left') early.push(reach(false));
      if (resultTime === 'right') early.push(reach(true));
      if (wanted.left) early.push(reach(false) + lateness);
      if (wanted.right) early.push(reach(true) + lateness);
      return watermark - Math.max(...early);
    },
  };
}

export interface AsOfRules {
  readonly direction: 'backward' | 'forward' | 'nearest';
  readonly tolerance: number;
  readonly exact: boolean;
  readonly unmatched: boolean;
  readonly gone: (value: number) => boolean;
}

export function naiveAsOf({ direction, tolerance, exact, unmatched, gone }: AsOfRules): Naive {
  const rights: Rec[] = [];
  let waiting: Array<{ readonly record: Rec; readonly onTime: boolean }> = [];
  const partner = (left: Rec, among: ReadonlyArray<Rec>): Rec | undefined => {
    const fits = among
      .filter(({ key, timestamp }) => key === left.key && (exact || timestamp !== left.timestamp))
      .filter(({ timestamp }) => Math.abs(timestamp - left.timestamp) <= tolerance);
    const back = fits.filter(({ timestamp }) => timestamp <= left.timestamp);
    const ahead = fits.filter(({ timestamp }) => timestamp >= left.timestamp);
    const last = back.reduce<Rec | undefined>((a, b) => (a === undefined || b.timestamp >= a.timestamp ? b : a), undefined);
    const first = ahead.reduce<Rec | undefined>((a, b) => (a === undefined || b.timestamp < a.timestamp ? b : a), undefined);
    if (direction === 'backward') return last;
    if (direction === 'forward') return first;
    if (last === undefined || first === undefined) return last ?? first;
    return first.timestamp - left.timestamp < left.timestamp - last.timestamp ? first : last;
  };
  /** Could a right record that is still to come, at any time after the watermark, change the answer? */
  const sure = (left: Rec, watermark: number): boolean => {
    if (left.timestamp > watermark) return false;
    if (watermark === MAX_TIMESTAMP) return true;
    const known = rights.filter(({ timestamp }) => timestamp <= watermark);
    const now = partner(left, known);
    for (let at = watermark + 1; at < watermark + 200; at++) {
      if (partner(left, [...known, { ...left, timestamp: at, value: Number.NaN }]) !== now) return false;
    }
    return true;
  };
  return {
    record(right, record, watermark) {
      if (record.timestamp < watermark) return [{ late: right ? 'right' : 'left', value: record.value }];
      if (right) rights.push(record);
      else waiting.push({ record, onTime: record.timestamp > watermark });
      return [];
    },
    rise(watermark) {
      // the answers of a key come in the order of its rows: one waits for those before it
      const held = new Set<string>();
      const inOrder = [...waiting].sort((a, b) => a.record.timestamp - b.record.timestamp);
      const answered = inOrder.filter(({ record }) => {
        if (!held.has(record.key) && sure(record, watermark)) return true;
        held.add(record.key);
        return false;
      });
      waiting = waiting.filter((one) => !answered.includes(one));
      return answered
        .map(({ record }) => record)
        .sort((a, b) => a.timestamp - b.timestamp)
        .flatMap((left) => {
          const right = partner(left, rights);
          const there = right !== undefined && !gone(right.value);
          return there || unmatched
            ? [{ row: [left.value, there ? right.value : null] as const, at: left.timestamp, key: left.key }]
            : [];
        });
    },
    passable(watermark) {
      if (direction === 'backward') return watermark;
      return Math.min(watermark, ...waiting.filter(({ onTime }) => onTime).map(({ record }) => record.timestamp - 1));
    },
  };
}

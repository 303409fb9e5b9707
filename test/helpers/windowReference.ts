import {
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  type Pane,
  record,
  type StreamElement,
  type StreamRecord,
  type TimeWindow,
  type WindowResult,
  watermark,
} from 'tidemark';

// What windows have to do, written down from the rules and in no hurry: every question is answered by looking through
// all that has happened. It shares no code with src, and knows nothing of grids, timers, caches or panes.

export type In = StreamElement<number, string>;
export type Result = WindowResult<ReadonlyArray<number>, string>;
export type Out = StreamElement<Result>;

export interface Outcome {
  readonly main: ReadonlyArray<Out>;
  readonly late: ReadonlyArray<StreamRecord<number, string>>;
  readonly unassigned: number;
}

export interface Rules {
  readonly lateness: number;
  readonly panes: 'accumulating' | 'discarding';
}

/** All [s, s + size) that hold `timestamp`, where s is a multiple of `every` from `offset` on (T3, T4). */
export function windowsAround(timestamp: number, size: number, every: number, offset: number): TimeWindow[] {
  const found: TimeWindow[] = [];
  for (let start = timestamp; start > timestamp - size; start--) {
    if ((start - offset) % every === 0) found.push({ start, end: start + size });
  }
  return found;
}

/** What all references share: the pair (time, idle) that downstream knows, and how it is told of a new one (W1, W6). */
export class Marks {
  time = MIN_TIMESTAMP;
  private idle = false;
  constructor(private readonly main: Out[]) {}
  read(timestamp: number, rests: boolean): void {
    if (this.time === MAX_TIMESTAMP) return; // finished
    const idle = rests && timestamp !== MAX_TIMESTAMP;
    const say = (t: number, i: boolean): void => void this.main.push({ ...watermark(t), idle: i });
    if (timestamp > this.time) {
      this.time = timestamp;
      if (idle && !this.idle) say(timestamp, false);
      say(timestamp, idle);
    } else if (idle !== this.idle) {
      say(this.time, idle);
    }
    this.idle = idle;
  }
}

function resultOf(key: string, window: TimeWindow, value: ReadonlyArray<number>, fires: number, timing: Pane['timing']): Out {
  const pane: Pane = { index: fires, onTimeIndex: fires, timing, last: false, retraction: false };
  return record({ key, window, value, pane }, window.end - 1);
}

/** Windows that a record's time decides, by event time (V1 to V4, V7, V8). */
export function referenceWindows(
  inputs: ReadonlyArray<In>,
  { lateness, panes }: Rules,
  windowsOf: (timestamp: number) => ReadonlyArray<TimeWindow>,
  /** For windows that share panes: where the pane of a record starts. */
  paneOf: (timestamp: number) => number = () => 0,
): Outcome {
  const main: Out[] = [];
  const late: StreamRecord<number, string>[] = [];
  const marks = new Marks(main);
  let unassigned = 0;
  const taken: Array<{ readonly key: string; readonly window: TimeWindow; readonly value: number; readonly pane: number }> = [];
  const fired: Array<{ readonly key: string; readonly window: TimeWindow; readonly count: number }> = [];

  const same = (key: string, window: TimeWindow) => (other: { readonly key: string; readonly window: TimeWindow }) =>
    other.key === key && other.window.start === window.start && other.window.end === window.end;

  function fire(key: string, window: TimeWindow, timing: Pane['timing']): void {
    const all = taken.filter(same(key, window)).map(({ value }) => value);
    const before = fired.filter(same(key, window));
    const known = panes === 'discarding' ? (before.at(-1)?.count ?? 0) : 0;
    main.push(resultOf(key, window, all.slice(known), before.length, timing));
    fired.push({ key, window, count: all.length });
  }

  const over = (window: TimeWindow): boolean => marks.time >= window.end - 1 + lateness;

  for (const input of [...inputs, watermark(MAX_TIMESTAMP)]) {
    if (input._tag === 'Record') {
      const { key, value, timestamp } = input;
      const windows = windowsOf(timestamp);
      const open = windows.filter((window) => !over(window)).sort((a, b) => b.start - a.start);
      if (open.length === 0) {
        if (windows.length > 0 || timestamp + lateness <= marks.time) late.push(input);
        else unassigned++;
      }
      for (const window of open) {
        taken.push({ key, window, value, pane: paneOf(timestamp) });
        if (marks.time >= window.end - 1) fire(key, window, 'late');
      }
      continue;
    }
    const due = taken
      .filter(({ window: { end } }) => end - 1 > marks.time && end - 1 <= input.timestamp)
      .sort((a, b) => a.window.end - b.window.end || a.pane - b.pane) // stable: equal ends by first appearance
      .filter(({ key, window }, i, all) => all.findIndex(same(key, window)) === i);
    for (const { key, window } of due) fire(key, window, 'onTime');
    marks.read(input.timestamp, input.idle);
  }
  return { main, late, unassigned };
}

/** Windows that grow while records come no more than `gap` apart, by event time (V5). Values of a result are sorted. */
export function referenceSessions(inputs: ReadonlyArray<In>, { lateness, panes }: Rules, gap: number): Outcome {
  interface Session {
    readonly key: string;
    readonly start: number;
    readonly end: number;
    /** When its oldest part appeared. */
    readonly since: number;
    readonly all: ReadonlyArray<number>;
    /** What no result has held yet. */
    readonly fresh: ReadonlyArray<number>;
    readonly fires: number;
  }
  const main: Out[] = [];
  const late: StreamRecord<number, string>[] = [];
  const marks = new Marks(main);
  let sessions: Session[] = [];

  function fire(session: Session, timing: Pane['timing']): void {
    const value = [...(panes === 'discarding' ? session.fresh : session.all)].sort((a, b) => a - b);
    main.push(resultOf(session.key, { start: session.start, end: session.end }, value, session.fires, timing));
    sessions = sessions.map((s) => (s === session ? { ...s, fresh: [], fires: s.fires + 1 } : s));
  }

  [...inputs, watermark(MAX_TIMESTAMP)].forEach((input, i) => {
    sessions = sessions.filter(({ end }) => marks.time < end - 1 + lateness);
    if (input._tag === 'Record') {
      const { key, value, timestamp } = input;
      const parts = sessions.filter((s) => s.key === key && s.start <= timestamp + gap && timestamp <= s.end);
      if (parts.length === 0 && marks.time >= timestamp + gap - 1 + lateness) {
        late.push(input);
        return;
      }
      const start = Math.min(timestamp, ...parts.map((s) => s.start));
      const end = Math.max(timestamp + gap, ...parts.map((s) => s.end));
      const whole: Session = {
        key,
        start,
        end,
        since: Math.min(i, ...parts.map((s) => s.since)),
        all: [...parts.flatMap((s) => s.all), value],
        fresh: [...parts.flatMap((s) => s.fresh), value],
        fires: parts.length === 1 && start === parts[0]?.start && end === parts[0].end ? parts[0].fires : 0, // restart at a merge, and when one grows
      };
      sessions = [...sessions.filter((s) => !parts.includes(s)), whole];
      if (marks.time >= whole.end - 1) fire(whole, 'late');
      return;
    }
    const due = sessions
      .filter(({ end }) => end - 1 > marks.time && end - 1 <= input.timestamp)
      .sort((a, b) => a.end - b.end || a.since - b.since);
    for (const session of due) fire(session, 'onTime');
    marks.read(input.timestamp, input.idle);
  });
  return { main, late, unassigned: 0 };
}

/** An element and the frame in which it comes. */
export type At<E> = readonly [frame: number, element: E];

/**
 * Tumbling windows by the clock (T6, W9): a record belongs to the window of the frame in which it came, and [s, e) fires in
 * frame e, after what came in it. Inputs are in the order of their frames; the stream completes in frame `end`.
 */
export function referenceByClock(
  inputs: ReadonlyArray<At<In>>,
  end: number,
  windowOf: (frame: number) => TimeWindow,
): ReadonlyArray<At<Out>> {
  const out: At<Out>[] = [];
  const main: Out[] = [];
  const marks = new Marks(main);
  const records = inputs.flatMap(([frame, input]) => (input._tag === 'Record' ? [{ ...input, window: windowOf(frame) }] : []));
  const windows = records.map((r) => r.window).filter(({ end }, i, all) => all.findIndex((w) => w.end === end) === i);

  for (let frame = 0; frame <= end; frame++) {
    for (const [at, input] of inputs) if (at === frame && input._tag === 'Watermark') marks.read(input.timestamp, input.idle);
    for (const window of windows) {
      if (frame === end ? window.end < end : window.end !== frame) continue;
      const inside = records.filter((r) => r.window.end === window.end);
      for (const key of new Set(inside.map((r) => r.key))) {
        const value = inside.filter((r) => r.key === key).map((r) => r.value);
        main.push(resultOf(key, window, value, 0, 'onTime'));
      }
    }
    if (frame === end) marks.read(MAX_TIMESTAMP, false);
    for (const element of main.splice(0)) out.push([frame, element]);
  }
  return out;
}

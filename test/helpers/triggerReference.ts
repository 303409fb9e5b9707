import { MAX_TIMESTAMP, MIN_TIMESTAMP, type Pane, record, type StreamRecord, type TimeWindow, watermark } from 'tidemark';
import { type In, Marks, type Out, windowsAround } from './windowReference.js';

// Windows of any assigner under any of a few triggers, written down from the rules and in no hurry: all questions are put
// to all windows, over and over. It shares no code with src, and has no queue, no index and no shared pane.

/** How windows are laid out. */
export type Layout =
  | { readonly type: 'tumbling' | 'sliding' | 'cumulative'; readonly size: number; readonly by: number; readonly offset: number }
  | { readonly type: 'session'; readonly gap: number }
  | { readonly type: 'global' };

/** When they fire. */
export type Rule =
  | { readonly type: 'end' } // at their end, and with each late record
  | { readonly type: 'count'; readonly n: number; readonly purging: boolean }
  | { readonly type: 'once'; readonly n: number }
  | { readonly type: 'countOrEnd'; readonly n: number } // whichever comes first, over and over
  | { readonly type: 'every'; readonly interval: number; readonly repeat: boolean }
  | { readonly type: 'earlyLate'; readonly early: number; readonly late: number | null } // null: with each late record
  | { readonly type: 'byValue' }; // value % 5: 1 fire, 2 purge, 3 both; at the end fire

export interface Plan {
  readonly layout: Layout;
  readonly rule: Rule;
  readonly lateness: number;
  readonly panes: 'accumulating' | 'discarding' | 'retracting';
  readonly resultTime: 'end' | 'earliest' | 'latest';
}

export interface Report {
  readonly main: ReadonlyArray<Out>;
  readonly late: ReadonlyArray<StreamRecord<number, string>>;
  readonly unassigned: number;
  readonly discarded: number;
}

interface Taken {
  readonly value: number;
  readonly timestamp: number;
  /** It has been in a result. */
  seen: boolean;
  /** It was not behind the watermark, and no result on time has held it: it decides the time of one. */
  counts: boolean;
}

interface Cell {
  readonly key: string;
  window: TimeWindow;
  readonly age: number;
  taken: Taken[];
  standing: Out[]; // what a retraction withdraws
  fires: number;
  onTimeFires: number;
  /** Nothing on time is to come, so that nothing is held back for it. */
  settled: boolean;
  // what the rule remembers
  n: number;
  lateN: number;
  fresh: boolean;
  next: number | null;
  ended: boolean;
  done: boolean;
  /** The times of the watermark at which it wants to be asked. */
  times: Set<number>;
}

type Answer = 'continue' | 'fire' | 'purge' | 'fireAndPurge';

export function referenceTriggers(inputs: ReadonlyArray<In>, { layout, rule, lateness, panes, resultTime }: Plan): Report {
  const main: Out[] = [];
  const late: StreamRecord<number, string>[] = [];
  const marks = new Marks(main);
  const endless = layout.type === 'global';
  let wm = MIN_TIMESTAMP;
  let idle = false;
  let unassigned = 0;
  let discarded = 0;
  let ages = 0;
  let cells: Cell[] = [];

  const last = (window: TimeWindow): number => window.end - 1;
  const goes = (cell: Cell): number => (endless ? NaN : last(cell.window) + lateness);
  const over = (window: TimeWindow): boolean => !endless && last(window) + lateness <= wm;

  function windowsOf(timestamp: number): TimeWindow[] {
    switch (layout.type) {
      case 'global':
        return [{ start: MIN_TIMESTAMP, end: MAX_TIMESTAMP }];
      case 'session':
        return [{ start: timestamp, end: timestamp + layout.gap }];
      case 'cumulative': {
        const [{ start }] = windowsAround(timestamp, layout.size, layout.size, layout.offset) as [TimeWindow];
        const ends = Array.from({ length: layout.size / layout.by }, (_, i) => start + (i + 1) * layout.by);
        return ends.filter((end) => end > timestamp).map((end) => ({ start, end }));
      }
      default:
        return windowsAround(timestamp, layout.size, layout.type === 'sliding' ? layout.by : layout.size, layout.offset);
    }
  }

  // --- the rules

  const multiple = (at: number): number => {
    const interval = rule.type === 'every' ? rule.interval : 1;
    let next = Math.trunc(at) + 1;
    while (next % interval !== 0) next++;
    return next;
  };
  /** Plans the next multiple, or the end if that comes before. */
  const plan = (cell: Cell, next: number): void => {
    cell.next = Math.min(next, last(cell.window));
    cell.times.add(cell.next);
  };

  function onRecord(cell: Cell, value: number, timestamp: number): Answer {
    const past = last(cell.window) <= wm;
    if (!past && !['count', 'once'].includes(rule.type)) cell.times.add(last(cell.window));
    cell.n++;
    switch (rule.type) {
      case 'end':
        return past ? 'fire' : 'continue';
      case 'count':
      case 'once':
      case 'countOrEnd':
        if (cell.n < rule.n && !(past && rule.type === 'countOrEnd')) return 'continue';
        cell.n = 0;
        if (rule.type === 'once') cell.done = true;
        return rule.type === 'count' && rule.purging ? 'fireAndPurge' : 'fire';
      case 'every':
        cell.fresh = !past;
        if (past) return 'fire';
        if (cell.next === null) plan(cell, multiple(timestamp));
        return 'continue';
      case 'earlyLate':
        if (cell.ended) {
          if (rule.late === null) return 'fire';
          if (++cell.lateN < rule.late) return 'continue';
          cell.lateN = 0;
          return 'fire';
        }
        if (past) {
          cell.ended = true;
          return 'fire';
        }
        if (cell.n < rule.early) return 'continue';
        cell.n = 0;
        return 'fire';
      case 'byValue':
        return (['continue', 'fire', 'purge', 'fireAndPurge', 'continue'] as const)[value % 5] as Answer;
    }
  }

  function onTime(cell: Cell, at: number): Answer {
    const end = last(cell.window);
    switch (rule.type) {
      case 'count':
      case 'once':
        return 'continue';
      case 'every': {
        const due = at === cell.next;
        if (due) {
          if (at < end) plan(cell, endless && wm === MAX_TIMESTAMP ? MAX_TIMESTAMP : at + rule.interval);
          else cell.next = null;
        }
        if (at !== end && !(due && (cell.fresh || rule.repeat))) return 'continue';
        cell.fresh = false;
        return 'fire';
      }
      case 'earlyLate':
        if (at !== end || cell.ended) return 'continue';
        cell.ended = true;
        return 'fire';
      default:
        if (at !== end) return 'continue';
        cell.n = 0;
        return 'fire';
    }
  }

  /** The rule's memory of windows that have become one. */
  function remember(whole: Cell, parts: ReadonlyArray<Cell>): void {
    const past = last(whole.window) <= wm;
    const sum = (all: ReadonlyArray<Cell>, f: (cell: Cell) => number): number => all.reduce((n, cell) => n + f(cell), 0);
    const ended = parts.filter((cell) => cell.ended);
    const plans = parts.flatMap(({ next }) => (next === null ? [] : [next]));
    const done = parts.some((cell) => cell.done);
    const n = done ? 0 : sum(rule.type === 'earlyLate' ? parts.filter((cell) => !cell.ended) : parts, (cell) => cell.n);
    const fresh = parts.some((cell) => cell.fresh);
    Object.assign(whole, { n, fresh, done, next: null, times: new Set<number>() });
    whole.lateN = past ? sum(ended, (cell) => cell.lateN) : 0;
    whole.ended = past && ended.length > 0;
    if (plans.length > 0) plan(whole, Math.min(...plans));
    if (!past && rule.type !== 'count' && rule.type !== 'once') whole.times.add(last(whole.window));
  }

  // --- the panes

  function timeOf(cell: Cell): number {
    const times = cell.taken.filter(({ counts }) => counts).map(({ timestamp }) => timestamp);
    if (resultTime === 'end' || times.length === 0) return NaN;
    return resultTime === 'earliest' ? Math.min(...times) : Math.max(...times);
  }

  function purge(cell: Cell): void {
    discarded += cell.taken.filter(({ seen }) => !seen).length;
    cell.taken = [];
    cell.standing = [];
  }

  function act(cell: Cell, answer: Answer, timing: Pane['timing']): void {
    const purges = answer === 'purge' || answer === 'fireAndPurge' || (answer === 'fire' && panes === 'discarding');
    if (answer.startsWith('fire') && cell.taken.length > 0) {
      const value = cell.taken.map((taken) => taken.value);
      const at = timeOf(cell);
      const early = timing === 'early';
      const onTimeIndex = early ? -1 : cell.onTimeFires++;
      const pane: Pane = { index: cell.fires++, onTimeIndex, timing, last: cell.done, retraction: false };
      const { key, window } = cell;
      const result = record({ key, window, value, pane }, Number.isNaN(at) ? last(window) : at);
      for (const old of cell.standing) {
        if (old._tag === 'Record')
          main.push(record({ ...old.value, pane: { ...old.value.pane, retraction: true } }, old.timestamp));
      }
      main.push(result);
      cell.standing = panes === 'retracting' ? [result] : [];
      cell.settled = !early || cell.done;
      for (const taken of cell.taken) taken.seen = true;
    }
    if (purges) purge(cell);
  }

  function create(key: string, window: TimeWindow): Cell {
    const age = ages++;
    const memory = { n: 0, lateN: 0, fresh: false, next: null, ended: false, done: false, times: new Set<number>() };
    const cell = { key, window, age, taken: [], standing: [], fires: 0, onTimeFires: 0, settled: false, ...memory };
    cells.push(cell);
    return cell;
  }

  function cellOf(key: string, window: TimeWindow): Cell | undefined {
    const same = (w: TimeWindow): boolean => w.start === window.start && w.end === window.end;
    if (layout.type !== 'session') {
      const found = cells.find((cell) => cell.key === key && same(cell.window));
      return found ?? (over(window) ? undefined : create(key, window));
    }
    const parts = cells.filter((cell) => cell.key === key && cell.window.start <= window.end && window.start <= cell.window.end);
    parts.sort((a, b) => a.age - b.age);
    const [oldest] = parts;
    if (oldest === undefined) return over(window) ? undefined : create(key, window);
    const start = Math.min(window.start, ...parts.map((cell) => cell.window.start));
    const end = Math.max(window.end, ...parts.map((cell) => cell.window.end));
    if (parts.length === 1 && start === oldest.window.start && end === oldest.window.end) return oldest;
    for (const cell of parts) if (cell.settled || last(cell.window) <= wm) for (const taken of cell.taken) taken.counts = false;
    oldest.window = { start, end };
    remember(oldest, parts);
    oldest.taken = parts.flatMap((cell) => cell.taken);
    oldest.standing = parts.flatMap((cell) => cell.standing);
    oldest.fires = oldest.onTimeFires = 0;
    oldest.settled = oldest.done;
    cells = cells.filter((cell) => cell === oldest || !parts.includes(cell));
    return oldest;
  }

  // --- the stream

  function pass(): void {
    const holds = cells.filter((cell) => !cell.settled && (endless || last(cell.window) > wm)).map(timeOf);
    const held = Math.min(wm, ...holds.filter((at) => !Number.isNaN(at)).map((at) => at - 1));
    marks.read(wm === MAX_TIMESTAMP ? wm : held, idle);
  }

  for (const input of [...inputs, watermark(MAX_TIMESTAMP)]) {
    if (input._tag === 'Record') {
      const { key, value, timestamp } = input;
      const windows = windowsOf(timestamp).sort((a, b) => b.end - a.end);
      let open = 0;
      for (const window of windows) {
        const cell = cellOf(key, window);
        if (cell === undefined) continue;
        open++;
        if (cell.done) {
          discarded++;
          continue;
        }
        cell.taken.push({ value, timestamp, seen: false, counts: timestamp > wm });
        const timing = endless || wm < last(cell.window) ? 'early' : 'late';
        act(cell, onRecord(cell, value, timestamp), timing);
      }
      if (open === 0 && (windows.length > 0 || timestamp + lateness <= wm)) late.push(input);
      else if (open === 0) unassigned++;
    } else {
      idle = input.idle;
      if (input.timestamp > wm) {
        wm = input.timestamp;
        for (;;) {
          const due = cells
            .flatMap((cell) => [...cell.times, goes(cell)].map((at) => ({ cell, at })))
            .filter(({ at }) => at <= wm)
            .sort((a, b) => a.at - b.at || a.cell.age - b.cell.age)[0];
          if (due === undefined) break;
          const { cell, at } = due;
          if (cell.times.delete(at)) {
            const end = last(cell.window);
            act(cell, onTime(cell, at), endless || at < end ? 'early' : at === end ? 'onTime' : 'late');
          }
          if (at === goes(cell)) {
            purge(cell);
            cells = cells.filter((other) => other !== cell);
          }
        }
      }
    }
    pass();
  }
  for (const cell of cells) purge(cell);
  return { main, late, unassigned, discarded };
}

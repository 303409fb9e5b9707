import Table from 'cli-table3';
import { from, type OperatorFunction, Subject } from 'rxjs';
import {
  aggregates,
  assigners,
  dedupe,
  intervalJoinWith,
  keyedRecord,
  processWith,
  type StreamElement,
  slidingWindow,
  sortByEventTime,
  tumblingWindow,
  union,
  type Windowed,
  watermark,
  windowBy,
} from 'tidemark';

// What a record costs, and what an open window holds, as the work grows: `npm run bench -- --growth`.

const RECORDS = 200_000;
const KEYS: ReadonlyArray<number> = [1, 100, 10_000];

interface Shape {
  readonly keys: number;
  /** ms of event time between records. */
  readonly step: number;
  /** How far records may be behind the newest, ms. */
  readonly disorder: number;
  readonly operator: OperatorFunction<In, unknown>;
}

type In = StreamElement<number, number>;
type Question<S> = readonly [what: string, values: ReadonlyArray<number>, shape: (value: number) => S];

const TUMBLING: Windowed<number, number, number> = tumblingWindow<number, number, number>(5_000, aggregates.count());
const BASE: Shape = { keys: 1_000, step: 1, disorder: 0, operator: TUMBLING };

const QUESTIONS: ReadonlyArray<Question<Shape>> = [
  ['keys', [1, 10, 100, 1_000, 10_000, 100_000], (keys) => ({ ...BASE, keys })],
  [
    'open windows (lateness, ms)',
    [0, 10_000, 100_000, 1_000_000],
    (allowedLateness) => ({
      ...BASE,
      keys: 10,
      operator: tumblingWindow<number, number, number>(100, aggregates.count(), { allowedLateness }),
    }),
  ],
  [
    'overlap (size ÷ slide)',
    [1, 6, 60, 600, 3_600],
    (overlap) => ({ ...BASE, keys: 10, operator: slidingWindow<number, number, number>(overlap * 100, 100, aggregates.count()) }),
  ],
  [
    'disorder, ms',
    [0, 100, 1_000, 10_000],
    (disorder) => ({ ...BASE, disorder, operator: tumblingWindow<number, number, number>(1_000, aggregates.count()) }),
  ],
  [
    'general core: keys',
    [1, 100, 10_000],
    (keys) => ({ ...BASE, keys, operator: windowBy(assigners.tumbling(5_000), aggregates.count()) }),
  ],
  ['dedupe: keys', KEYS, (keys) => ({ ...BASE, keys, operator: dedupe<number, number>((n) => n, { within: 5_000 }) })],
  ['sort: keys', KEYS, (keys) => ({ ...BASE, keys, disorder: 1_000, operator: sortByEventTime<number, number>() })],
  [
    'sort: disorder, ms',
    [1, 100, 1_000, 10_000],
    (disorder) => ({ ...BASE, disorder, operator: sortByEventTime<number, number>() }),
  ],
  ['process function, a timer a record: keys', KEYS, (keys) => ({ ...BASE, keys, operator: timersAfter(5_000) })],
  [
    'process function, a timer a record: open timers',
    [100, 1_000, 10_000, 100_000],
    (open) => ({ ...BASE, operator: timersAfter(open) }), // a record a ms
  ],
];

/** Several inputs, dealt the records in turn, each with watermarks of its own. */
interface Joining {
  readonly keys: number;
  readonly inputs: number;
  readonly join: (...inputs: ReadonlyArray<Subject<In>>) => { subscribe(): unknown };
}

const JOINS: ReadonlyArray<Question<Joining>> = [
  // the interval grows with the keys, so that a record has as many partners
  ['interval join, as many pairs: keys', [10, 100, 1_000, 10_000], (keys) => ({ keys, inputs: 2, join: pairsWithin(keys) })],
  [
    'interval join, as many keys: interval, ms',
    [1_000, 10_000, 100_000],
    (interval) => ({ keys: 100_000, inputs: 2, join: pairsWithin(interval) }), // at most one pair a record
  ],
  ['union: inputs', [2, 4, 16, 64], (inputs) => ({ keys: 1_000, inputs, join: (...all) => union(...all) })],
];

function pairsWithin(interval: number): Joining['join'] {
  return (left = new Subject(), right = new Subject()) =>
    left.pipe(intervalJoinWith<number, number, number>(right, { lower: -interval, upper: interval }));
}

function timersAfter(delay: number): OperatorFunction<In, unknown> {
  return processWith<number, number, { n: number }, never, number>({
    create: () => ({ n: 0 }),
    onRecord(_value, state, { timestamp, timers }) {
      state.n++;
      timers.eventTime(timestamp + delay);
    },
    onTimer: (_timestamp, { n }) => [n],
  });
}

/** Elements with a watermark after every 200th record. */
function elements({ keys, step, disorder }: Omit<Shape, 'operator'>): ReadonlyArray<In> {
  const made: In[] = [];
  for (let i = 0; i < RECORDS; i++) {
    const scattered = Math.imul(i, 0x9e3779b1) >>> 0;
    made.push(keyedRecord(i, 1e12 + i * step - (disorder === 0 ? 0 : scattered % disorder), scattered % keys));
    if (i % 200 === 199) made.push(watermark(1e12 + i * step - disorder - 1));
  }
  return made;
}

function cost(shape: Shape): number {
  const input = elements(shape);
  return leastCpu(() => from(input).pipe(shape.operator).subscribe());
}

function costOfJoining({ keys, inputs, join }: Joining): number {
  const input = elements({ ...BASE, keys });
  return leastCpu(() => {
    const sides = Array.from({ length: inputs }, () => new Subject<In>());
    join(...sides).subscribe();
    for (let i = 0; i < input.length; i++) {
      const element = input[i] as In;
      // a watermark of all records so far is one of each input
      if (element._tag === 'Watermark') for (const side of sides) side.next(element);
      else sides[i % inputs]?.next(element);
    }
    for (const side of sides) side.complete();
  });
}

/** The least CPU time of several runs, ns a record. */
function leastCpu(run: () => void): number {
  let least = Infinity;
  for (let i = 0; i < 6; i++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) * 1_000);
  }
  return least / RECORDS;
}

/** Bytes of heap a key in one open window. */
function bytes(keys: number, window: Windowed<number, number, number>): number {
  const input = Array.from({ length: keys }, (_, key) => keyedRecord(key, 1e12, key));
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  let held = 0;
  from([...input, watermark(0)])
    .pipe(window)
    .subscribe((element) => {
      // the watermark comes when all are open, and nothing has fired
      if (element._tag !== 'Watermark' || held !== 0) return;
      globalThis.gc?.();
      held = process.memoryUsage().heapUsed - before;
    });
  return held / keys;
}

function ask<S>([what, values, shape]: Question<S>, costOf: (shape: S) => number): void {
  const table = new Table({ head: [what, ...values.map((value) => value.toLocaleString('en'))] });
  const costs = values.map((value) => costOf(shape(value)));
  table.push(['ns a record', ...costs.map((ns) => ns.toFixed(0))]);
  table.push(['× the first', ...costs.map((ns) => (ns / (costs[0] ?? NaN)).toFixed(2))]);
  console.log(table.toString());
}

export function growth(): void {
  for (const question of QUESTIONS) ask(question, cost);
  for (const question of JOINS) ask(question, costOfJoining);
  const counts = [10_000, 100_000, 1_000_000];
  const table = new Table({ head: ['open windows and keys', ...counts.map((n) => n.toLocaleString('en'))] });
  table.push(['bytes each, tumbling', ...counts.map((n) => bytes(n, TUMBLING).toFixed(0))]);
  console.log(table.toString());
}

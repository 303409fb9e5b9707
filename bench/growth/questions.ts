import { type OperatorFunction, Subject } from 'rxjs';
import {
  aggregates,
  assigners,
  dedupe,
  intervalJoinWith,
  type MergeableAggregate,
  processWith,
  sessionWindow,
  slidingWindow,
  sortByEventTime,
  tumblingWindow,
  union,
  type WindowConfig,
  type Windowed,
  windowBy,
} from 'tidemark';
import { tumblingByHand } from './byHand.js';
import { cost, costOfJoining, type In, type Joining, type Shape } from './cost.js';
import { held } from './held.js';

/** What grows, how far, and what it costs then. */
export interface Question {
  readonly what: string;
  readonly values: ReadonlyArray<number>;
  readonly unit: 'ns a record' | 'bytes each';
  readonly answer: (value: number) => number;
  /** Where it is in the picture, if it is there. */
  readonly drawn?: Drawn;
}

/** A line of the picture, and its panel. */
export interface Drawn {
  readonly panel: string;
  readonly line: string;
  /** Its name stands below it. */
  readonly below?: true;
}

const KEYS: ReadonlyArray<number> = [1, 100, 10_000];
const OPEN: ReadonlyArray<number> = [10_000, 100_000, 1_000_000, 10_000_000];
/** What is counted and summed where memory is asked for. */
const TOTAL: MergeableAggregate<number, unknown> = aggregates.struct({ n: aggregates.count(), sum: aggregates.sum() });

export const QUESTIONS: ReadonlyArray<Question> = [
  { ...manyKeys((size) => tumbling(size)), what: 'keys', drawn: { panel: 'keys', line: 'tidemark', below: true } },
  { ...manyKeys(tumblingByHand), what: 'keys, by hand', drawn: { panel: 'keys', line: 'by hand' } },
  {
    ...records([1, 10, 100, 1_000, 10_000], (open) => ({
      keys: 10,
      operator: tumbling(100, { allowedLateness: (open - 1) * 100 }),
    })),
    what: 'open windows (by lateness)',
    drawn: { panel: 'open windows', line: '' },
  },
  {
    ...records([1, 6, 60, 600, 3_600], (overlap) => ({
      keys: 10,
      operator: slidingWindow(overlap * 100, 100, aggregates.count()),
    })),
    what: 'overlap (size ÷ slide)',
    drawn: { panel: 'size ÷ slide', line: '' },
  },
  {
    ...records([1, 10, 100, 1_000, 10_000], (disorder) => ({ disorder, operator: tumbling(1_000) })),
    what: 'disorder, ms',
    drawn: { panel: 'disorder, ms', line: '' },
  },
  {
    ...records(KEYS, (keys) => ({ keys, operator: windowBy(assigners.tumbling(5_000), aggregates.count()) })),
    what: 'general core: keys',
  },
  { ...records(KEYS, (keys) => ({ keys, operator: dedupe<number, number>((n) => n, { within: 5_000 }) })), what: 'dedupe: keys' },
  {
    ...records(KEYS, (keys) => ({ keys, disorder: 1_000, operator: sortByEventTime<number, number>() })),
    what: 'sort: keys',
  },
  {
    ...records([1, 100, 1_000, 10_000], (disorder) => ({ disorder, operator: sortByEventTime<number, number>() })),
    what: 'sort: disorder, ms',
  },
  {
    ...records(KEYS, (keys) => ({ keys, operator: timersAfter(5_000) })),
    what: 'process function, a timer a record: keys',
  },
  {
    ...records([100, 1_000, 10_000, 100_000], (open) => ({ operator: timersAfter(open) })), // a record a ms
    what: 'process function, a timer a record: open timers',
  },
  {
    // the interval grows with the keys, so that a record has as many partners
    ...inputs([10, 100, 1_000, 10_000], (keys) => ({ keys, inputs: 2, join: pairsWithin(keys) })),
    what: 'interval join, as many pairs: keys',
  },
  {
    // at most one pair a record
    ...inputs([1_000, 10_000, 100_000], (interval) => ({ keys: 100_000, inputs: 2, join: pairsWithin(interval) })),
    what: 'interval join, as many keys: interval, ms',
  },
  { ...inputs([2, 4, 16, 64], (n) => ({ keys: 1_000, inputs: n, join: (...all) => union(...all) })), what: 'union: inputs' },
  {
    ...bytes(OPEN, (n) => held(n, tumblingWindow(5_000, TOTAL))),
    what: 'tumbling: keys in a window',
    drawn: { panel: '', line: 'tumbling' },
  },
  {
    ...bytes(OPEN, (n) => held(n, slidingWindow(60_000, 1_000, TOTAL))),
    what: 'sliding, 60 windows: keys in each',
    drawn: { panel: '', line: 'sliding, 60 windows' },
  },
  { ...bytes(OPEN, (n) => held(n, sessionWindow(5_000, TOTAL))), what: 'sessions: keys', drawn: { panel: '', line: 'session' } },
  {
    ...bytes(OPEN, (n) => held(n, windowBy(assigners.tumbling(5_000), TOTAL))),
    what: 'general core: keys in a window',
    drawn: { panel: '', line: 'general core' },
  },
  { ...bytes(OPEN.slice(0, -1), (n) => held(n, tumblingWindow(5_000, TOTAL), 5_000)), what: 'tumbling: windows of one key' },
];

type Answered = Pick<Question, 'values' | 'unit' | 'answer'>;
type Values = ReadonlyArray<number>;

function records(values: Values, shape: (value: number) => Partial<Shape> & Pick<Shape, 'operator'>): Answered {
  return { values, unit: 'ns a record', answer: (value) => cost({ keys: 1_000, disorder: 0, ...shape(value) }) };
}

/** From 2,500 keys on a window is so long that each key comes twice in it, and there are records for one at least. */
function manyKeys(operator: (size: number) => Shape['operator']): Answered {
  return records([1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000], (keys) => ({
    keys,
    records: Math.max(200_000, 2 * keys),
    operator: operator(Math.max(5_000, 2 * keys)),
  }));
}

function inputs(values: Values, shape: (value: number) => Joining): Answered {
  return { values, unit: 'ns a record', answer: (value) => costOfJoining(shape(value)) };
}

function bytes(values: Values, answer: (value: number) => number): Answered {
  return { values, unit: 'bytes each', answer };
}

function tumbling(size: number, config?: WindowConfig<number, number>): Windowed<number, number, number> {
  return tumblingWindow<number, number, number>(size, aggregates.count(), config);
}

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

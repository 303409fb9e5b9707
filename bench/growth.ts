import Table from 'cli-table3';
import { from } from 'rxjs';
import {
  aggregates,
  assigners,
  keyedRecord,
  type StreamElement,
  slidingWindow,
  tumblingWindow,
  type Windowed,
  watermark,
  windowBy,
} from 'tidemark';

// What a record costs, and what an open window holds, as the work grows: `npm run bench -- --growth`.

const RECORDS = 200_000;

interface Shape {
  readonly keys: number;
  /** ms of event time between records. */
  readonly step: number;
  /** How far records may be behind the newest, ms. */
  readonly disorder: number;
  readonly window: Windowed<number, number, number>;
}

const BASE = { keys: 1_000, step: 1, disorder: 0, window: tumblingWindow<number, number, number>(5_000, aggregates.count()) };

const QUESTIONS: ReadonlyArray<readonly [what: string, values: ReadonlyArray<number>, shape: (value: number) => Shape]> = [
  ['keys', [1, 10, 100, 1_000, 10_000, 100_000], (keys) => ({ ...BASE, keys })],
  [
    'open windows (lateness, ms)',
    [0, 10_000, 100_000, 1_000_000],
    (allowedLateness) => ({ ...BASE, keys: 10, window: tumblingWindow(100, aggregates.count(), { allowedLateness }) }),
  ],
  [
    'overlap (size ÷ slide)',
    [1, 6, 60, 600, 3_600],
    (overlap) => ({ ...BASE, keys: 10, window: slidingWindow(overlap * 100, 100, aggregates.count()) }),
  ],
  [
    'disorder, ms',
    [0, 100, 1_000, 10_000],
    (disorder) => ({ ...BASE, disorder, window: tumblingWindow(1_000, aggregates.count()) }),
  ],
  [
    'general core: keys',
    [1, 100, 10_000],
    (keys) => ({ ...BASE, keys, window: windowBy(assigners.tumbling(5_000), aggregates.count()) }),
  ],
];

/** Elements with a watermark after every 200th record. */
function elements({ keys, step, disorder }: Shape): ReadonlyArray<StreamElement<number, number>> {
  const made: StreamElement<number, number>[] = [];
  for (let i = 0; i < RECORDS; i++) {
    const scattered = Math.imul(i, 0x9e3779b1) >>> 0;
    made.push(keyedRecord(i, 1e12 + i * step - (disorder === 0 ? 0 : scattered % disorder), scattered % keys));
    if (i % 200 === 199) made.push(watermark(1e12 + i * step - disorder - 1));
  }
  return made;
}

/** The least CPU time of several runs, ns a record. */
function cost(shape: Shape): number {
  const input = elements(shape);
  let least = Infinity;
  for (let run = 0; run < 6; run++) {
    const before = process.cpuUsage();
    from(input).pipe(shape.window).subscribe();
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

export function growth(): void {
  for (const [what, values, shape] of QUESTIONS) {
    const table = new Table({ head: [what, ...values.map((value) => value.toLocaleString('en'))] });
    const costs = values.map((value) => cost(shape(value)));
    table.push(['ns a record', ...costs.map((ns) => ns.toFixed(0))]);
    table.push(['× the first', ...costs.map((ns) => (ns / (costs[0] ?? NaN)).toFixed(2))]);
    console.log(table.toString());
  }
  const counts = [10_000, 100_000, 1_000_000];
  const table = new Table({ head: ['open windows and keys', ...counts.map((n) => n.toLocaleString('en'))] });
  table.push(['bytes each, tumbling', ...counts.map((n) => bytes(n, BASE.window).toFixed(0))]);
  console.log(table.toString());
}

// Draws docs/windows.svg, the figure of the guide: what each window operator makes of the same records.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lastValueFrom, type OperatorFunction, toArray } from 'rxjs';
import {
  aggregates,
  countWindow,
  cumulativeWindow,
  fromElements,
  globalWindow,
  isRecord,
  record,
  type StreamElement,
  sessionWindow,
  slidingWindow,
  triggers,
  tumblingWindow,
  type WindowResult,
} from 'tidemark';
import { styles } from './figure.js';

/** The times of the records, in order. */
const TIMES = [2, 3, 7, 8, 9, 17, 24, 26];
const LAST = 30;

const WIDTH = 760;
const LEFT = 216;
const RIGHT = 24;
const TOP = 66;
const BAR = 17;

type Numbers = ReadonlyArray<number>;
type Windows = OperatorFunction<StreamElement<number>, StreamElement<WindowResult<Numbers>>>;
const all = aggregates.collect<number>();

/** The operators as one writes them, and what to say about each. */
const LANES: ReadonlyArray<readonly [name: string, about: string, windows: Windows]> = [
  ['tumblingWindow(10)', 'side by side', tumblingWindow(10, all)],
  ['slidingWindow(10, 5)', 'overlapping', slidingWindow(10, 5, all)],
  ['cumulativeWindow(5, 15)', 'growing, then anew', cumulativeWindow(5, 15, all)],
  ['sessionWindow(5)', 'as long as it goes on', sessionWindow(5, all)],
  ['countWindow(3)', 'every three records', countWindow(3, all)],
  ['globalWindow(afterCount(4))', 'all so far, when told', globalWindow(triggers.afterCount(4), all)],
];

interface Bar {
  readonly from: number;
  readonly to: number;
  readonly records: Numbers;
  /** The row in its lane. */
  readonly row: number;
}

const round = (n: number): number => Math.round(n * 10) / 10;
const x = (time: number): number => round(LEFT + (time / LAST) * (WIDTH - LEFT - RIGHT));

/** The windows of a lane, said by the operators themselves, each in the first row that is free there. */
async function bars(windows: Windows): Promise<Bar[]> {
  const records = TIMES.map((time) => record(time, time));
  const elements = await lastValueFrom(fromElements(...records).pipe(windows, toArray()));
  const rows: number[] = [];
  return elements.filter(isRecord).map(({ value: { window, value } }) => {
    const bounded = window.end < Infinity;
    const from = bounded ? window.start : (value[0] as number) - 0.6;
    const to = bounded ? window.end : (value.at(-1) as number) + 0.6;
    let row = rows.findIndex((end) => end <= from);
    if (row < 0) row = rows.length;
    rows[row] = to;
    return { from: Math.max(from, 0), to: Math.min(to, LAST), records: value, row };
  });
}

function lane(name: string, about: string, found: ReadonlyArray<Bar>, top: number): string {
  const boxes = found.map(({ from, to, records, row }) => {
    const y = top + row * (BAR + 4);
    const dots = records.map((time) => `<circle class="record" cx="${x(time)}" cy="${y + BAR / 2}" r="4"/>`).join('');
    return `
  <rect class="open" x="${x(from)}" y="${y}" width="${round(x(to) - x(from))}" height="${BAR}" rx="3"/>${dots}`;
  });
  return `
  <text class="band" x="20" y="${top + 12}">${name}</text>
  <text class="small" x="20" y="${top + 27}">${about}</text>${boxes.join('')}`;
}

/** The figure. */
export async function draw(): Promise<string> {
  let top = TOP;
  let lanes = '';
  for (const [name, about, windows] of LANES) {
    const found = await bars(windows);
    lanes += lane(name, about, found, top);
    const rows = Math.max(...found.map(({ row }) => row)) + 1;
    top += Math.max(rows * (BAR + 4), 34) + 14;
  }
  const height = top + 26;
  const grid = Array.from({ length: LAST / 5 + 1 }, (_, i) => i * 5)
    .map(
      (time) => `
  <line class="edge" x1="${x(time)}" x2="${x(time)}" y1="${TOP - 8}" y2="${top}"/>
  <text class="small" x="${x(time)}" y="${top + 16}" text-anchor="middle">${time}</text>`,
    )
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">
  <title id="title">What each window operator makes of the same records</title>
  <desc id="description">Eight records at ${TIMES.join(', ')} ms. A bar is a result: the stretch of its window, and the records in it. Count and global windows have no bounds; their bars reach from the first record to the last.</desc>
  ${styles()}
  <rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="10"/>
  <text class="title" x="20" y="30">The same records in each kind of window</text>
  <text x="20" y="48">a bar is a result, the dots are its records; event time goes to the right</text>${grid}${lanes}
</svg>
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../docs/windows.svg', import.meta.url), await draw());
}

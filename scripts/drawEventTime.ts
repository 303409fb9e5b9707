// Draws docs/event-time.svg, the picture of the README: what the README's example does, as tidemark does it.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { from, lastValueFrom, toArray } from 'rxjs';
import { aggregates, assignWatermarks, boundedOutOfOrderness, isRecord, seconds, tumblingWindow } from 'tidemark';
import { styles } from './figure.js';

/** The event times of the README's readings, in s, as they arrive. */
const ARRIVALS = [1, 4, 3, 6, 8, 2, 7, 11, 9.5, 13];
const BOUND = 2;
const WINDOW = 5;
const LAST = 15;

const WIDTH = 760;
const HEIGHT = 400;
const LEFT = 86;
const RIGHT = 118;
const TOP = 62;
const BOTTOM = 56;

const x = (arrival: number): number => round(LEFT + ((arrival - 0.5) / ARRIVALS.length) * (WIDTH - LEFT - RIGHT));
const y = (time: number): number => round(HEIGHT - BOTTOM - (time / LAST) * (HEIGHT - TOP - BOTTOM));
const round = (n: number): number => Math.round(n * 10) / 10;

interface Arrival {
  readonly at: number;
  readonly late: boolean;
  /** In s, after this record. */
  readonly watermark: number;
}

/** What happens at each arrival, said by the operators themselves. */
async function arrivals(): Promise<Arrival[]> {
  const late = new Set<number>();
  const stamped = from(ARRIVALS).pipe(
    assignWatermarks(boundedOutOfOrderness(seconds(BOUND)), { timestamp: seconds, interval: 'record' }),
  );
  await lastValueFrom(
    stamped.pipe(tumblingWindow(seconds(WINDOW), aggregates.collect(), { lateTo: ({ value }) => late.add(value) }), toArray()),
  );
  const elements = await lastValueFrom(stamped.pipe(toArray()));
  let watermark = Number.NEGATIVE_INFINITY;
  const seen: Arrival[] = [];
  for (const element of elements) {
    if (isRecord(element)) seen.push({ at: element.value, late: late.has(element.value), watermark });
    else if (element.timestamp < Infinity) {
      watermark = (element.timestamp + 1) / 1_000;
      const last = seen.pop();
      if (last !== undefined) seen.push({ ...last, watermark });
    }
  }
  return seen;
}

function bands(seen: ReadonlyArray<Arrival>): string {
  const right = WIDTH - RIGHT;
  return Array.from({ length: LAST / WINDOW }, (_, i) => {
    const [start, end] = [i * WINDOW, (i + 1) * WINDOW];
    const closing = seen.findIndex(({ watermark }) => watermark >= end);
    const until = closing === -1 ? right : x(closing + 1);
    const height = y(start) - y(end);
    const word =
      closing === -1
        ? `x="${until + 8}" y="${y(end) + 32}">fires at the end`
        : until + 90 > right
          ? `x="${until - 6}" y="${y(start) - 8}" text-anchor="end">fires here`
          : `x="${until + 6}" y="${y(start) - 8}">fires here`;
    return `
  <rect class="closed" x="${LEFT}" y="${y(end)}" width="${right - LEFT}" height="${height}"/>
  <rect class="open" x="${LEFT}" y="${y(end)}" width="${round(until - LEFT)}" height="${height}"/>
  <line class="fires" x1="${until}" x2="${until}" y1="${y(end)}" y2="${y(start)}"/>
  <text class="small" ${word}</text>
  <text class="band" x="${right + 8}" y="${y(end) + 15}">[${start} s, ${end} s)</text>`;
  }).join('');
}

function watermarkLine(seen: ReadonlyArray<Arrival>): string {
  let path = '';
  let before: number | undefined;
  seen.forEach(({ watermark }, i) => {
    if (watermark < 0) return;
    path += before === undefined ? `M${x(i + 1)} ${y(0)}V${y(watermark)}` : `H${x(i + 1)}V${y(watermark)}`;
    before = watermark;
  });
  return `${path}H${WIDTH - RIGHT}`;
}

function dots(seen: ReadonlyArray<Arrival>): string {
  return seen
    .map(({ at, late }, i) => {
      const [cx, cy] = [x(i + 1), y(at)];
      return late
        ? `
  <path class="late" d="M${cx - 5} ${cy - 5}l10 10m0 -10l-10 10"/>
  <text class="late-word" x="${cx + 11}" y="${cy + 4}">late</text>`
        : `
  <circle class="record" cx="${cx}" cy="${cy}" r="5.5"/>`;
    })
    .join('');
}

/** The picture, with a ground of its own, so that it reads on any page, and in the colours that the reader prefers. */
export async function draw(): Promise<string> {
  const seen = await arrivals();
  const ticks = Array.from(
    { length: LAST / WINDOW + 1 },
    (_, i) => `
  <text class="tick" x="${LEFT - 10}" y="${y(i * WINDOW) + 4}" text-anchor="end">${i * WINDOW} s</text>`,
  ).join('');
  const orders = ARRIVALS.map(
    (_, i) => `
  <text class="tick" x="${x(i + 1)}" y="${HEIGHT - BOTTOM + 19}" text-anchor="middle">${i + 1}</text>`,
  ).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-labelledby="title description">
  <title id="title">Event time against arrival</title>
  <desc id="description">Ten records, each at the time at which it happened and in the order in which it arrived. The watermark follows the newest record 2 seconds behind. A window closes when the watermark reaches its end; a record that belongs to a closed window is late.</desc>
  ${styles()}
  <rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="10"/>
  <text class="title" x="20" y="30">When it happened, against when it arrived</text>
  <text x="20" y="48">windows of ${WINDOW} s, watermark ${BOUND} s behind the newest record</text>${bands(seen)}${ticks}${orders}
  <text transform="translate(26 ${(y(0) + y(LAST)) / 2}) rotate(-90)" text-anchor="middle">event time</text>
  <text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 14}" text-anchor="middle">order of arrival</text>
  <path class="watermark" d="${watermarkLine(seen)}"/>
  <text class="line-word" x="${WIDTH - RIGHT + 8}" y="${y(seen.at(-1)?.watermark ?? 0) + 4}">watermark</text>${dots(seen)}
</svg>
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../docs/event-time.svg', import.meta.url), await draw());
}

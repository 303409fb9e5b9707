import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { styles } from '../../scripts/figure.js';
import type { Drawn, Question } from './questions.js';

/** A question with its answers. */
export interface Curve extends Omit<Question, 'answer'> {
  readonly found: ReadonlyArray<number>;
}

interface Point extends Drawn {
  readonly x: number;
  readonly y: number;
}

const WIDTH = 760;
const HEIGHT = 230;
const LEFT = 20;
const TITLE = 40;
/** Seen on light pages and on dark ones. */
const GREY = '#7b8794';

/** Above what a record costs, as a multiple of the least in its panel; below what is held. */
export function draw(curves: ReadonlyArray<Curve>): string {
  const { document } = parseHTML('<html><body></body></html>');
  const costs = overLeast(points(curves, 'ns a record'));
  const bytes = points(curves, 'bytes each');
  const height = 2 * (TITLE + HEIGHT) + 10;
  const panel = (i: number, title: string, svg: Element): string => {
    const top = i * (TITLE + HEIGHT);
    svg.querySelector('style')?.remove(); // it is for pages
    const place = `transform="translate(0,${top + TITLE})" color="${GREY}" fill="currentColor" text-anchor="middle"`;
    return `  <text class="title" x="${LEFT}" y="${top + 30}">${title}</text>\n  <g ${place}>${svg.innerHTML}</g>`;
  };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">
  <title id="title">Cost and memory as the work grows</title>
  <desc id="description">Above: the CPU time of a record by number of keys, open windows, overlap and disorder, as a multiple of the least in each panel. Below: bytes of heap an open window and key, by their number.</desc>
  ${styles()}
  <rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="10"/>
${panel(0, 'What a record costs, over the least of each panel', costChart(document, costs))}
${panel(1, 'Bytes that a key holds, by how many there are', byteChart(document, bytes))}
</svg>
`;
}

function points(curves: ReadonlyArray<Curve>, unit: Question['unit']): ReadonlyArray<Point> {
  return curves.flatMap(({ drawn, values, found, ...curve }) => {
    if (drawn === undefined || curve.unit !== unit) return [];
    return values.map((x, i) => ({ ...drawn, x, y: found[i] ?? NaN }));
  });
}

/** Curves of one panel keep their distance. */
function overLeast(points: ReadonlyArray<Point>): ReadonlyArray<Point> {
  const least = (panel: string): number => Math.min(...points.filter((point) => point.panel === panel).map(({ y }) => y));
  return points.map((point) => ({ ...point, y: point.y / least(point.panel) }));
}

const SHARED = { width: WIDTH, height: HEIGHT, marginLeft: 56, marginBottom: 34 } as const;
const X = { type: 'log', label: null, ticks: 3, tickFormat: '~s' } as const;

function costChart(document: Document, data: ReadonlyArray<Point>): Element {
  const most = Math.max(...data.map(({ y }) => y));
  return Plot.plot({
    ...SHARED,
    document,
    marginRight: LEFT,
    marginTop: 34,
    x: X,
    y: { type: 'log', label: null, domain: [1, most * 1.2], ticks: [1, 2, 5, 10, 20, 50], tickFormat: '~s', grid: true },
    fx: { label: null, domain: [...new Set(data.map(({ panel }) => panel))], padding: 0.12 },
    marks: lines(data, { fx: 'panel', textAnchor: 'end', dx: -9, dy: -4 }, 106),
  }) as Element;
}

function byteChart(document: Document, data: ReadonlyArray<Point>): Element {
  return Plot.plot({
    ...SHARED,
    document,
    marginRight: 150,
    x: X,
    y: { label: null, zero: true, nice: true, ticks: 5, grid: true },
    marks: lines(data, { textAnchor: 'start', dx: 8 }),
  }) as Element;
}

function lines(data: ReadonlyArray<Point>, { fx, ...label }: Plot.TextOptions, below = 0): Plot.Markish[] {
  const at = { x: 'x', y: 'y', z: 'line', ...(fx === undefined ? {} : { fx }) } as const;
  return [
    Plot.line(data, { ...at, stroke: 'line', strokeWidth: 2 }),
    Plot.dot(data, { ...at, fill: 'line', r: 2.5 }),
    ...[false, true].map((low) => {
      const named = data.filter((point) => (point.below === true) === low);
      return Plot.text(named, Plot.selectLast({ ...at, text: 'line', ...label, ...(low ? { dx: 0, dy: below } : {}) }));
    }),
  ];
}

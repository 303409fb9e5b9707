import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { styles } from '../../scripts/figure.js';
import type { Question } from './questions.js';

/** A question with its answers. */
export interface Curve extends Omit<Question, 'answer'> {
  readonly found: ReadonlyArray<number>;
}

interface Point {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

const WIDTH = 380;
const HEIGHT = 300;
const TOP = 64;

/** Two pictures side by side: what a record costs, over the least of its curve; and what is held. */
export function draw(curves: ReadonlyArray<Curve>): string {
  const { document } = parseHTML('<html><body></body></html>');
  const costs = points(curves, 'ns a record', (found) => found.map((one) => one / Math.min(...found)));
  const bytes = points(curves, 'bytes each', (found) => found);
  const charts = [
    chart(
      document,
      costs,
      { label: '× the least', domain: [0, Math.max(4, ...costs.map(({ y }) => y))] },
      'how many, or how much',
    ),
    chart(document, bytes, { label: 'bytes', domain: [0, Math.max(...bytes.map(({ y }) => y))] }, 'open windows and keys'),
  ];
  const [width, height] = [2 * WIDTH + 20, TOP + HEIGHT + 8];
  const titles = ['What a record costs as the work grows', 'What an open window and key holds'];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">
  <title id="title">Cost and memory as the work grows</title>
  <desc id="description">Left: the cost of a record by number of keys, open windows, overlap and disorder, as a multiple of the least of each curve. Right: bytes of heap an open window and key, by their number.</desc>
  ${styles()}
  <rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>
${charts.map((svg, i) => `  <text class="title" x="${20 + i * (WIDTH + 10)}" y="34">${titles[i]}</text>\n  ${placed(svg, 6 + i * (WIDTH + 8))}`).join('\n')}
</svg>
`;
}

function points(
  curves: ReadonlyArray<Curve>,
  unit: Question['unit'],
  scaled: (found: ReadonlyArray<number>) => ReadonlyArray<number>,
): ReadonlyArray<Point> {
  return curves.flatMap(({ drawn: name, values, found, ...curve }) => {
    if (name === undefined || curve.unit !== unit) return [];
    const heights = scaled(found);
    return values.map((x, i) => ({ name, x, y: heights[i] ?? NaN }));
  });
}

function chart(document: Document, data: ReadonlyArray<Point>, y: Plot.ScaleOptions, label: string): Element {
  const at = { x: 'x', y: 'y' } as const;
  const colours = { stroke: 'name', fill: 'name' } as const;
  return Plot.plot({
    document,
    width: WIDTH,
    height: HEIGHT,
    marginLeft: 44,
    marginRight: 104,
    marginBottom: 40,
    style: { background: 'none', color: 'currentColor' },
    color: { scheme: 'tableau10' },
    x: { type: 'log', label, labelAnchor: 'left', ticks: 4, tickFormat: '~s' },
    y: { ...y, grid: true, ticks: 5 },
    marks: [
      Plot.line(data, { ...at, stroke: 'name', strokeWidth: 2 }),
      Plot.dot(data, { ...at, ...colours, r: 2.5 }),
      Plot.text(data, Plot.selectLast({ ...at, z: 'name', text: 'name', textAnchor: 'start', dx: 8, fill: 'name' })),
    ],
  }) as Element;
}

function placed(svg: Element, x: number): string {
  svg.setAttribute('x', String(x));
  svg.setAttribute('y', String(TOP - 12));
  return svg.outerHTML;
}

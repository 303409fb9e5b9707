import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { days, hours } from 'tidemark';
import type { Day } from './day.js';
import type { Flight } from './flights.js';
import { dayOf, timeOfDay } from './newYork.js';
import { BOUNDS, type Bound, type Trade } from './trade.js';

const ON_TIME = '#4c78a8';
const LATE = '#d62728';
const WATERMARK = '#e08a00';
const INK = '#333';
const FAINT = '#888';
const FONT = 'system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif';

/** The picture: one day of event time against arrival with the watermark, and beside it what each bound costs. */
export function plotFlights(day: Day, bound: Bound, trade: Trade): string {
  const { document } = parseHTML('<html><body></body></html>');
  const left = dayChart(document, day, bound);
  const right = tradeChart(document, trade, bound);
  const { late, counted } = trade[bound];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="1120" height="656" viewBox="0 0 1120 656" font-family='${FONT}' fill="${INK}">`,
    '<rect width="1120" height="656" fill="white"/>',
    heading(24, 'When planes left, against when it became known', [
      `Departures from New York that landed on ${dayOf(day.start)}, each known only then. The watermark keeps`,
      `${spell(bound)} behind the newest departure seen, and makes an hour’s result when it passes the hour’s end:`,
      `${number(day.late.length)} of these ${number(day.late.length + day.onTime.length)} flights landed after that.`,
    ]),
    heading(792, 'Longer waits, fewer late', [
      'Share of all flights in the file that came',
      'too late for their hour, by bound:',
      `${number(late)} of ${number(late + counted)} at ${spell(bound)}.`,
    ]),
    nested(left, 0, 112),
    nested(right, 768, 112),
    '</svg>\n',
  ].join('\n');
}

function dayChart(document: Document, day: Day, bound: Bound): Element {
  const start = day.start;
  const end = start + days(1);
  const flights = [...day.onTime, ...day.late];
  const lowest = Math.min(start, ...flights.map((flight) => flight.departedAt), ...day.watermarks.map(({ time }) => time));
  const bottom = Math.floor((lowest - start) / hours(3)) * hours(3) + start;
  const every3Hours = (from: number): number[] =>
    Array.from({ length: Math.round((end - from) / hours(3)) + 1 }, (_, i) => from + i * hours(3));
  const tickFormat = (time: Date | number): string => timeOfDay(+time);
  const at = (x: number, y: number, text: string, fill: string, options: Plot.TextOptions = {}) =>
    Plot.text([{ x, y }], {
      x: 'x',
      y: 'y',
      text: () => text,
      fill,
      stroke: 'white',
      strokeWidth: 5,
      fontSize: 13,
      fontWeight: 600,
      ...options,
    });
  const marks = { x: (f: Flight) => f.landedAt, y: (f: Flight) => f.departedAt };
  const last = day.watermarks.filter(({ arrival }) => arrival < start + hours(10.5)).at(-1);
  return Plot.plot({
    document,
    width: 760,
    height: 540,
    marginLeft: 64,
    marginBottom: 44,
    marginRight: 24,
    style: { fontSize: '12px', fontFamily: FONT, color: INK, background: 'none' },
    x: {
      type: 'utc',
      domain: [start, end],
      ticks: every3Hours(start),
      tickFormat,
      label: 'landed, and so known (New York time) →',
      labelAnchor: 'right',
    },
    y: {
      type: 'utc',
      domain: [bottom, end],
      ticks: every3Hours(bottom),
      tickFormat,
      label: '↑ departed (event time)',
      grid: true,
    },
    marks: [
      Plot.line([start, end], { x: (t: number) => t, y: (t: number) => t, stroke: '#bbb', strokeDasharray: '2,4' }),
      Plot.dot(day.onTime, { ...marks, r: 2, fill: ON_TIME, fillOpacity: 0.55 }),
      Plot.line(day.watermarks, { x: 'arrival', y: 'time', stroke: 'white', strokeWidth: 5, curve: 'step-after' }),
      Plot.line(day.watermarks, { x: 'arrival', y: 'time', stroke: WATERMARK, strokeWidth: 2.25, curve: 'step-after' }),
      Plot.dot(day.late, { ...marks, r: 2.8, fill: LATE, stroke: 'white', strokeWidth: 0.6 }),
      at(start + hours(5), start + hours(5), 'now', FAINT, { dx: -8, textAnchor: 'end', fontWeight: 400 }),
      last === undefined
        ? null
        : at(last.arrival, last.time, `watermark, bound ${bound}`, WATERMARK, { dx: -16, dy: -30, textAnchor: 'end' }),
      at(start + hours(15.4), start + hours(7.4), 'late for their hour', LATE, { textAnchor: 'start' }),
      at(start + hours(9.6), start + hours(13), 'in time', ON_TIME, { textAnchor: 'end' }),
    ],
  });
}

function tradeChart(document: Document, trade: Trade, chosen: Bound): Element {
  const rows = (Object.keys(BOUNDS) as Bound[]).map((bound) => {
    const { late, counted } = trade[bound];
    return { bound, late, share: (100 * late) / (late + counted) };
  });
  return Plot.plot({
    document,
    width: 344,
    height: 540,
    marginLeft: 60,
    marginRight: 116,
    marginBottom: 44,
    style: { fontSize: '12px', fontFamily: FONT, color: INK, background: 'none' },
    x: { axis: null, domain: [0, Math.max(1, ...rows.map(({ share }) => share))] },
    y: { domain: rows.map(({ bound }) => bound), label: null, tickSize: 0, padding: 0.35 },
    marks: [
      Plot.barX(rows, { x: 'share', y: 'bound', fill: (row) => (row.bound === chosen ? LATE : '#e9b5b5') }),
      Plot.text(rows, {
        x: 'share',
        y: 'bound',
        text: ({ late, share }) => (late === 0 ? 'none' : `${share < 0.1 ? '< 0.1' : share.toFixed(1)} %  (${number(late)})`),
        textAnchor: 'start',
        dx: 6,
      }),
      Plot.ruleX([0], { stroke: '#bbb' }),
    ],
  });
}

const number = (n: number): string => n.toLocaleString('en-US');
const spell = (bound: Bound): string => bound.replace('min', ' minutes').replace(/h$/, bound === '1h' ? ' hour' : ' hours');

function heading(x: number, title: string, lines: ReadonlyArray<string>): string {
  const rest = lines.map((line, i) => `<text x="${x}" y="${60 + i * 18}" font-size="13" fill="#555">${line}</text>`);
  return `<text x="${x}" y="36" font-size="19" font-weight="700">${title}</text>${rest.join('')}`;
}

function nested(chart: Element, x: number, y: number): string {
  chart.setAttribute('x', String(x));
  chart.setAttribute('y', String(y));
  return chart.outerHTML;
}

// What the drawn figures of the docs share: colours and lines, for light and dark pages.
interface Colours {
  readonly ground: string;
  readonly edge: string;
  readonly ink: string;
  readonly soft: string;
  readonly open: string;
  readonly closed: string;
  readonly line: string;
  readonly dot: string;
  readonly late: string;
}

const LIGHT: Colours = {
  ground: '#ffffff',
  edge: '#d8dee6',
  ink: '#1f2933',
  soft: '#5d6b7a',
  open: '#dcebfa',
  closed: '#f1f3f6',
  line: '#c2571a',
  dot: '#1666b0',
  late: '#b4232f',
};
const DARK: Colours = {
  ground: '#12181f',
  edge: '#303b47',
  ink: '#e6ebf1',
  soft: '#9aa8b7',
  open: '#17324d',
  closed: '#1b232c',
  line: '#f0955a',
  dot: '#6db6f7',
  late: '#ff7d86',
};

function rules({ ground, edge, ink, soft, open, closed, line, dot, late }: Colours): string {
  return [
    `text { font: 13px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; fill: ${soft}; }`,
    `.title { fill: ${ink}; font-size: 15px; font-weight: 600; }`,
    `.band { fill: ${ink}; }`,
    '.small { font-size: 12px; }',
    `.line-word { fill: ${line}; font-weight: 600; }`,
    `.late-word { fill: ${late}; font-weight: 600; }`,
    `.ground { fill: ${ground}; stroke: ${edge}; }`,
    `.edge { stroke: ${edge}; }`,
    `.open { fill: ${open}; stroke: ${ground}; }`,
    `.closed { fill: ${closed}; stroke: ${ground}; }`,
    `.fires { stroke: ${line}; stroke-width: 1.5; stroke-dasharray: 4 3; }`,
    `.watermark { fill: none; stroke: ${line}; stroke-width: 2.5; stroke-linejoin: round; }`,
    `.record { fill: ${dot}; stroke: ${ground}; stroke-width: 1.5; }`,
    `.late { stroke: ${late}; stroke-width: 3; stroke-linecap: round; }`,
  ].join('\n    ');
}

/** The style of a figure, in the colours that the reader prefers. */
export function styles(): string {
  return `<style>
    ${rules(LIGHT)}
    @media (prefers-color-scheme: dark) {
      ${rules(DARK)}
    }
  </style>`;
}

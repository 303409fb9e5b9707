import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isMain, ROOT } from './project.js';
import { listedTitles, type Title } from './titles.js';

/** What the marble tests of every operator show, each in a test whose title holds `<row>:`. */
export const ROWS = [
  'never',
  'empty',
  'error',
  'unsubscribe',
  'throws', // a throwing user function
  'synchronous',
  're-entrant',
  'watermark',
  'regressing',
  'idle',
  'completion',
  'arguments',
] as const;

/** What those of a window operator show besides. */
export const WINDOW_ROWS = ['boundary', 'late', 'timers'] as const;

export type Row = (typeof ROWS)[number] | (typeof WINDOW_ROWS)[number];
export type Exceptions = Readonly<Record<string, Partial<Readonly<Record<Row, string>>>>>;

const NO_FUNCTION = { throws: 'takes no function of the user' } as const;
const NO_ARGUMENTS = { ...NO_FUNCTION, arguments: 'takes no arguments' } as const;
const SIDE = 'carries what an operator puts aside, no event time';

const ANY_VALUES = 'plays any values, watermarks among them as they were';

/** Rows that make no sense for an operator, and why. */
export const EXCEPTIONS: Exceptions = {
  closeWhenQuiet: NO_FUNCTION,
  fromElements: {
    ...NO_FUNCTION,
    arguments: 'takes any elements',
    never: 'ends at once',
    empty: 'has no source',
    error: 'has no source',
  },
  firstPerKey: NO_FUNCTION,
  lastPerKey: NO_FUNCTION,
  replay: {
    empty: 'has no source',
    synchronous: 'has no source',
    watermark: ANY_VALUES,
    regressing: ANY_VALUES,
    idle: ANY_VALUES,
  },
  sideOutput: { watermark: SIDE, regressing: SIDE, idle: SIDE, arguments: 'takes no arguments' },
  toTimestamped: NO_ARGUMENTS,
  toValues: NO_ARGUMENTS,
  toWatermarks: NO_ARGUMENTS,
  union: NO_FUNCTION,
  unionAll: NO_FUNCTION,
  unionWith: NO_FUNCTION,
  unkey: NO_ARGUMENTS,
};

/** An operator, and whether it makes windows. */
export interface Operator {
  readonly name: string;
  readonly windows: boolean;
}

/** The operators of the project: a file each. */
export function operatorsOf(folder: string): ReadonlyArray<Operator> {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ name }) => ({
      name: basename(name, '.ts'),
      windows: /\/(windowOperator|assignedWindow)\.js/.test(readFileSync(join(folder, name), 'utf8')),
    }));
}

/** What is missing, and what is excepted though it is there, one line each. */
export function checklist(
  operators: ReadonlyArray<Operator>,
  titles: ReadonlyArray<Title>,
  exceptions: Exceptions = EXCEPTIONS,
): ReadonlyArray<string> {
  const known = new Set(operators.map(({ name }) => name));
  const strangers = Object.keys(exceptions).filter((name) => !known.has(name));
  return [
    ...strangers.map((name) => `${name}: excepted, but there is no such operator`),
    ...operators.flatMap(({ name, windows }) => {
      const file = `test/marbles/${name}.test.ts`;
      const own = titles.filter((title) => title.file === file).map(({ title }) => title);
      if (own.length === 0) return [`${name}: no test in ${file}`];
      const rows: ReadonlyArray<Row> = windows ? [...ROWS, ...WINDOW_ROWS] : ROWS;
      return rows.flatMap((row) => {
        const there = own.some((title) => new RegExp(`(^|[\\s>])${row}:`).test(title));
        const reason = exceptions[name]?.[row];
        if (there && reason !== undefined) return [`${name}: ${row} is excepted (${reason}), but tested`];
        return there || reason !== undefined ? [] : [`${name}: no test '${row}: …' in ${file}`];
      });
    }),
  ];
}

if (isMain(import.meta.url)) {
  const missing = checklist(operatorsOf(join(ROOT, 'src/operators')), listedTitles());
  for (const line of missing) console.log(line);
  console.log(`${missing.length} missing`);
  process.exitCode = missing.length === 0 ? 0 : 1;
}

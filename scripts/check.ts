import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arrows } from './arrows.js';
import { bundle, PIPELINE, servedSize } from './bundle.js';
import { checklist, operatorsOf } from './checklist.js';
import { entriesOf, importWork } from './importWork.js';
import { pitfalls, readById } from './pitfalls.js';
import { ROOT } from './project.js';
import { passedTitles, readReport, type TestReport } from './titles.js';
import { typeCost } from './typeCost.js';

/** What a check found: whether it is content, a word for its line, and what to read when it is not. */
interface Finding {
  readonly ok: boolean;
  readonly note?: string;
  readonly details?: string;
}
type Check = readonly [name: string, run: () => Promise<Finding>];

// what a run of the tests leaves: `.ci/run` writes the same two
const REPORT = join(ROOT, '.tmp/tests.json');
const COVERAGE = join(ROOT, '.tmp/coverage');
/**
 * Bytes, minified and compressed, without rxjs and fp-ts: what has been reached, so that nothing grows unnoticed.
 *
 * What an application gets is the first, or less; why not 3,500, see docs/decisions/0011. The second is everything at once, each
 * thing on top of those before it: strategies, sources, what goes record by record (7,500), unions with alignment (2,000), process
 * functions, patterns, sorting, duplicates (5,500), RxJS in event time and replay (3,000), five joins (7,000), windows with five
 * cores, all triggers, evictors, assigners and aggregates (12,500).
 */
const BUDGETS = { pipeline: 5_900, root: 39_750 } as const;

/** What the compiler may do for a pipe of fifteen operators: what it does, and 5 %. Fifteen stock ones take 2,700 and 1,350. */
const TYPE_BUDGETS = { instantiations: 3_800, types: 2_060 } as const;

/** Runs a tool of the project. */
function tool(command: string, ...args: ReadonlyArray<string>): Promise<Finding> {
  return new Promise((resolve) => {
    const options = { cwd: ROOT, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' } };
    execFile('npx', ['--no-install', command, ...args], options, (error, stdout, stderr) => {
      resolve({ ok: error === null, details: `${stdout}${stderr}`.trim() });
    });
  });
}

function lines(found: ReadonlyArray<string>, note: string): Finding {
  return { ok: found.length === 0, note: found.length === 0 ? note : `${found.length} found`, details: found.join('\n') };
}

/** What is emitted is type-checked too: declarations have demands of their own. */
async function declarations(): Promise<Finding> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-declarations-'));
  try {
    const emit = ['--noEmit', 'false', '--emitDeclarationOnly', '--rootDir', 'src', '--outDir', folder];
    return await tool('tsc', '-p', 'tsconfig.build.json', ...emit);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function imports(): Promise<Finding> {
  const { violations, imports: seen } = await arrows(ROOT);
  if (seen < 200) return { ok: false, note: `only ${seen} imports seen: the linter does not read the sources` };
  return lines(violations, `${seen} imports`);
}

async function size(name: keyof typeof BUDGETS, code: string): Promise<Finding> {
  const bytes = await servedSize(await bundle(code));
  const budget = BUDGETS[name];
  return { ok: bytes <= budget, note: `${bytes} of ${budget} bytes` };
}

/** Importing costs no work, and imports of which nothing is used cost no bytes. */
async function importing(): Promise<Finding> {
  const entries = await entriesOf();
  const unused = await bundle(entries.map((entry) => `import '${entry}';`).join(''));
  const left = unused === '' ? [] : [`unused imports leave ${unused}`];
  return lines([...(await importWork(entries)), ...left], `${entries.length} entries`);
}

async function typing(): Promise<Finding> {
  const cost = typeCost(join(ROOT, 'test/types/fifteen.ts'));
  const words = (['instantiations', 'types'] as const).map((count) => ({
    ok: cost[count] <= TYPE_BUDGETS[count],
    note: `${cost[count]} of ${TYPE_BUDGETS[count]} ${count}`,
  }));
  return { ok: words.every(({ ok }) => ok), note: words.map(({ note }) => note).join(', ') };
}

/** Runs the tests once, with coverage, and leaves a report for the checks that read titles. */
async function tests(): Promise<Finding> {
  await rm(REPORT, { force: true });
  await rm(COVERAGE, { recursive: true, force: true });
  await mkdir(COVERAGE, { recursive: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`];
  const run = await tool('vitest', 'run', '--coverage', `--coverage.reportsDirectory=${COVERAGE}`, ...reporters);
  if (!existsSync(REPORT)) return run;
  const judged = judge(readReport(REPORT));
  // vitest may fail though no test did: a threshold, or an error outside of any test
  return run.ok || !judged.ok ? judged : { ...judged, ok: false, details: (run.details ?? '').split('\n').slice(-40).join('\n') };
}

function judge(report: TestReport): Finding {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, success } = report;
  const left = numPendingTests + numTodoTests;
  const note = `${numPassedTests} passed, ${numFailedTests} failed${left > 0 ? `, ${left} not run` : ''}`;
  const failed = report.testResults.flatMap(({ name, status, message, assertionResults }) => [
    ...assertionResults.filter((test) => test.status !== 'passed').map((test) => `${test.status}: ${test.fullName}`),
    ...(status === 'passed' || message === '' ? [] : [`${name}: ${message}`]),
  ]);
  return { ok: success && left === 0, note, details: failed.join('\n') };
}

async function coverage(): Promise<Finding> {
  const path = join(COVERAGE, 'coverage-summary.json');
  if (!existsSync(path)) return { ok: false, note: 'no summary: run the tests with coverage' };
  const summary = JSON.parse(await readFile(path, 'utf8')) as { readonly total: { readonly branches: { readonly pct: number } } };
  const { pct } = summary.total.branches;
  return { ok: pct >= 95, note: `${pct} % of branches` };
}

const CHECKS: ReadonlyArray<Check> = [
  ['format and lint', () => tool('biome', 'check', '.')],
  ['types', () => tool('tsc', '--noEmit', '-p', '.')],
  ['declarations', declarations],
  ['imports', imports],
  ['build', () => tool('tsdown', '--logLevel', 'warn')],
  ['publint', () => tool('publint', '--strict')],
  ['attw', () => tool('attw', '--pack', '.', '--profile', 'esm-only')],
  ['size of a pipeline', () => size('pipeline', PIPELINE)],
  ['size of the root entry', () => size('root', "export * from 'tidemark';")],
  ['work of importing', importing],
  ['types of a pipe', typing],
];
const AFTER_TESTS: ReadonlyArray<Check> = [
  ['coverage', coverage],
  [
    'checklist',
    async () =>
      lines(checklist(operatorsOf(join(ROOT, 'src/operators')), passedTitles(readReport(REPORT))), 'every row of every operator'),
  ],
  [
    'requirements',
    async () => {
      const notYet = readById('not-yet.json');
      const found = pitfalls(readById('ids.json'), notYet, passedTitles(readReport(REPORT)));
      const all = Object.keys(readById('ids.json')).length;
      const open = Object.keys(notYet).length;
      return lines(found, `${all - open} of ${all} tested, ${open} not yet`);
    },
  ],
];

/**
 * `--tests-done`: the tests have just been run with a report (as `.ci/run` does), so they are judged but not run again.
 * `--without-tests`: nothing that needs them.
 */
async function main(flags: ReadonlyArray<string>): Promise<void> {
  const runTests: Check = ['tests', flags.includes('--tests-done') ? async () => judge(readReport(REPORT)) : tests];
  const checks = flags.includes('--without-tests') ? CHECKS : [...CHECKS, runTests, ...AFTER_TESTS];
  let failed = 0;
  for (const [name, run] of checks) {
    const began = Date.now();
    const {
      ok,
      note = '',
      details = '',
    } = await run().catch((cause: unknown): Finding => ({ ok: false, details: String(cause) }));
    const seconds = ((Date.now() - began) / 1_000).toFixed(1);
    console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(24)}${`${seconds} s`.padStart(8)}  ${note}`.trimEnd());
    if (ok) continue;
    failed++;
    if (details !== '') console.log(details.replace(/^/gm, '        '));
  }
  console.log(`checks: ${checks.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

await main(process.argv.slice(2));

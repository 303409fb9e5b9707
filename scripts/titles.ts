import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ROOT } from './project.js';

/** A test: the file that holds it, relative to the project, and its title with those of its groups. */
export interface Title {
  readonly file: string;
  readonly title: string;
}

/** What `vitest run --reporter=json` writes, as far as it is read here. */
export interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly success: boolean;
  readonly testResults: ReadonlyArray<{
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: ReadonlyArray<{ readonly fullName: string; readonly status: string }>;
  }>;
}

export function readReport(path: string): TestReport {
  return JSON.parse(readFileSync(path, 'utf8')) as TestReport;
}

/** The tests that have passed in a run. */
export function passedTitles(report: TestReport): ReadonlyArray<Title> {
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed')
      .map(({ fullName }) => ({ file: relative(ROOT, name), title: fullName })),
  );
}

/** All tests there are, without running them: titles may come from shared helpers, so vitest itself is asked. */
export function listedTitles(): ReadonlyArray<Title> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-titles-'));
  try {
    const list = join(folder, 'list.json');
    execFileSync('npx', ['vitest', 'list', `--json=${list}`], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
    const tests = JSON.parse(readFileSync(list, 'utf8')) as ReadonlyArray<{ readonly name: string; readonly file: string }>;
    return tests.map(({ name, file }) => ({ file: relative(ROOT, file), title: name }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

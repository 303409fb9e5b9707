import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './project.js';

/** The entries of the package by the names that applications import. */
export async function entriesOf(project: string = ROOT): Promise<ReadonlyArray<string>> {
  const text = await readFile(join(project, 'package.json'), 'utf8');
  const { name, exports } = JSON.parse(text) as { readonly name: string; readonly exports: Readonly<Record<string, unknown>> };
  return Object.keys(exports).flatMap((path) => (path.endsWith('.json') ? [] : path.replace('.', name)));
}

/** What importing the entries does besides defining functions, classes and constants: the lines of it. */
export async function importWork(
  entries: ReadonlyArray<string>,
  dist: string = join(ROOT, 'dist'),
): Promise<ReadonlyArray<string>> {
  return workOf(entries.map((entry) => `import './${entry.split('/')[1] ?? 'index'}.js';`).join('\n'), dist);
}

/**
 * What a bundler cannot leave out of `code`, of which nothing is used, without the word of `sideEffects` and of comments that
 * something is pure: calls, members of what may have getters, computed names in classes. So whatever an application imports,
 * it gets that.
 */
export async function workOf(code: string, folder: string = ROOT): Promise<ReadonlyArray<string>> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder },
    bundle: true,
    packages: 'external',
    format: 'esm',
    treeShaking: true,
    ignoreAnnotations: true,
    write: false,
    logLevel: 'silent',
  });
  const lines = outputFiles.flatMap(({ text }) => text.split('\n'));
  return lines.filter((line) => line !== '' && !/^(\/\/.*|import .*;)$/.test(line));
}

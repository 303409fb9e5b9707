import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { draw } from '../../scripts/drawEventTime.js';
import { draw as drawWindows } from '../../scripts/drawWindows.js';
import { chainOf, docComments, markdownFiles, pages, ROOT } from './blocks.js';
import { exportsOf } from './names.js';
import { run } from './run.js';
import { type Script, scriptOf } from './script.js';
import { typeErrors } from './typecheck.js';

const ENTRIES = ['index', 'calendar/index', 'fp/index', 'node/index', 'sketches/index', 'testing/index'].map(
  (name) => `src/${name}.ts`,
);

const allPages = pages();
const comments = docComments();
const pageScripts = scripts(allPages);
const commentScripts = scripts(comments);

function scripts(blocks: ReturnType<typeof pages>): Script[] {
  return blocks.filter(({ language }) => language === 'ts').map((block) => scriptOf(chainOf(block, blocks)));
}

const title = ({ block }: Script): string => `${block.file}:${block.line}`;

let errors: ReturnType<typeof typeErrors>;
beforeAll(() => {
  errors = typeErrors([...pageScripts, ...commentScripts]);
}, 120_000);

describe.each([
  ['pages', pageScripts],
  ['doc comments', commentScripts],
])('code blocks of %s', (_where, all) => {
  for (const script of all) {
    it(`${title(script)} compiles`, () => {
      expect(errors.get(script)).toEqual([]);
    });
    if (script.block.flags.includes('no-run')) continue;
    it(`${title(script)} does what it says`, () => run(script));
  }
});

it('every block that runs, or one that continues it, shows what comes out', () => {
  const continued = new Set([allPages, comments].flatMap((all) => all.flatMap((block) => chainOf(block, all).slice(0, -1))));
  const silent = [...pageScripts, ...commentScripts].filter(
    ({ claims, block }) => claims === 0 && !block.flags.includes('no-run') && !continued.has(block),
  );
  expect(silent.map(title)).toEqual([]);
});

describe('pages', () => {
  it('show the picture that scripts/drawEventTime.ts draws', async () => {
    expect(readFileSync(join(ROOT, 'docs/event-time.svg'), 'utf8')).toBe(await draw());
    expect(readFileSync(join(ROOT, 'docs/windows.svg'), 'utf8')).toBe(await drawWindows());
  });

  it('link only to files and headings that exist', () => {
    const broken = markdownFiles().flatMap((file) =>
      linksOf(file)
        .filter((link) => !isThere(file, link))
        .map((link) => `${file}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('name only scripts that package.json has', () => {
    const { scripts: known } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = allPages
      .filter(({ language }) => language === 'sh')
      .flatMap(({ code }) => [...code.matchAll(/npm (?:run )?(\w[\w:-]*)/g)].map(([, name = '']) => name))
      .filter((name) => !['ci', 'i', 'install'].includes(name));
    expect(named.filter((name) => !(name in known))).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(['demo', 'test']));
  });

  it('the README lists everything the package exports but types, and nothing else', () => {
    const box = /## What is in the box\n([\s\S]*?)\n## /.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1] ?? '';
    const rows = box.split('\n').filter((line) => line.startsWith('|'));
    const named = rows.flatMap((row) => [...row.matchAll(/`([A-Za-z_]\w*)`/g)].map(([, name = '']) => name));
    expect(named.filter((name) => !known().has(name))).toEqual([]);
    const missing = ENTRIES.flatMap(exportsOf).filter((name) => /^[a-z]/.test(name) && !named.includes(name));
    expect(missing).toEqual([]);
  });
});

function known(): Set<string> {
  return new Set([...ENTRIES, 'src/windows/aggregates/index.ts', 'src/windows/assigners/index.ts'].flatMap(exportsOf));
}

function linksOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)]
    .map(([, link, source]) => link ?? source ?? '')
    .filter((link) => !/^[a-z]+:/.test(link));
}

function isThere(file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? file : join(dirname(file), path);
  if (!existsSync(join(ROOT, target))) return false;
  if (anchor === undefined) return true;
  const headings = readFileSync(join(ROOT, target), 'utf8').matchAll(/^#+ (.*)$/gm);
  return [...headings].some(
    ([, heading = '']) =>
      anchor ===
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
  );
}

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A fenced code block of a page or of a doc comment. */
export interface Block {
  /** From the project's root. */
  readonly file: string;
  /** The line of the file on which the code begins, from 1. */
  readonly line: number;
  readonly language: string;
  /** What follows the language: `continued`, `no-run`. */
  readonly flags: ReadonlyArray<string>;
  readonly code: string;
  /** The ```text block right after it: what the code prints. */
  readonly output: string | undefined;
}

/** The blocks of README.md and docs. */
export function pages(): Block[] {
  return markdownFiles().flatMap((file) => blocksOf(file, readFileSync(join(ROOT, file), 'utf8').split('\n')));
}

export function markdownFiles(): string[] {
  return ['README.md', ...filesBelow('docs', '.md')];
}

/** The blocks in the doc comments of src. */
export function docComments(): Block[] {
  return filesBelow('src', '.ts').flatMap((file) => {
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
    // everything but the text of doc comments becomes an empty line, so that line numbers stay
    let inside = false;
    const texts = lines.map((line) => {
      if (!inside && /^\s*\/\*\*(?!.*\*\/)/.test(line)) {
        inside = true;
        return '';
      }
      if (inside && line.includes('*/')) inside = false;
      return inside ? line.replace(/^\s*\* ?/, '') : '';
    });
    return blocksOf(file, texts);
  });
}

/** The ts blocks that `block` continues, and itself, first to last. */
export function chainOf(block: Block, all: ReadonlyArray<Block>): Block[] {
  if (!block.flags.includes('continued')) return [block];
  const before = all
    .slice(0, all.indexOf(block))
    .filter((other) => other.file === block.file && other.language === 'ts')
    .at(-1);
  if (before === undefined) throw new Error(`${block.file}:${block.line} continues nothing`);
  return [...chainOf(before, all), block];
}

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();
}

function blocksOf(file: string, lines: ReadonlyArray<string>): Block[] {
  const blocks: Block[] = [];
  for (let i = 0; i < lines.length; i++) {
    const opening = fence(lines[i]);
    if (opening === undefined) continue;
    const end = closing(lines, i);
    const after = nextWritten(lines, end + 1);
    const next = fence(lines[after]);
    blocks.push({
      file,
      line: i + 2,
      language: opening[0] ?? '',
      flags: opening.slice(1),
      code: lines.slice(i + 1, end).join('\n'),
      output: next?.[0] === 'text' ? lines.slice(after + 1, closing(lines, after)).join('\n') : undefined,
    });
    i = end;
  }
  return blocks;
}

function fence(line: string | undefined): string[] | undefined {
  const words = /^```(.*)$/.exec(line ?? '')?.[1];
  return words?.trim().split(/\s+/);
}

function closing(lines: ReadonlyArray<string>, opening: number): number {
  const end = lines.findIndex((line, i) => i > opening && line.startsWith('```'));
  if (end === -1) throw new Error(`the code block at line ${opening + 1} has no end`);
  return end;
}

function nextWritten(lines: ReadonlyArray<string>, from: number): number {
  return lines.findIndex((line, i) => i >= from && line.trim() !== '');
}

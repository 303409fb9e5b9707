import ts from 'typescript';
import type { Block } from './blocks.js';
import { ambientNames, declared, FP_NAMESPACES } from './names.js';

/** A block as two modules: one to type-check, whose lines are those of the block, and one to run. */
export interface Script {
  readonly block: Block;
  /** Imports on the first line, then the code as it stands. */
  readonly typed: string;
  /** The lines of `typed` before the block's own code. */
  readonly linesBefore: number;
  /** An async function of `docs` that makes each statement and hands what its comment claims to `docs`. */
  readonly runnable: string;
  /** Does it say anywhere what comes out? */
  readonly claims: number;
  /** What it prints, as shown in comment lines at its end or in the text block after it. */
  readonly output: string | undefined;
}

/** `chain`: the blocks that come before it in the same module, and the block itself. */
export function scriptOf(chain: ReadonlyArray<Block>): Script {
  const block = chain.at(-1);
  if (block === undefined) throw new RangeError('scriptOf: an empty chain');
  const before = chain.slice(0, -1).map(({ code }) => `${code}\n`);
  const code = before.join('') + block.code;
  const source = ts.createSourceFile('block.ts', code, ts.ScriptTarget.ESNext, true);
  const imports = importsFor(block.file, source);
  const ownFrom = before.join('').length;
  const parts = source.statements.map((statement) => partOf(statement, statement.getStart() >= ownFrom, block, code, ownFrom));
  const last = source.statements.at(-1);
  const comments = last === undefined ? '' : code.slice(endWithComment(code, last.end));
  const printed = commentLines(comments);
  const output = block.output ?? (printed === '' ? undefined : printed);
  return {
    block,
    typed: `${imports}\n${code}\nexport {};\n`,
    linesBefore: 1 + before.join('').split('\n').length - 1,
    runnable: [
      imports,
      ...parts.filter(({ hoisted }) => hoisted).map(({ text }) => text),
      'export async function main(docs) {',
      ...parts.filter(({ hoisted }) => !hoisted).map(({ text }) => text),
      '}',
    ].join('\n'),
    claims: parts.filter(({ claim }) => claim).length + (output === undefined ? 0 : 1),
    output,
  };
}

interface Part {
  readonly text: string;
  readonly hoisted: boolean;
  readonly claim: boolean;
}

function partOf(statement: ts.Statement, own: boolean, block: Block, code: string, ownFrom: number): Part {
  const text = statement.getText();
  if (ts.isImportDeclaration(statement)) return { text, hoisted: true, claim: false };
  // declarations stand in a function, where nothing is exported
  if (!ts.isExpressionStatement(statement)) return { text: text.replace(/^export /, ''), hoisted: false, claim: false };
  const expression = statement.expression.getText();
  if (!own) return { text: `docs.silently(${JSON.stringify(block.line)}, () => (${expression}));`, hoisted: false, claim: false };
  const line = block.line + code.slice(ownFrom, statement.end).split('\n').length - 1;
  const claim = claimAfter(code, statement.end);
  const made = `async () => ({ value: (${expression}) })`; // in a box: a promise is awaited only if the block says so
  if (claim === undefined) return { text: `await docs.does(${line}, ${made});`, hoisted: false, claim: false };
  const [values = '', failure] = claim.split(/(?:^|,\s*)throws /);
  const list = values === 'nothing' ? '[]' : `[${values.replaceAll('…', '...docs.etc')}]`;
  const expected = isExpression(list) ? `() => ${list}` : 'undefined';
  return {
    text: `await docs.gives(${line}, ${made}, ${JSON.stringify({ claim, failure })}, ${expected});`,
    hoisted: false,
    claim: true,
  };
}

function isExpression(text: string): boolean {
  return ts.transpileModule(`(${text});`, { reportDiagnostics: true }).diagnostics?.length === 0;
}

/** A comment up to the end of its line, and the comment line below as long as it ends in a comma. */
const COMMENT = /^[^\S\n]*\/\/((?:.*,[^\S\n]*\n[^\S\n]*\/\/)*.*)/;

/** The comment behind a statement, on its line; one that ends in a comma goes on in the comment line below. */
function claimAfter(code: string, end: number): string | undefined {
  const [, rest] = COMMENT.exec(code.slice(end)) ?? [];
  return rest?.replaceAll(/\n\s*\/\//g, '').trim();
}

function endWithComment(code: string, end: number): number {
  const [matched = ''] = COMMENT.exec(code.slice(end)) ?? [];
  return end + matched.length;
}

function commentLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => line.trim().startsWith('//'))
    .map((line) => line.trim().replace(/^\/\/ ?/, ''))
    .join('\n');
}

function importsFor(file: string, source: ts.SourceFile): string {
  const taken = new Set(source.statements.flatMap(declared));
  const used = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) used.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  // the comments' claims use names too
  for (const [word] of source.text.matchAll(/\b[A-Za-z_]\w*\b/g)) if (source.text.includes('//')) used.add(word);
  const lines: string[] = [];
  for (const [module, names] of ambientNames(file)) {
    const wanted = names.filter((name) => used.has(name) && !taken.has(name));
    for (const name of wanted) taken.add(name);
    if (wanted.length > 0) lines.push(`import { ${wanted.join(', ')} } from '${module}';`);
  }
  for (const [name, module] of Object.entries(FP_NAMESPACES)) {
    if (!taken.has(name) && source.text.includes(`${name}.`)) lines.push(`import * as ${name} from '${module}';`);
  }
  return lines.join(' ');
}

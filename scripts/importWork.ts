import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './project.js';

/** Calls that cost nothing, as they only make a constant. */
const FREE = /^(Symbol(\.for)?\((['"])[^'"]*\3\)|new (Map|Set|WeakMap)\(\))$/;

/** The entries of the package by the names that applications import. */
export async function entriesOf(project: string = ROOT): Promise<ReadonlyArray<string>> {
  const text = await readFile(join(project, 'package.json'), 'utf8');
  const { name, exports } = JSON.parse(text) as { readonly name: string; readonly exports: Readonly<Record<string, unknown>> };
  return Object.keys(exports).flatMap((path) => (path.endsWith('.json') ? [] : path.replace('.', name)));
}

/** What loading an entry of `dist` does besides defining things: a line each. Entries share files, which are read once each. */
export async function importWork(
  entries: ReadonlyArray<string>,
  dist: string = join(ROOT, 'dist'),
): Promise<ReadonlyArray<string>> {
  const files = entries.map((entry) => `${entry.split('/')[1] ?? 'index'}.js`);
  const found: string[] = [];
  for (const file of files) {
    const text = await readFile(join(dist, file), 'utf8');
    found.push(...workOf(text).map((work) => `${file}: ${work}`));
    const near = ts
      .preProcessFile(text)
      .importedFiles.flatMap(({ fileName }) => (fileName.startsWith('./') ? fileName.slice(2) : []));
    files.push(...near.filter((name) => !files.includes(name))); // the loop goes on to them
  }
  return found;
}

/** What a module does when it is loaded: it calls, or it uses a value of another package, unless as a base class. */
export function workOf(text: string): ReadonlyArray<string> {
  const source = ts.createSourceFile('module.js', text, ts.ScriptTarget.Latest, true);
  const foreign = new Set(source.statements.filter(isForeign).flatMap(namesOf));
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || runsLater(node) || isBaseClass(node)) return;
    if (isCall(node) ? !FREE.test(node.getText(source)) : ts.isIdentifier(node) && foreign.has(node.text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push(`${line + 1}: ${node.getText(source).split('\n', 1)[0]}`);
    } else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isCall(node: ts.Node): boolean {
  return ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isTaggedTemplateExpression(node);
}

function isBaseClass(node: ts.Node): boolean {
  return ts.isExpressionWithTypeArguments(node) && ts.isIdentifier(node.expression);
}

/** Functions run when they are called, fields when something is made; a `static` one at once. */
function runsLater(node: ts.Node): boolean {
  if (ts.isPropertyDeclaration(node)) return !node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);
  return ts.isFunctionLike(node);
}

function isForeign(node: ts.Statement): node is ts.ImportDeclaration {
  return ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier) && !node.moduleSpecifier.text.startsWith('.');
}

function namesOf({ importClause }: ts.ImportDeclaration): ReadonlyArray<string> {
  const bindings = importClause?.namedBindings;
  const named = bindings === undefined ? [] : ts.isNamedImports(bindings) ? bindings.elements : [bindings];
  return [importClause, ...named].flatMap((binding) => binding?.name?.text ?? []);
}

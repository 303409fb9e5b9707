import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as rxjs from 'rxjs';
import ts from 'typescript';
import { ROOT } from './blocks.js';

/** What a block may use without importing it, by module; the first module that has a name gives it. */
export function ambientNames(file: string): ReadonlyArray<readonly [module: string, names: ReadonlyArray<string>]> {
  const entry = /^src\/(calendar|fp|node|sketches|testing)\//.exec(file)?.[1];
  return [
    ...(entry === undefined ? [] : [[`tidemark/${entry}`, exportsOf(`src/${entry}/index.ts`)] as const]),
    ['tidemark', exportsOf('src/index.ts')],
    ['fp-ts/lib/function.js', ['pipe']],
    ['rxjs', [...Object.keys(rxjs), 'OperatorFunction', 'SchedulerLike']],
  ];
}

/** Namespaces of fp-ts under their usual one-letter names. */
export const FP_NAMESPACES: Readonly<Record<string, string>> = {
  E: 'fp-ts/lib/Either.js',
  N: 'fp-ts/lib/number.js',
  O: 'fp-ts/lib/Option.js',
  Ord: 'fp-ts/lib/Ord.js',
  S: 'fp-ts/lib/string.js',
};

const known = new Map<string, ReadonlyArray<string>>();

/** The names that a source file exports, types included. */
export function exportsOf(file: string): ReadonlyArray<string> {
  const names = known.get(file) ?? read(file);
  known.set(file, names);
  return names;
}

function read(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.ESNext);
  return source.statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause, moduleSpecifier } = statement;
      if (exportClause !== undefined && ts.isNamedExports(exportClause))
        return exportClause.elements.map(({ name }) => name.text);
      if (exportClause !== undefined) return [exportClause.name.text];
      if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
      return exportsOf(join(dirname(file), moduleSpecifier.text.replace(/\.js$/, '.ts')));
    }
    return ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
      ? declared(statement)
      : [];
  });
}

/** The names that a statement brings into scope. */
export function declared(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(({ name }) => bound(name));
  if (ts.isImportDeclaration(statement)) {
    const { name, namedBindings } = statement.importClause ?? {};
    const named =
      namedBindings === undefined
        ? []
        : ts.isNamespaceImport(namedBindings)
          ? [namedBindings.name.text]
          : namedBindings.elements.map((element) => element.name.text);
    return name === undefined ? named : [name.text, ...named];
  }
  const { name } = statement as { name?: ts.Node };
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
}

function bound(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? bound(element.name) : []));
}

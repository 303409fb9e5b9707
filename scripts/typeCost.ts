import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './project.js';

/** What the compiler did for a file: counts, which unlike times are the same in each run. */
export interface TypeCost {
  readonly instantiations: number;
  readonly types: number;
}

/** What it costs to check the file at `path` with the types that an application has, beyond the cost of its imports. */
export function typeCost(path: string): TypeCost {
  const text = ts.sys.readFile(path) ?? '';
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const imports = source.statements.filter(ts.isImportDeclaration).map((statement) => text.slice(statement.pos, statement.end));
  const whole = costOf(path, text);
  const base = costOf(path, imports.join(''));
  return { instantiations: whole.instantiations - base.instantiations, types: whole.types - base.types };
}

/** What the compiler has done after it has checked `text`, as if that were the file at `path`. */
function costOf(path: string, text: string): TypeCost {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  options.paths = { tidemark: ['./dist/index.d.ts'] };
  options.noUnusedLocals = false;
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, version) =>
    name === path ? ts.createSourceFile(name, text, version, true) : getSourceFile(name, version);
  const program = ts.createProgram([path], options, host);
  const [error] = program.getSemanticDiagnostics(program.getSourceFile(path));
  if (error !== undefined) throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(error.messageText, '\n')}`);
  return { instantiations: program.getInstantiationCount(), types: program.getTypeCount() };
}

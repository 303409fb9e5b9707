import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './blocks.js';
import type { Script } from './script.js';

/** What the compiler has against each script, all checked in one program. */
export function typeErrors(scripts: ReadonlyArray<Script>): ReadonlyMap<Script, ReadonlyArray<string>> {
  const files = new Map(scripts.map((script, i) => [join(ROOT, 'test/docs', `block-${i}.ts`), script] as const));
  const options = optionsOfProject();
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists.call(host, name);
  host.readFile = (name) => files.get(name)?.typed ?? readFile.call(host, name);
  host.getSourceFile = (name, settings, ...rest) => {
    const script = files.get(name);
    return script === undefined
      ? getSourceFile.call(host, name, settings, ...rest)
      : ts.createSourceFile(name, script.typed, settings);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return new Map(
    [...files].map(([name, script]) => {
      const file = program.getSourceFile(name);
      const diagnostics = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
      return [script, diagnostics.map((diagnostic) => describe(script, diagnostic))];
    }),
  );
}

function describe({ block, linesBefore }: Script, { file, start = 0, messageText }: ts.Diagnostic): string {
  const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line - linesBefore;
  return `${block.file}:${block.line + line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
}

function optionsOfProject(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: ['src/index.ts'] }, ts.sys, ROOT);
  // an example may declare what it does not use, and imports what it needs without saying which are types
  return { ...options, noUnusedLocals: false, isolatedModules: false, verbatimModuleSyntax: false };
}

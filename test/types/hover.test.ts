import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/project.js';

const SAMPLE = join(ROOT, 'test/types/sample.ts');

/** The language service that an editor would start for the project. */
function languageService(): ts.LanguageService {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [SAMPLE], include: [] }, ts.sys, ROOT);
  const read = (path: string) => ts.sys.readFile(path);
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [SAMPLE],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = read(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: read,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
}

/** Every name that is called in the sample, and every constant it exports, with what the editor shows for it. */
function hovers(): ReadonlyArray<readonly [name: string, shown: string]> {
  const service = languageService();
  const source = ts.createSourceFile(SAMPLE, readFileSync(SAMPLE, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Array<readonly [string, string]> = [];
  const look = (name: ts.Node): void => {
    const info = service.getQuickInfoAtPosition(SAMPLE, name.getStart(source));
    found.push([name.getText(source), ts.displayPartsToString(info?.displayParts)]);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { expression } = node;
      if (ts.isIdentifier(expression)) look(expression);
      if (ts.isPropertyAccessExpression(expression) && expression.expression.getText(source) !== 'clicks$') look(expression.name);
    }
    if (ts.isVariableDeclaration(node)) look(node.name);
    if (ts.isParameter(node)) look(node.name);
    ts.forEachChild(node, visit);
  };
  visit(source);
  const errors = [...service.getSemanticDiagnostics(SAMPLE), ...service.getSyntacticDiagnostics(SAMPLE)];
  expect(errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
  return found;
}

describe('what the editor shows', () => {
  let shown: ReturnType<typeof hovers>;
  beforeAll(() => {
    shown = hovers();
  }, 120_000);

  it('is as it was', () => {
    const ours = shown.filter(([name]) => !['pipe', 'charCodeAt'].includes(name));
    expect(ours.map(([, text]) => text).join('\n\n')).toMatchSnapshot();
  });

  it('holds no any, no unknown element, and nothing of how inference is done', () => {
    const names = shown.map(([name]) => name);
    expect(names).toEqual(
      expect.arrayContaining(['assignWatermarks', 'tumblingWindow', 'windowBy', 'count', 'counts$', 'click']),
    );
    const ugly = shown.filter(([, text]) => text === '' || /\b(any|NoInfer|Same|Keeping)\b/.test(text));
    expect(ugly).toEqual([]);
  });
});

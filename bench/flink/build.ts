import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/project.js';

const run = promisify(execFile);
const FOLDER = join(ROOT, 'bench/flink');
const JAVA = 17;

/** What is needed to start Flink's side. */
interface Java {
  /** Of Flink. */
  readonly version: string;
  readonly classPath: string;
}

/** Compiles Flink's side, which is quick when there is nothing to do. */
export async function buildJava(): Promise<Java> {
  const { stderr: java } = await call('java', ['-version'], `a JDK ${JAVA} or later`);
  if (!(Number(/version "(\d+)/.exec(java)?.[1]) >= JAVA)) {
    throw new Error(`bench:flink needs a JDK ${JAVA} or later; what is installed says:\n${java}`);
  }
  await call('mvn', ['-q', '-B', 'compile'], 'Maven 3.6.3 or later');
  const [pom, jars] = await Promise.all([read('pom.xml'), read('target/classpath')]);
  const version = /<flink.version>(.*)</.exec(pom)?.[1] ?? 'of an unknown version';
  return { version, classPath: [join(FOLDER, 'target/classes'), jars.trim()].join(delimiter) };
}

function read(file: string): Promise<string> {
  return readFile(join(FOLDER, file), 'utf8');
}

/** Runs a program that does not come with Node. */
async function call(program: string, args: ReadonlyArray<string>, what: string): Promise<{ readonly stderr: string }> {
  try {
    return await run(program, args, { cwd: FOLDER });
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (code === 'ENOENT') throw new Error(`bench:flink needs ${what}, but there is no ${program} on the PATH: install it first`);
    throw new Error(`bench:flink: ${program} ${args.join(' ')} failed\n${stdout}${stderr}`);
  }
}

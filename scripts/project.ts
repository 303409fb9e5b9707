import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const ROOT: string = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

/** Whether the module whose `import.meta.url` this is was started from the command line. */
export function isMain(url: string): boolean {
  return process.argv[1] === fileURLToPath(url);
}

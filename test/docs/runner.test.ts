import { describe, expect, it } from 'vitest';
import type { Block } from './blocks.js';
import { run } from './run.js';
import { scriptOf } from './script.js';
import { typeErrors } from './typecheck.js';

function block(code: string, output?: string): Block {
  return { file: 'page.md', line: 10, language: 'ts', flags: [], code, output };
}

const check = (code: string, output?: string): Promise<void> => run(scriptOf([block(code, output)]));

describe('the runner of code blocks', () => {
  it.each([
    ['emissions', 'of(1, 2); // 1, 2'],
    ['elements', "from([record('a', 1)]).pipe(mapValue((a) => a + a)); // record('aa', 1)"],
    ['a list that goes on', 'of(1, 2); // 1,\n// 2'],
    ['the beginning of a list', 'of(1, 2, 3); // 1, …'],
    ['some of the fields', 'of({ a: 1, b: { c: 2, d: 3 } }); // { b: { c: 2, … }, … }'],
    ['nothing', 'NEVER; // nothing'],
    ['what has come after a while', 'concat(timer(60_000), NEVER); // 0'],
    ['a value', '1 + 1; // 2'],
    ['a line of output', "console.log('a', 1); // a 1"],
    ['what a subscription prints', 'of(1, 2).subscribe((n) => console.log(n)); // 1, 2'],
    ['output at the end', "setTimeout(() => console.log('late'), 10);\n// late"],
    ['an error', 'tumblingWindow(0); // throws RangeError: tumblingWindow: size is 0, …'],
    ['emissions and an error', "concat(of(1), throwError(() => new Error('x'))); // 1, throws Error: x"],
    ['a comment on a line of its own', '// free text\nconst one = 1; // free text\none; // 1'],
  ])('accepts %s', (_what, code) => check(code));

  it.each([
    ['another value', 'of(1, 2); // 1, 3'],
    ['one too many', 'of(1, 2); // 1'],
    ['one too few', 'of(1); // 1, 2'],
    ['another beginning', 'of(1, 2, 3); // 2, …'],
    ['another field', 'of({ a: 1, b: 2 }); // { b: 3, … }'],
    ['a field too many', 'of({ a: 1, b: 2 }); // { b: 2 }'],
    ['something for nothing', 'of(1); // nothing'],
    ['a claim that says nothing', 'of(1); // …'],
    ['prose', 'of(1); // the number one'],
    ['another line of output', "console.log('a', 1); // a 2"],
    ['output that is not shown', "console.log('a');"],
    ['output that does not come', 'of(1); // 1\n// late'],
    ['no error', 'tumblingWindow(1); // throws RangeError: …'],
    ['another error', 'tumblingWindow(0); // throws TypeError: …'],
    ['an error that is not shown', "throwError(() => new Error('x'));"],
    ['an error that nobody takes', "throwError(() => new Error('x')).subscribe();"],
  ])('refuses %s', async (_what, code) => {
    await expect(check(code)).rejects.toThrow();
  });

  it('takes the output from the block behind', async () => {
    await check("console.log('a');\nconsole.log('b');", 'a\nb');
    await expect(check("console.log('a');", 'b')).rejects.toThrow();
  });

  it('goes on where the block before ended, without its claims', async () => {
    const chain = [block('const one = 1;\nconsole.log(one); // wrong, but not asked again'), block('one + 1; // 2')];
    await run(scriptOf(chain));
  });

  it('names the line of an error of types', () => {
    const script = scriptOf([block('const a = 1;'), block('\nconst b: string = a + 1;')]);
    expect(typeErrors([script]).get(script)).toEqual(["page.md:11 Type 'number' is not assignable to type 'string'."]);
  });
}, 60_000);

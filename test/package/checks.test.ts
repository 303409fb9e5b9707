import { describe, expect, it } from 'vitest';
import { checklist, ROWS, WINDOW_ROWS } from '../../scripts/checklist.js';
import { workOf } from '../../scripts/importWork.js';
import { pitfalls } from '../../scripts/pitfalls.js';

const titled = (name: string, rows: ReadonlyArray<string>) =>
  rows.map((row) => ({ file: `test/marbles/${name}.test.ts`, title: `${name} ${row}: something` }));

describe('the checklist', () => {
  it('is content with a title for each row', () => {
    expect(checklist([{ name: 'map', windows: false }], titled('map', ROWS), {})).toEqual([]);
  });

  it('wants more rows of a window operator', () => {
    const missing = checklist([{ name: 'grid', windows: true }], titled('grid', ROWS), {});
    expect(missing).toEqual(WINDOW_ROWS.map((row) => `grid: no test '${row}: …' in test/marbles/grid.test.ts`));
  });

  it('takes a row that is part of another word for none', () => {
    const titles = titled('map', ['never', 'empty', 'error', 'unsubscribe', 'throws', 'synchronous', 're-entrant']);
    const more = titled('map', ['prewatermark', 'regressing', 'idle', 'completion', 'arguments']);
    expect(checklist([{ name: 'map', windows: false }], [...titles, ...more], {})).toEqual([
      "map: no test 'watermark: …' in test/marbles/map.test.ts",
    ]);
  });

  it('wants a test file for each operator', () => {
    expect(checklist([{ name: 'map', windows: false }], [], {})).toEqual(['map: no test in test/marbles/map.test.ts']);
  });

  it('finds exceptions that are none', () => {
    const exceptions = { map: { never: 'why not' }, gone: {} };
    expect(checklist([{ name: 'map', windows: false }], titled('map', ROWS), exceptions)).toEqual([
      'gone: excepted, but there is no such operator',
      'map: never is excepted (why not), but tested',
    ]);
  });
});

describe('the list of requirements', () => {
  const ids = { P901: 'a', P902: 'b' };
  const test = (title: string) => ({ file: 'x.test.ts', title });

  it('is content with a test or a reason for each', () => {
    expect(pitfalls(ids, { P902: 'needs joins' }, [test('time P901 holds')])).toEqual([]);
  });

  it('finds what has neither, both, or an empty reason', () => {
    expect(pitfalls(ids, {}, [test('P901 holds')])).toEqual(['P902 (b): no test, and no reason in not-yet.json']);
    expect(pitfalls(ids, { P902: 'needs joins' }, [test('P901, P902 hold')])).toEqual([
      'P902 (b): tested, but still in not-yet.json (needs joins)',
    ]);
    expect(pitfalls(ids, { P902: ' ' }, [test('P901 holds')])).toEqual(['P902 (b): an empty reason in not-yet.json']);
  });

  it('finds ids that nobody knows', () => {
    expect(pitfalls(ids, { P902: 'needs joins', P999: 'a slip' }, [test('P901 holds'), test('P998 holds')])).toEqual([
      'P998: tested, but no such requirement',
      'P999: in not-yet.json, but no such requirement',
    ]);
  });
});

describe('the work of importing', () => {
  it('is none, when a module only defines things', async () => {
    const text = `import { Base, from } from 'far';
      const LINK = Symbol.for('near.link'), known = new Map(), limit = -Infinity, list = [known, limit];
      const later = () => from(known);
      class Thing extends Base { from = from(limit); get all() { return from(list); } }`;
    expect(await workOf(text)).toEqual([]);
  });

  it.each([
    ['a call', 'const width = Math.log(2);'],
    ['a call at once', '(() => one())();'],
    ['a new thing', 'const now = new Thing();'],
    ['a map that is filled', 'const map = new Map(list());'],
    ['a template', 'const text = tag`a`;'],
    ['a spread', 'const late = { ...onTime };'],
    ['a member of what may have getters', 'const first = list.first;'],
    ['a static field', 'class A { static all = make(); }'],
    ['a static block', 'class A { static { make(); } }'],
    ['a computed name', 'class A { [LINK]() {} }'],
    ['a base class that is made', 'class A extends mixed(B) {}'],
    ['a call that is said to be pure', 'const some = /* @__PURE__ */ make();'],
  ])('finds %s', async (_, text) => {
    expect(await workOf(text)).not.toEqual([]);
  });
});

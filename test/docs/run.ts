import { format } from 'node:util';
import { type Observable, Subscription } from 'rxjs';
import ts from 'typescript';
import { expect, vi } from 'vitest';
import type { Script } from './script.js';

/** ms of virtual time after which a stream that has not ended is left, and its values are compared as they are. */
const PATIENCE = 120_000;

/** Runs a script in virtual time, and compares what it says comes out with what does. */
export async function run(script: Script): Promise<void> {
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  const docs = new Docs(script.block.file);
  const log = vi.spyOn(console, 'log').mockImplementation((...args) => docs.print(args));
  try {
    const main = await mainOf(script.runnable, docs);
    await main(docs);
    await vi.advanceTimersByTimeAsync(PATIENCE);
    docs.finish(script);
  } finally {
    log.mockRestore();
    docs.subscriptions.forEach((subscription) => void subscription.unsubscribe());
    vi.useRealTimers();
  }
}

async function mainOf(source: string, docs: Docs): Promise<(docs: Docs) => Promise<void>> {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const modules = new Map<string, unknown>();
  for (const [, name = ''] of outputText.matchAll(/require\("([^"]+)"\)/g)) modules.set(name, await load(name, docs));
  const exported: { main?: (docs: Docs) => Promise<void> } = {};
  new Function('require', 'exports', outputText)((name: string) => modules.get(name), exported);
  if (exported.main === undefined) throw new Error('the block has no main');
  return exported.main;
}

async function load(name: string, docs: Docs): Promise<unknown> {
  switch (name) {
    case 'tidemark':
      return import('tidemark');
    case 'tidemark/fp':
      return import('tidemark/fp');
    case 'tidemark/node':
      return import('tidemark/node');
    case 'vitest':
      return { expect, it: (title: string, test: () => void) => docs.test(title, test) };
    default:
      return import(/* @vite-ignore */ name);
  }
}

/** What a running block talks to. */
class Docs {
  /** Stands for "and so on": at the end of a list, or among the fields of an object. */
  readonly etc = ETC;
  readonly subscriptions: Subscription[] = [];
  private lines: string[] = [];
  private quiet = 0;

  constructor(private readonly file: string) {}

  print(args: unknown[]): void {
    if (this.quiet === 0) this.lines.push(format(...args));
  }

  /** A test of a block that shows one: run at once, and its title is printed if it passes. */
  test(title: string, test: () => void): void {
    test();
    this.print([`✓ ${title}`]);
  }

  /** A statement of an earlier block. */
  silently(_line: number, make: () => unknown): void {
    this.quiet++;
    try {
      make();
    } finally {
      this.quiet--;
    }
  }

  /** A statement that claims nothing: it must not fail. */
  async does(_line: number, make: () => Promise<Box>): Promise<void> {
    const { error } = await this.outcome(make);
    if (error !== undefined) throw error.cause;
  }

  /** A statement with a claim; `expected` is missing if that is no list of values. */
  async gives(
    line: number,
    make: () => Promise<Box>,
    { claim, failure }: { readonly claim: string; readonly failure?: string },
    expected: (() => unknown[]) | undefined,
  ): Promise<void> {
    const where = `${this.file}:${line}`;
    const before = this.lines;
    this.lines = [];
    const { values, error, silent } = await this.outcome(make);
    const printed = this.lines;
    this.lines = before;
    if (silent) {
      expect(printed.join(', '), `${where} prints`).toBe(claim);
      return;
    }
    this.lines.push(...printed);
    if (failure !== undefined) {
      const said = error === undefined ? 'nothing' : String(error.cause);
      expect(failure.endsWith('…') ? `${said.slice(0, failure.length - 1)}…` : said, where).toBe(failure);
    } else if (error !== undefined) {
      throw error.cause;
    }
    if (expected === undefined) throw new Error(`${where} claims "${claim}", which is neither printed nor a list of values`);
    const wanted = expected();
    const open = wanted.at(-1) === ETC_ITEM;
    if (open) wanted.pop();
    if (open && wanted.length === 0) throw new Error(`${where}: "…" alone claims nothing; say "nothing" if nothing comes`);
    expect(open ? values.slice(0, wanted.length) : values, where).toStrictEqual(wanted.map(withEtc));
  }

  /** What a statement gives; `silent` if that is nothing, and all it does is an effect. */
  private async outcome(make: () => Promise<Box>): Promise<Outcome> {
    const values: unknown[] = [];
    try {
      const { value } = await make();
      if (isSubscription(value)) this.subscriptions.push(value);
      if (value === undefined || isSubscription(value)) return { values, silent: true };
      if (!isObservable(value)) return { values: [value], silent: false };
      let error: { cause: unknown } | undefined;
      let ended = false;
      const subscription = value.subscribe({
        next: (item) => values.push(item),
        error: (cause: unknown) => {
          error = { cause };
        },
        complete: () => {
          ended = true;
        },
      });
      this.subscriptions.push(subscription);
      for (let waited = 0; waited < PATIENCE && !ended && error === undefined; waited += PATIENCE / 10) {
        await vi.advanceTimersByTimeAsync(PATIENCE / 10);
        // work outside of virtual time, such as the reading of a file
        await new Promise((resolve) => setImmediate(resolve));
      }
      subscription.unsubscribe();
      return { values, silent: false, ...(error === undefined ? {} : { error }) };
    } catch (cause) {
      return { values, silent: false, error: { cause } };
    }
  }

  finish({ output, block }: Script): void {
    const printed = this.lines.map((line) => line.trimEnd()).join('\n');
    expect(printed, `${block.file}:${block.line} prints`).toBe(output ?? '');
  }
}

interface Box {
  readonly value: unknown;
}

interface Outcome {
  readonly values: unknown[];
  readonly silent: boolean;
  readonly error?: { readonly cause: unknown };
}

function isSubscription(value: unknown): value is Subscription {
  return value instanceof Subscription && !isObservable(value);
}

function isObservable(value: unknown): value is Observable<unknown> {
  return typeof (value as Observable<unknown> | null)?.subscribe === 'function';
}

const ETC_ITEM = Symbol('…');
/** Spread into an array it is one item, spread into an object one field. */
const ETC: object = Object.create(
  {
    *[Symbol.iterator]() {
      yield ETC_ITEM;
    },
  },
  { [ETC_ITEM]: { value: true, enumerable: true } },
);

/** Objects with "and so on" among their fields match any that have the others. */
function withEtc(expected: unknown): unknown {
  if (typeof expected !== 'object' || expected === null) return expected;
  if (Array.isArray(expected)) return expected.map(withEtc);
  if (Object.getPrototypeOf(expected) !== Object.prototype) return expected;
  const fields = Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, withEtc(value)]));
  return ETC_ITEM in expected ? expect.objectContaining(fields) : fields;
}

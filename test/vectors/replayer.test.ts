import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { of, throwError } from 'rxjs';
import { afterAll, describe, expect, it } from 'vitest';
import { casesBelow } from './cases.js';
import type { FlinkCase } from './flink/format.js';
import type { Json } from './json.js';
import { type Difference, listener, NotExpressible, NotYetSupported, outcomeOf } from './outcome.js';

// Is the replayer able to say no? Every case that passes must fail once its expectation is changed.

const data = fileURLToPath(new URL('./data', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'tidemark-vectors-'));
afterAll(() => rmSync(scratch, { recursive: true }));

let written = 0;
function write(content: unknown, name = 'case.json'): string {
  const folder = join(scratch, `${written++}`, 'deep', 'down');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return folder;
}

/** One file, written anew each time: there are thousands of cases. */
function statusesOf(content: unknown): string[] {
  const file = join(scratch, 'case.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return casesBelow(file).map(({ run }) => run().status);
}

function read(...path: string[]): unknown {
  return JSON.parse(readFileSync(join(data, ...path), 'utf8'));
}

const flinkCases = readdirSync(join(data, 'flink')).flatMap((file) => read('flink', file) as FlinkCase[]);
const passing = flinkCases.filter((vector) => vector.output.length > 0 && statusesOf([vector])[0] === 'passed');

describe('a wrong expectation is not accepted', () => {
  it('has cases to change', () => {
    expect(passing.length).toBeGreaterThan(80);
  });

  it.each(passing)('$name: an item too few, an item too many', (vector) => {
    // at the end of input more may come out than is listed, and a wrong row of sql is one that is missing
    const last = vector.output.at(-1) as Json;
    const open = vector.input[last['after'] as number]?.end === true;
    if (!open) expect(statusesOf([{ ...vector, output: vector.output.slice(0, -1) }])).toEqual(['failed']);
    // a record, as statuses, and watermarks that do not rise, don't count in every case
    const extra = 'row' in last ? last : { after: last['after'], record: { key: 'nobody', value: 'nothing' } };
    expect(statusesOf([{ ...vector, output: [...vector.output, extra] }])).toEqual(['failed']);
  });

  it.each(passing)('$name: another number', (vector) => {
    const changed = vector.output.map((item, i) => (i === 0 ? changeNumber(item) : item));
    if (!JSON.stringify(vector.output[0]).includes('error'))
      expect(statusesOf([{ ...vector, output: changed }])).toEqual(['failed']);
    else expect(statusesOf([{ ...vector, output: [] }])).toEqual(['failed']);
  });

  const moves = passing.filter(({ output }) => output.length > 1 && output[0]?.['row'] === undefined);
  it.each(moves)('$name: a step later', (vector) => {
    const first = vector.output[0] as Json;
    const moved = { ...first, after: (first['after'] as number) + 1 };
    const error = vector.output.length === 1 && 'error' in first;
    expect(statusesOf([{ ...vector, output: [moved, ...vector.output.slice(1)] }])).toEqual([error ? 'passed' : 'failed']);
  });

  const peers = readdirSync(data, { withFileTypes: true }).filter((entry) => entry.isDirectory() && entry.name !== 'flink');
  const peerCases = peers.flatMap(({ name }) => readdirSync(join(data, name)).map((file) => read(name, file) as Json));
  const passingPeers = peerCases.filter((vector) => statusesOf(vector)[0] === 'passed');
  it.each(passingPeers)('$peer $name: another number in an expectation', (vector) => {
    expect(statusesOf(changeExpectation(vector))).toEqual(['failed']);
  });

  it("Beam: a case that must fail is one that doesn't when its expectation is right", () => {
    const vector = peerCases.find(({ name }) => name === 'own_fixed_offset');
    expect(statusesOf({ ...vector, mustFail: 'on purpose' })).toEqual(['failed']);
    expect(statusesOf({ ...changeExpectation(vector as Json), mustFail: 'on purpose' })).toEqual(['passed']);
  });
});

describe('what is compared loosely', () => {
  const window = { kind: 'window', assigner: { type: 'tumbling', size: 10 } };
  const result = (key: string, value: unknown[]) => ({
    after: 2,
    record: { key, window: { start: 0, end: 10 }, value, timestamp: 9 },
  });
  const input = [
    { record: { key: 'a', value: 1, timestamp: 1 } },
    { record: { key: 'b', value: 2, timestamp: 2 } },
    { watermark: 9 },
  ];
  const vector = (...output: unknown[]) => [{ name: 'loose', doc: '', operator: window, input, output }];
  const watermark = { after: 2, watermark: 9 };

  it('unordered items are a set across keys, others are not', () => {
    expect(statusesOf(vector(result('b', [2]), result('a', [1]), watermark))).toEqual(['failed']);
    const loose = [result('b', [2]), result('a', [1])].map((item) => ({ ...item, unordered: true }));
    expect(statusesOf(vector(...loose, watermark))).toEqual(['passed']);
    expect(statusesOf(vector(loose[0], loose[0], watermark))).toEqual(['failed']);
    expect(statusesOf(vector(loose[0], watermark, loose[1]))).toEqual(['failed']);
  });

  it('valueUnordered lists are multisets, others are not', () => {
    const two = [
      { record: { key: 'a', value: 1, timestamp: 1 } },
      { record: { key: 'a', value: 2, timestamp: 2 } },
      { watermark: 9 },
    ];
    const of = (item: unknown) => [{ name: 'loose', doc: '', operator: window, input: two, output: [item, watermark] }];
    expect(statusesOf(of(result('a', [2, 1])))).toEqual(['failed']);
    expect(statusesOf(of({ ...result('a', [2, 1]), valueUnordered: true }))).toEqual(['passed']);
    expect(statusesOf(of({ ...result('a', [2, 2]), valueUnordered: true }))).toEqual(['failed']);
  });

  it('the end of input may go on with MAX, but must begin as listed', () => {
    const assigner = { kind: 'assigner', interval: 0, strategy: { type: 'monotonous' } };
    const steps = [{ record: { key: 'a', value: 1, timestamp: 5 } }, { end: true }];
    const of = (...items: unknown[]) => [
      { name: 'end', doc: '', operator: assigner, input: steps, output: [{ after: 0, record: steps[0]?.record }, ...items] },
    ];
    expect(statusesOf(of({ after: 1, watermark: 4 }))).toEqual(['passed']);
    expect(statusesOf(of({ after: 1, watermark: 4 }, { after: 1, watermark: 'MAX' }))).toEqual(['passed']);
    expect(statusesOf(of({ after: 1, watermark: 'MAX' }))).toEqual(['failed']);
    expect(statusesOf(of({ after: 1, watermark: 4 }, { after: 1, watermark: 'MAX' }, { after: 1, idle: true }))).toEqual([
      'failed',
    ]);
  });
});

describe('what is and what is no case', () => {
  it('files that are neither are failures, data of other schemas is none', () => {
    expect(statusesOf('{ no json')).toEqual(['failed']);
    expect(statusesOf({ name: 'no schema' })).toEqual(['failed']);
    expect(statusesOf({ schema: 'peer-vector/2' })).toEqual(['failed']);
    expect(statusesOf([{ name: 'no operator' }])).toEqual(['failed']);
    expect(statusesOf({ schema: 'cars/1', rows: [] })).toEqual([]);
  });

  it('an unknown engine, operator, strategy, window or trigger is not yet supported', () => {
    const flink = (operator: unknown) => [{ name: 'unknown', doc: '', operator, input: [], output: [] }];
    const window = { kind: 'window', assigner: { type: 'tumbling', size: 1 } };
    const unknown = [
      flink({ kind: 'crystalBall' }),
      flink({ kind: 'assigner', interval: 1, strategy: { type: 'crystalBall' } }),
      flink({ kind: 'window', assigner: { type: 'crystalBall' } }),
      flink({ ...window, trigger: { type: 'crystalBall' } }),
      flink({ ...window, evictor: { type: 'crystalBall' } }),
      flink({ ...window, aggregate: 'crystalBall' }),
      flink({ kind: 'sql', tvf: 'CRYSTAL_BALL' }),
      { schema: 'peer-vector/1', peer: 'crystalBall' },
    ];
    expect(unknown.flatMap(statusesOf)).toEqual(unknown.map(() => 'notYetSupported'));
  });

  it('an engine that drops what is behind the watermark is not followed there', () => {
    const vector = read('bytewax', 'own_late_equal_watermark.json');
    expect(statusesOf(vector)).toEqual(['notExpressible']);
  });
});

describe('what is not expressible is said by a rule, not by a name', () => {
  const other = (path: readonly [string, string], change: (vector: Json) => Json) => {
    const vector = read(...path) as Json;
    return statusesOf(change({ ...vector, name: 'another' }));
  };
  const steps = (vector: Json, change: (step: Json) => Json): Json => ({
    ...vector,
    steps: (vector['steps'] as Json[]).map(change),
  });

  it('Beam: an element whose own session is over, and which is kept here', () => {
    expect(other(['beam', 'own_session_dropped.json'], (vector) => vector)).toEqual(['notExpressible']);
    // with more lateness it is no matter of the order of merging: the expectation is wrong
    expect(other(['beam', 'own_session_dropped.json'], (vector) => ({ ...vector, allowedLateness: 5 }))).toEqual(['failed']);
  });

  it('Beam: a pane that the clock makes late, and one without a value', () => {
    const path = ['beam', 'own_proc_time_once.json'] as const;
    expect(other(path, (vector) => vector)).toEqual(['notExpressible']);
    const called = (timing: string) => (step: Json) => ({
      ...step,
      ...(step['expect'] === undefined
        ? {}
        : { expect: (step['expect'] as Json[]).map((pane) => ({ ...pane, timing: [timing], nonSpeculativeIndex: -1 })) }),
    });
    expect(other(path, (vector) => steps(vector, called('early')))).toEqual(['passed']);
    const empty = (step: Json) => ({ ...step, ...(step['expect'] === undefined ? {} : { expect: [{ values: [] }] }) });
    expect(other(['beam', 'own_fixed_offset.json'], (vector) => steps(vector, empty))).toEqual(['notExpressible']);
  });

  it('Kafka Streams: a window that its store has forgotten', () => {
    const path = ['kafka-streams', 'own_hopping_close.json'] as const;
    expect(other(path, (vector) => vector)).toEqual(['notExpressible']);
    // a jump that is not as far leaves the window in the store
    const nearer = (step: Json) => {
      const input = step['input'] as Json | undefined;
      return input?.['ts'] === 30 ? { input: { ...input, ts: 29 } } : step;
    };
    expect(other(path, (vector) => steps(vector, nearer))).toEqual(['failed']);
  });
});

describe('npm run vectors', () => {
  const run = (...folders: string[]) => {
    const { stdout, status } = spawnSync('npx', ['tsx', fileURLToPath(new URL('./replay.ts', import.meta.url)), ...folders], {
      encoding: 'utf8',
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
    });
    return { status, lines: stdout.trimEnd().split('\n') };
  };
  const offset = read('beam', 'own_fixed_offset.json') as Json;

  it('finds cases below any folder, sums up in its last line, and says by its exit code whether any failed', () => {
    const right = write(offset);
    const wrong = write({ ...changeExpectation(offset), name: 'changed' });
    expect(run(right)).toEqual({
      status: 0,
      lines: [
        'beam: 1 passed, 0 failed, 0 not yet supported, 0 not expressible',
        '1 passed, 0 failed, 0 not yet supported, 0 not expressible',
      ],
    });
    const both = run(right, wrong);
    expect(both.status).toBe(1);
    expect(both.lines.at(-1)).toBe('1 passed, 1 failed, 0 not yet supported, 0 not expressible');
    expect(both.lines.join('\n')).toContain('FAILED changed');
  });

  it('a folder without cases proves nothing, one that is not there is an error', () => {
    expect(run(write({ schema: 'cars/1' })).status).toBe(1);
    expect(run(join(scratch, 'nowhere')).status).toBe(2);
  });
});

/** The same with the first number in it changed, wherever that is but in `after` and in times of a recording. */
function changeNumber<A>(value: A): A {
  let done = false;
  const change = (part: unknown, field?: string): unknown => {
    if (done || field === 'after') return part;
    if (typeof part === 'number') {
      done = true;
      return part + 1;
    }
    if (part === 'MAX') {
      done = true;
      return 1;
    }
    if (part === true) {
      done = true;
      return false;
    }
    if (Array.isArray(part)) return part.map((item) => change(item));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, item]) => [name, change(item, name)]));
  };
  return change(value) as A;
}

/** A case with a number changed in its first expectation that has one. */
function changeExpectation(vector: Json): Json {
  const { expect: expected } = vector;
  if (expected !== undefined) {
    const changed = changeNumber(expected);
    // rows without a number: the first is missing
    const same = JSON.stringify(changed) === JSON.stringify(expected);
    return { ...vector, expect: same ? (expected as Json[]).slice(1) : changed };
  }
  if (vector['cases'] !== undefined)
    return { ...vector, cases: (vector['cases'] as Json[]).map((one) => ({ ...one, windows: [] })) };
  const steps = vector['steps'] as ReadonlyArray<Json>;
  const at = steps.findIndex((step) => Array.isArray(step['expect']) && step['expect'].length > 0);
  return { ...vector, steps: steps.map((step, i) => (i === at ? { ...step, expect: changeNumber(step['expect']) } : step)) };
}

describe('what a stream fails with', () => {
  it.each([
    [new NotYetSupported('later'), { status: 'notYetSupported', reason: 'later' }],
    [new NotExpressible('never'), { status: 'notExpressible', reason: 'never' }],
    [new Error('broken'), { status: 'failed' }],
  ])('is what becomes of the case, and not an error outside of it: %s', (cause, outcome) => {
    const failing = throwError(() => cause);
    const throwing = listener(() => {
      throw cause;
    });
    for (const run of [() => failing.subscribe(listener(() => {})), () => of(1).subscribe(throwing)]) {
      const behind = (difference: Difference) => {
        run();
        return difference;
      };
      expect(outcomeOf(() => behind(undefined))).toMatchObject(outcome);
      expect(outcomeOf(() => behind('a difference that follows from it'))).toMatchObject(outcome);
      expect(outcomeOf(() => undefined)).toEqual({ status: 'passed' });
    }
  });
});

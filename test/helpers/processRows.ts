import { from, type OperatorFunction, Subject, take, toArray } from 'rxjs';
import {
  idle,
  keyedRecord,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  type ProcessContext,
  type Processed,
  type StreamElement,
  sideOutput,
  watermark,
} from 'tidemark';
import { ManualScheduler } from 'tidemark/testing';
import { describe, expect, it, vi } from 'vitest';
import { neverRow } from './commonRows.js';
import { marbles } from './marbles.js';
import { ProbeScheduler } from './probeScheduler.js';

type In = StreamElement<number, string>;
interface State {
  sum: number;
}
type Context = ProcessContext<string>;

/** A process function over one input, or over two of which the other is empty or silent. */
export interface Functions {
  readonly onRecord: (value: number, state: State, context: Context) => Processed<string>;
  readonly onTimer?: (timestamp: number, state: State, context: Context) => Processed<string>;
  readonly create?: () => State;
}
export type MakeProcess = (
  functions: Functions,
  config?: { readonly scheduler?: ManualScheduler | ProbeScheduler },
) => OperatorFunction<In, StreamElement<string, string>>;

const IN = {
  a: keyedRecord(1, 10, 'k'),
  b: keyedRecord(2, 20, 'k'),
  c: keyedRecord(3, 30, 'l'),
  V: watermark(15),
  I: idle(15),
  A: watermark(15),
  W: watermark(25),
  Z: watermark(MAX_TIMESTAMP),
};
const OUT = {
  ...IN,
  a: keyedRecord('1', 10, 'k'),
  b: keyedRecord('3', 20, 'k'),
  c: keyedRecord('3', 30, 'l'),
  x: keyedRecord('timer 3', 24, 'k'),
  y: keyedRecord('timer 1', 24, 'k'),
};

/** Sums up, and sets a timer for 24. */
const summing: Functions = {
  create: () => ({ sum: 0 }),
  onRecord(value, state, { timers }) {
    state.sum += value;
    timers.eventTime(24);
    return [String(state.sum)];
  },
  *onTimer(_timestamp, { sum }) {
    yield `timer ${sum}`;
  },
};

/** What is true of processWith, and of coProcessWith whose other stream has ended. */
export function processRows(name: string, make: MakeProcess): void {
  const process = make(summing);

  neverRow(process);

  it(
    'empty: the end of time and the end',
    marbles((m) => {
      m.expect(m.cold<In>('--|').pipe(process)).toBeObservable('--(Z|)', OUT);
    }),
  );

  it(
    'error: passes at once, and no timer fires',
    marbles((m) => {
      const cause = new Error('of the source');
      const source = m.hot<In>('                      -a-V-#', IN, cause);
      m.expect(source.pipe(process)).toBeObservable('  -a-V-#', OUT, cause);
      m.expect(source).toHaveSubscriptions('           ^----!');
    }),
  );

  it(
    'unsubscribe: lets go of the source in that frame',
    marbles((m) => {
      const source = m.hot<In>('                            -a-V-b-', IN);
      m.expect(source.pipe(process), '^---!').toBeObservable('-a-V-', OUT);
      m.expect(source).toHaveSubscriptions('                 ^---!');
    }),
  );

  it(
    'watermark: passes after the timers that it fires',
    marbles((m) => {
      const source = m.hot<In>('                    -a-V-b-W----|', IN);
      m.expect(source.pipe(process)).toBeObservable('-a-V-b-(xW)-(Z|)', OUT);
    }),
  );

  it(
    'regressing: one that repeats or falls is swallowed, and fires nothing that was not due',
    marbles((m) => {
      const source = m.hot<In>('                    -V-a-V-V--', IN);
      m.expect(source.pipe(process)).toBeObservable('-V-a------', OUT);
    }),
  );

  it(
    'idle: passes, and fires nothing',
    marbles((m) => {
      const late: Functions = { ...summing, onRecord: (_value, _state, { timers }) => timers.eventTime(1) };
      const source = m.hot<In>('                          -V-a-I-A-', IN);
      m.expect(source.pipe(make(late))).toBeObservable('   -V---I-A-', OUT);
    }),
  );

  it(
    'completion: fires the timers of event time that are left, then the end of time',
    marbles((m) => {
      const source = m.hot<In>('                    -a-V-|', IN);
      m.expect(source.pipe(process)).toBeObservable('-a-V-(yZ|)', OUT);
    }),
  );

  it('completion: a timer at the end of time fires with it, with a timestamp of its own', () => {
    const last: Functions = {
      ...summing,
      onRecord: (_value, _state, { timers }) => timers.eventTime(MAX_TIMESTAMP),
      onTimer: (timestamp, _state, { watermark: at }) => [`${timestamp} ${at}`],
    };
    expect(collect(make(last), [IN.a, IN.W])).toEqual([
      IN.W,
      keyedRecord('Infinity Infinity', MAX_TIMESTAMP, 'k'),
      IN.Z,
      'complete',
    ]);
  });

  it(
    'synchronous: all in the frame of the subscription',
    marbles((m) => {
      const result = from<In[]>([IN.a, IN.V, IN.b, IN.W, IN.c, IN.Z]).pipe(process, toArray());
      const x = [OUT.a, OUT.V, OUT.b, OUT.x, OUT.W, OUT.c, keyedRecord('timer 3', 24, 'l'), OUT.Z];
      m.expect(result).toBeObservable('(x|)', { x });
    }),
  );

  it('synchronous: an endless source and an endless generator are left when downstream closes', () => {
    let given = 0;
    function* endless(): Generator<In> {
      for (; given < 1_000; given++) yield IN.a;
    }
    const cleanup = vi.fn();
    function* all(): Generator<string> {
      try {
        for (;;) yield 'again';
      } finally {
        cleanup();
      }
    }
    const seen: unknown[] = [];
    from(endless())
      .pipe(make({ onRecord: all }), take(2))
      .subscribe((element) => seen.push(element));
    expect([seen.length, given, cleanup.mock.calls.length]).toEqual([2, 0, 1]);
  });

  it('re-entrant: through two, what is pushed while a result is handled comes after all results of the element', () => {
    const source = new Subject<In>();
    const log: unknown[] = [];
    const twofold = make({ onRecord: (value) => [`${value}`, `${value}!`] });
    const again = make({ onRecord: (value) => [String(value)] });
    source.pipe(twofold, again as unknown as typeof asTexts).subscribe({
      next: (element) => {
        log.push(element._tag === 'Record' ? element.value : element.timestamp);
        if (log.length !== 1) return;
        source.next(IN.b);
        source.next(IN.W);
        source.complete();
        log.push('handled');
      },
      complete: () => log.push('complete'),
    });
    source.next(IN.a);
    expect(log).toEqual(['1', 'handled', '1!', '2', '2!', 25, MAX_TIMESTAMP, 'complete']);
  });

  describe.each(['create', 'onRecord', 'onTimer', 'a generator', 'a side output'] as const)('throws: %s', (where) => {
    it('is one error, unchanged, and the source is let go', () => {
      const cause = { not: 'an Error' };
      const fail = (): never => {
        throw cause;
      };
      const scheduler = new ProbeScheduler();
      const operator = make(
        {
          create: where === 'create' ? fail : () => ({ sum: 0 }),
          onRecord(_value, _state, context) {
            context.timers.processingTime(500);
            context.timers.eventTime(15);
            if (where === 'onRecord') fail();
            if (where === 'a side output') context.output({ next: fail, error: fail, complete: fail }, 1);
            return where === 'a generator' ? failing(fail) : [];
          },
          onTimer: where === 'onTimer' ? fail : () => [],
        },
        { scheduler },
      );
      const source = new Subject<In>();
      const seen: unknown[] = [];
      source.pipe(operator).subscribe({ error: (error) => seen.push(error), complete: () => seen.push('complete') });
      source.next(IN.a);
      source.next(IN.V);
      source.complete();
      expect(seen).toStrictEqual([cause]);
      expect([source.observed, scheduler.pending]).toEqual([false, 0]);
    });
  });

  it('throws: in a timer of the clock is one error, too', () => {
    const cause = new Error('of the timer');
    const scheduler = new ProbeScheduler();
    const source = new Subject<In>();
    const seen: unknown[] = [];
    const operator = make(
      {
        onRecord: (_value, _state, { timers }) => timers.processingTime(5),
        onTimer() {
          throw cause;
        },
      },
      { scheduler },
    );
    source.pipe(operator).subscribe({ error: (error) => seen.push(error) });
    source.next(IN.a);
    scheduler.advanceTo(10);
    expect(seen).toEqual([cause]);
    expect([source.observed, scheduler.pending]).toEqual([false, 0]);
  });

  it('timers: of the clock fire in the frame after their time, in time order, without a timestamp', () => {
    const scheduler = new ManualScheduler();
    const source = new Subject<In>();
    const seen: unknown[] = [];
    const operator = make(
      {
        onRecord(_value, _state, { timers }) {
          for (const time of [300, 100, 100, 200]) timers.processingTime(time);
          timers.cancelProcessingTime(200);
        },
        onTimer: (timestamp, _state, { now, key }) => [`${key}: ${timestamp} at ${now()}`],
      },
      { scheduler },
    );
    source.pipe(operator).subscribe((element) => seen.push(element));
    source.next(IN.a);
    scheduler.advanceTo(100);
    expect(seen).toEqual([]);
    scheduler.advanceTo(101);
    expect(seen).toEqual([keyedRecord('k: 100 at 101', MIN_TIMESTAMP, 'k')]);
    scheduler.advanceTo(1_000);
    expect(seen).toHaveLength(2);
  });

  it.each(['completion', 'error', 'unsubscription'] as const)('timers: none is left after %s', (end) => {
    const scheduler = new ProbeScheduler();
    const source = new Subject<In>();
    const subscription = source
      .pipe(make({ onRecord: (_value, _state, { timers }) => timers.processingTime(1_000) }, { scheduler }))
      .subscribe({ error: () => {} });
    source.next(IN.a);
    expect(scheduler.pending).toBe(1);
    if (end === 'completion') source.complete();
    else if (end === 'error') source.error(new Error());
    else subscription.unsubscribe();
    expect([scheduler.pending, source.observed]).toEqual([0, false]);
  });

  it('state: one for each key and subscription, until it is cleared', () => {
    const operator = make({
      ...summing,
      onRecord(value, state, { clear }) {
        state.sum += value;
        if (value === 2) clear();
        return [`${state.sum}`];
      },
    });
    const input: In[] = [IN.a, IN.c, IN.b, IN.a, IN.c];
    for (let i = 0; i < 2; i++) {
      const values = collect(operator, input).flatMap((said) => (isRecordLike(said) ? [said.value] : []));
      expect(values).toEqual(['1', '3', '3', '1', '6']);
    }
  });

  it('context: what it says of the record and of the timer', () => {
    const said: unknown[] = [];
    const note = ({ key, timestamp, watermark: at, now }: Context): void => {
      said.push([key, timestamp, at, now()]);
    };
    const scheduler = new ManualScheduler({ start: 7 });
    const operator = make(
      {
        onRecord(_value, _state, context) {
          note(context);
          context.timers.eventTime(24);
        },
        onTimer: (_timestamp, _state, context) => note(context),
      },
      { scheduler },
    );
    collect(operator, [IN.V, IN.a, IN.W]);
    expect(said).toEqual([
      ['k', 10, 15, 7],
      ['k', 24, 25, 7],
    ]);
  });

  it('context: a side output has what is put to it, completes with the operator, and stays open after an error', () => {
    const side = sideOutput<string>();
    const seen: unknown[] = [];
    side.subscribe({ next: (value) => seen.push(value), complete: () => seen.push('complete') });
    const operator = make({ onRecord: (value, _state, { output }) => output(side, `${value}`) });
    const broken = new Subject<In>();
    broken.pipe(operator).subscribe({ error: () => {} });
    broken.next(IN.a);
    broken.error(new Error());
    const left = new Subject<In>();
    const subscription = left.pipe(operator).subscribe();
    left.next(IN.b);
    subscription.unsubscribe();
    collect(operator, [IN.c]);
    expect(seen).toEqual(['1', '2', '3', 'complete']);
  });

  it('context: is refused between calls', () => {
    let kept: Context | undefined;
    collect(
      make({
        onRecord(_value, _state, context) {
          kept = context;
        },
      }),
      [IN.a],
    );
    expect(() => kept?.timers.eventTime(5)).toThrow(`${name}: its context was used outside of a call`);
  });

  it.each([
    ['eventTime', NaN],
    ['cancelEventTime', undefined],
    ['processingTime', 2 ** 60],
    ['cancelProcessingTime', new Date(0)],
  ] as const)('arguments: a time of timers.%s that is none is an error', (timer, time) => {
    const [error] = collect(make({ onRecord: (_value, _state, { timers }) => timers[timer](time as number) }), [IN.a]);
    expect(String(error)).toContain(`${name}: the time of timers.${timer} is`);
  });

  it('arguments: a time is floored', () => {
    const operator = make({ onRecord: (_v, _s, { timers }) => timers.eventTime(1.9), onTimer: (t) => [String(t)] });
    expect(collect(operator, [IN.a])[0]).toEqual(keyedRecord('1', 1, 'k'));
  });

  it('arguments: a result that is a string is an error', () => {
    const [error] = collect(make({ onRecord: () => 'text' as never }), [IN.a]);
    expect(error).toStrictEqual(
      new TypeError(`${name}: the result of ${RESULT_OF[name]} is "text", it must be an iterable that is no string`),
    );
  });
}

declare const asTexts: OperatorFunction<StreamElement<string, string>, StreamElement<string, string>>;
const RESULT_OF: Readonly<Record<string, string>> = { processWith: 'onRecord', coProcessWith: 'onRight' };

function* failing(fail: () => never): Generator<string> {
  yield fail();
}

function isRecordLike(said: unknown): said is { readonly value: string } {
  return typeof said === 'object' && said !== null && 'value' in said;
}

/** All that an operator says of elements that come at once. */
export function collect(operator: OperatorFunction<In, StreamElement<string, string>>, input: ReadonlyArray<In>): unknown[] {
  const seen: unknown[] = [];
  from(input)
    .pipe(operator)
    .subscribe({
      next: (element) => seen.push(element),
      error: (cause) => seen.push(cause),
      complete: () => seen.push('complete'),
    });
  return seen;
}

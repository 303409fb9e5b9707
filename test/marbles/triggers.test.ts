import { Subject } from 'rxjs';
import {
  type AlignedConfig,
  aggregates,
  counters,
  globalWindow,
  MIN_TIMESTAMP,
  record,
  type StreamElement,
  sessionWindow,
  slidingWindow,
  type TimeWindow,
  type Trigger,
  type TriggerContext,
  toValues,
  triggers,
  tumblingWindow,
  watermark,
} from 'tidemark';
import { describe, expect, it } from 'vitest';
import { windowed } from '../helpers/elements.js';
import { marbles } from '../helpers/marbles.js';
import { play, results, type Step } from '../helpers/play.js';
import { ProbeScheduler } from '../helpers/probeScheduler.js';

type In = StreamElement<string>;
const { collect, count } = aggregates;
const {
  afterAll: allOf,
  afterCount,
  afterFirst,
  afterProcessingTime,
  afterWatermark,
  custom,
  delta,
  eventTime,
  every,
  inOrder,
  never,
  once,
  orFinally,
  processingTime,
  purging,
  repeatedly,
  timeout,
} = triggers;

/** A record of time `at`, which is its value too, or a value of its own. */
const r = (at: number, value = String(at)) => record(value, at);
const W = watermark;

type Config = Omit<AlignedConfig<string, undefined>, 'trigger'>;
const on =
  (trigger: Trigger<string>, config: Config = {}, size = 10) =>
  (steps: ReadonlyArray<Step<string, undefined>>): string[][] =>
    play<string>((scheduler) => tumblingWindow(size, collect(), { scheduler, ...config, trigger }), steps);
/** The same, without the watermarks. */
const fired =
  (...args: Parameters<typeof on>) =>
  (steps: ReadonlyArray<Step<string, undefined>>): string[] =>
    on(...args)(steps)
      .flat()
      .filter((word) => !word.startsWith('W(') && word !== '|');
const loss: Config = { allowDataLoss: true };

describe('triggers of one rule', () => {
  it('eventTime: at the end, and then each record within the lateness, as without a trigger', () => {
    const steps = [r(1), W(8), W(9), r(2), W(13), r(3), W(14), '|'] as const;
    const expected = [
      [],
      ['W(8)'],
      ['[0,10) 1 onTime 0', 'W(9)'],
      ['[0,10) 1,2 late 1'],
      ['W(13)'],
      ['[0,10) 1,2,3 late 2'],
      ['W(14)'],
      ['W(MAX)', '|'],
    ];
    expect(on(eventTime(), { allowedLateness: 5 })(steps)).toEqual(expected);
    expect(play<string>(() => tumblingWindow(10, collect(), { allowedLateness: 5 }), steps)).toEqual(expected);
  });

  it(
    'processingTime: in the frame of the end of a processing-time window, whatever the watermark',
    marbles((m) => {
      const source = m.hot<In>('a 4ms W', { a: record('a', MIN_TIMESTAMP), W: W(1_000) });
      const trigger = processingTime();
      m.expect(source.pipe(tumblingWindow(10, collect(), { clock: 'processing', trigger })), '^ 20ms !').toBeObservable(
        '5ms W 4ms x',
        { W: W(1_000), x: record(windowed(0, 10, ['a']), 9) },
      );
    }),
  );

  it('processingTime: on a window of event time, when the clock reaches its end', () => {
    const words = on(processingTime(), loss)([r(1), r(2), 9, 10, W(9)]);
    expect(words).toEqual([[], [], [], ['[0,10) 1,2 early 0'], ['W(9)']]);
  });

  it('afterCount: every nth record; what is left at the end is dropped, and counted once', () => {
    const seen = counters();
    const words = on(afterCount(2), { counters: seen })([r(1), r(2), r(3), r(4), r(5), W(9), r(11), '|']);
    expect(words).toEqual([[], ['[0,10) 1,2 early 0'], [], ['[0,10) 1,2,3,4 early 1'], [], ['W(9)'], [], ['W(MAX)', '|']]);
    expect(seen).toMatchObject({ records: 6, late: 0, discarded: 2 });
  });

  it('afterProcessingTime: a delay after the first record since the last firing', () => {
    // a timer for t fires in the frame after t (T6)
    const words = on(afterProcessingTime(10), loss, 1_000)([r(1), 4, r(2), 10, 11, 20, r(3), 30, 31, 99, '|']);
    expect(words).toEqual([
      [],
      [],
      [],
      [],
      ['[0,1000) 1,2 early 0'],
      [],
      [],
      [],
      ['[0,1000) 1,2,3 early 1'],
      [],
      ['W(MAX)', '|'],
    ]);
  });

  it('every, by event time: at multiples of the interval if something is new, and at the end always', () => {
    const steps = [r(1), W(3), W(4), W(9), r(12), r(13), W(19), W(20), r(21), W(29), r(22), '|'] as const;
    const quiet = fired(every(5, 'event'), { allowedLateness: 3 }, 30);
    expect(quiet(steps)).toEqual([
      '[0,30) 1 early 0', // at 5
      '[0,30) 1,12,13 early 1', // at 15; at 10 and 20 nothing was new
      '[0,30) 1,12,13,21 early 2', // at 25
      '[0,30) 1,12,13,21 onTime 3/0',
      '[0,30) 1,12,13,21,22 late 4/1',
    ]);
    const repeating = fired(every(5, 'event', { repeat: true }), {}, 30);
    expect(repeating([r(1), W(16), W(29)])).toEqual([
      '[0,30) 1 early 0',
      '[0,30) 1 early 1',
      '[0,30) 1 early 2',
      '[0,30) 1 early 3',
      '[0,30) 1 early 4',
      '[0,30) 1 onTime 5/0',
    ]);
  });

  it('every, by event time: a last interval that the end cuts short is one firing, not two', () => {
    expect(fired(every(4, 'event'))([r(1), W(4), r(5), W(9)])).toEqual([
      '[0,10) 1 early 0',
      '[0,10) 1,5 early 1',
      '[0,10) 1,5 onTime 2/0',
    ]);
    expect(fired(every(4, 'event'))([r(9), W(9)])).toEqual(['[0,10) 9 onTime 0']);
  });

  it('every, by event time: the end of the stream skips no interval; one long step skips those with nothing new', () => {
    const repeating = fired(every(5, 'event', { repeat: true }), {}, 30);
    expect(repeating([r(1), W(Infinity)])).toEqual(repeating([r(1), W(29)]));
    // a thousand million intervals in one step
    const words = results<string>(() => globalWindow(every(1, 'event'), collect()), [r(1), W(1e9), r(1e9 + 1), W(1e9 + 1)]);
    expect(words).toEqual(['1 early 0', '1,1000000001 early 1']);
  });

  it('every, by event time: an interval that the end of a session cut short stays so when it grows, as in Flink', () => {
    const quiet = () => sessionWindow<string, ReadonlyArray<string>, undefined>(10, collect(), { trigger: every(5, 'event') });
    expect(results<string>(quiet, [r(0), W(5), r(8), W(9), r(9), W(13), W(14), W(18)])).toEqual([
      '[0,10) 0 early 0',
      '[0,18) 0,8 early 0', // at 9, the end that was
      '[0,19) 0,8,9 early 0', // at 14
      '[0,19) 0,8,9 onTime 1/0',
    ]);
  });

  it('P059 every, by the clock: on change alone; again and again only if it is asked for', () => {
    const run = (repeat: boolean): string[] => fired(every(10, 'processing', { repeat }), {}, 1_000_000)([r(0), 101, W(999_999)]);
    expect(run(false)).toEqual(['[0,1000000) 0 early 0']);
    expect(run(true)).toHaveLength(10);
  });

  it('every, by the clock: windows of long ago wait for the clock like all others', () => {
    const steps = [r(-9), 4, r(-8), 8, r(-7), 11, r(-6), 21, r(-5), 31];
    expect(fired(every(10, 'processing'))(steps)).toEqual([
      '[-10,0) -9,-8,-7 early 0',
      '[-10,0) -9,-8,-7,-6 early 1',
      '[-10,0) -9,-8,-7,-6,-5 early 2',
    ]);
    expect(fired(every(10, 'processing', { repeat: true }))([r(-9), 11, 21, W(-1), 31])).toEqual([
      '[-10,0) -9 early 0',
      '[-10,0) -9 early 1',
    ]);
  });

  it(
    'P059 every, by the clock: in the frames after the multiples, and at the end of the stream',
    marbles((m) => {
      const pane = (index: number) => ({ index, onTimeIndex: -1, timing: 'early', last: false, retraction: false }) as const;
      const source = m.hot<In>('3ms a 21ms b 9ms |', { a: record('a', 1), b: record('b', 2) });
      const result = source.pipe(globalWindow(every(10, 'processing'), collect()));
      const window = { start: -Infinity, end: Infinity };
      m.expect(result).toBeObservable('11ms x 19ms y 3ms (Z|)', {
        x: record({ key: undefined, window, value: ['a'], pane: pane(0) }, Infinity),
        y: record({ key: undefined, window, value: ['a', 'b'], pane: pane(1) }, Infinity),
        Z: W(Infinity),
      });
    }),
  );

  it('delta: further than the threshold from the record of the last firing, strictly; the first is the first reference', () => {
    const seen = counters();
    const trigger = delta((older: string, newer: string) => Number(newer) - Number(older), 3);
    const words = fired(trigger, { counters: seen }, 100)([r(1), r(4), r(5), r(2), r(8), r(9), W(99)]);
    expect(words).toEqual(['[0,100) 1,4,5 early 0', '[0,100) 1,4,5,2,8,9 early 1']);
    expect(seen.discarded).toBe(0);
  });

  it('never: nothing, not even at the end; all records are counted', () => {
    const seen = counters();
    expect(on(never(), { ...loss, counters: seen })([r(1), r(2), W(9), '|'])).toEqual([[], [], ['W(9)'], ['W(MAX)', '|']]);
    expect(seen.discarded).toBe(2);
  });

  it('afterWatermark: early firings, one on time, late ones; without late each record, as Flink', () => {
    const steps = [r(1), r(2), r(3), W(9), r(4), r(5), W(100), '|'] as const;
    const lateness = { allowedLateness: 50 };
    expect(fired(afterWatermark(), lateness)(steps)).toEqual([
      '[0,10) 1,2,3 onTime 0',
      '[0,10) 1,2,3,4 late 1',
      '[0,10) 1,2,3,4,5 late 2',
    ]);
    expect(fired(afterWatermark({ early: afterCount(2), late: afterCount(2) }), lateness)(steps)).toEqual([
      '[0,10) 1,2 early 0',
      '[0,10) 1,2,3 onTime 1/0',
      '[0,10) 1,2,3,4,5 late 2/1',
    ]);
    expect(fired(afterWatermark({ late: never() }), lateness)(steps)).toEqual(['[0,10) 1,2,3 onTime 0']);
  });

  it('afterWatermark: a window that a late record opens fires with it, and marks it late', () => {
    const trigger = afterWatermark({ late: afterCount(2) });
    expect(fired(trigger, { allowedLateness: 50 })([W(20), r(1), r(2), r(3)])).toEqual([
      '[0,10) 1 late 0',
      '[0,10) 1,2,3 late 1',
    ]);
  });
});

describe('triggers around others', () => {
  it('once: fires once; what comes later is dropped and counted, and the pane says that it was the last', () => {
    const seen = counters();
    const words = on(once(afterCount(2)), { ...loss, counters: seen })([r(1), r(2), r(3), r(4), W(9), '|']);
    expect(words).toEqual([[], ['[0,10) 1,2 early 0 last'], [], [], ['W(9)'], ['W(MAX)', '|']]);
    expect(seen).toMatchObject({ records: 4, late: 0, discarded: 2 });
  });

  it('once: of what fires at the end needs no leave, as nothing comes after it', () => {
    expect(fired(once(eventTime()))([r(1), W(9)])).toEqual(['[0,10) 1 onTime 0 last']);
    expect(fired(once(afterWatermark({ early: afterCount(2) })))([r(1), r(2), W(9)])).toEqual([
      '[0,10) 1,2 early 0',
      '[0,10) 1,2 onTime 1/0 last',
    ]);
  });

  it('repeatedly: begins anew whenever the one inside has finished', () => {
    const steps = [r(1), r(2), r(3), r(4), r(5), W(9)] as const;
    expect(fired(repeatedly(once(afterCount(2))))(steps)).toEqual(['[0,10) 1,2 early 0', '[0,10) 1,2,3,4 early 1']);
    expect(fired(repeatedly(afterCount(2)))(steps)).toEqual(fired(afterCount(2))(steps));
    // after inOrder(2, 1) comes 2 again
    expect(fired(repeatedly(inOrder(afterCount(2), afterCount(1))))(steps)).toEqual([
      '[0,10) 1,2 early 0',
      '[0,10) 1,2,3 early 1',
      '[0,10) 1,2,3,4,5 early 2',
    ]);
  });

  it('orFinally: fires with either, until the second has fired', () => {
    const trigger = orFinally(eventTime())(repeatedly(afterCount(2)));
    expect(fired(trigger, { ...loss, allowedLateness: 50 })([r(1), r(2), r(3), W(9), r(4), r(5)])).toEqual([
      '[0,10) 1,2 early 0',
      '[0,10) 1,2,3 onTime 1/0 last',
    ]);
    const stopped = orFinally(afterCount(3))(repeatedly(afterCount(2)));
    expect(fired(stopped, loss)([r(1), r(2), r(3), r(4), W(9)])).toEqual(['[0,10) 1,2 early 0', '[0,10) 1,2,3 early 1 last']);
  });

  it('orFinally: ... or the first has finished', () => {
    const trigger = orFinally(afterCount(5))(afterCount(2));
    expect(fired(trigger, loss)([r(1), r(2), r(3), r(4), r(5), W(9)])).toEqual(['[0,10) 1,2 early 0 last']);
  });

  it('afterFirst: with whichever is due first, once', () => {
    const trigger = afterFirst(afterCount(3), eventTime());
    expect(fired(trigger, loss)([r(1), r(2), r(3), r(4), W(9)])).toEqual(['[0,10) 1,2,3 early 0 last']);
    expect(fired(trigger, loss)([r(1), W(9)])).toEqual(['[0,10) 1 onTime 0 last']);
    expect(fired(repeatedly(trigger))([r(1), r(2), r(3), r(4), W(9)])).toEqual([
      '[0,10) 1,2,3 early 0',
      '[0,10) 1,2,3,4 onTime 1/0',
    ]);
  });

  it('afterAll: when each has been due, once', () => {
    const trigger = allOf(afterCount(2), afterProcessingTime(10));
    const steps = [r(1), r(2), 11, r(3), 30, '|'] as const;
    expect(fired(trigger, loss)(steps)).toEqual(['[0,10) 1,2 early 0 last']);
    expect(fired(repeatedly(trigger), loss)([r(1), 11, r(2), r(3), r(4), 30])).toEqual([
      '[0,10) 1,2 early 0',
      '[0,10) 1,2,3,4 early 1',
    ]);
  });

  it('inOrder: the first until it has finished, then the next; the last one’s end is the end', () => {
    const trigger = inOrder(afterCount(1), afterCount(2), eventTime());
    expect(fired(trigger)([r(1), r(2), r(3), r(4), r(5), W(9)])).toEqual([
      '[0,10) 1 early 0',
      '[0,10) 1,2,3 early 1',
      '[0,10) 1,2,3,4,5 onTime 2/0 last',
    ]);
  });

  it('purging: each firing drops the pane, whatever the panes mode; a firing over nothing says nothing', () => {
    const seen = counters();
    for (const panes of ['accumulating', 'discarding', 'retracting'] as const) {
      const words = fired(purging(afterWatermark({ early: afterCount(2) })), { panes, counters: seen })([r(1), r(2), r(3), W(9)]);
      expect(words.filter((word) => !word.startsWith('-'))).toEqual(['[0,10) 1,2 early 0', '[0,10) 3 onTime 1/0']);
      expect(fired(purging(afterWatermark({ early: afterCount(1) })), { panes })([r(1), W(9)])).toEqual(['[0,10) 1 early 0']);
    }
    expect(seen.discarded).toBe(0);
  });

  it('timeout: when the one inside fires, or when the time is out since the first record', () => {
    const words = on(
      timeout(afterCount(3), { after: 10 }),
      loss,
      1_000,
    )([r(1), 5, r(2), 11, r(3), 20, r(4), r(5), 31, r(6), r(7), r(8)]);
    expect(words).toEqual([
      [],
      [],
      [],
      ['[0,1000) 1,2 early 0'], // ten after 1
      ['[0,1000) 1,2,3 early 1'], // the count goes on
      [],
      [],
      [],
      ['[0,1000) 1,2,3,4,5 early 2'], // ten after 4
      ['[0,1000) 1,2,3,4,5,6 early 3'],
      [],
      [],
    ]);
  });

  it('timeout: since the last record, and with a new count', () => {
    const trigger = timeout(afterCount(3), { after: 10, resetOnRecord: true, clearOnTimeout: true });
    expect(on(trigger, loss, 1_000)([r(1), 5, r(2), 11, 15, 16, r(3), r(4), r(5)])).toEqual([
      [],
      [],
      [],
      [],
      [],
      ['[0,1000) 1,2 early 0'],
      [],
      [],
      ['[0,1000) 1,2,3,4,5 early 1'],
    ]);
  });

  it('timeout: what has fired by itself has no time left to run out', () => {
    expect(fired(timeout(afterCount(2), { after: 10 }), loss, 1_000)([r(1), r(2), 50])).toEqual(['[0,1000) 1,2 early 0']);
  });

  it('P053 after a merge the timers of all parts are those of the whole', () => {
    const session = (trigger: Parameters<typeof sessionWindow<string, ReadonlyArray<string>, undefined>>[2]) => () =>
      sessionWindow<string, ReadonlyArray<string>, undefined>(10, collect(), trigger);
    const steps = [r(0), r(8), W(5), W(10), W(15), W(17), '|'] as const;
    expect(play<string>(session({ trigger: every(5, 'event', { repeat: true }) }), steps)).toEqual([
      [],
      [],
      ['[0,18) 0,8 early 0', 'W(5)'],
      ['[0,18) 0,8 early 1', 'W(10)'],
      ['[0,18) 0,8 early 2', 'W(15)'],
      ['[0,18) 0,8 onTime 3/0', 'W(17)'],
      ['W(MAX)', '|'],
    ]);
  });

  it('P053 ... also where the parts had fired, and by the clock', () => {
    const trigger = afterWatermark({ early: afterProcessingTime(10) });
    const words = play<string>(
      (scheduler) => sessionWindow(10, collect(), { trigger, scheduler }),
      [r(0), 5, r(30), 11, r(8), r(18), r(22), 15, 16, 40, W(50)],
    );
    expect(words).toEqual([
      [],
      [],
      [],
      ['[0,10) 0 early 0'], // ten after 0
      [],
      [],
      [], // 22 joins [0, 28) and [30, 40), whose timer is for 15
      [],
      ['[0,40) 0,8,18,30,22 early 0'],
      [],
      ['[0,40) 0,8,18,30,22 onTime 1/0', 'W(50)'],
    ]);
  });

  it('sessions: counts of the parts add up; a late record that makes one longer waits for its end', () => {
    const trigger = afterWatermark({ early: afterCount(3) });
    const words = results<string>(
      () => sessionWindow(10, collect(), { trigger, allowedLateness: 50 }),
      [
        r(0),
        r(20),
        r(10), // one session of three
        W(29),
        r(25), // [0, 35): its end is ahead
        W(34),
      ],
    );
    expect(words).toEqual(['[0,30) 0,20,10 early 0', '[0,30) 0,20,10 onTime 1/0', '[0,35) 0,20,10,25 onTime 0']);
  });

  it('sliding windows: each has a trigger of its own', () => {
    const words = results<string>(() => slidingWindow(10, 5, collect(), { trigger: afterCount(2) }), [r(1), r(6), r(7)]);
    expect(words).toEqual(['[0,10) 1,6 early 0', '[5,15) 6,7 early 0']);
  });

  it('timeout: a record puts it off without a timer of its own', () => {
    const scheduler = new ProbeScheduler();
    const source = new Subject<In>();
    const operator = tumblingWindow<string, ReadonlyArray<string>, undefined>(1_000, collect(), {
      scheduler,
      trigger: timeout(eventTime(), { after: 50, resetOnRecord: true }),
    });
    const out: string[] = [];
    source.pipe(operator, toValues()).subscribe(({ value }) => out.push(value.join()));
    for (let i = 0; i < 40; i++) {
      source.next(r(i));
      scheduler.advanceTo(i + 1);
    }
    expect(scheduler.delays).toEqual([51]);
    scheduler.advanceTo(89);
    expect(out).toEqual([]);
    scheduler.advanceTo(90);
    expect(out).toHaveLength(1);
    expect(scheduler.pending).toBe(0);
  });
});

describe('triggers of one’s own', () => {
  it('custom: decides for each record; its timers are called, and the others not', () => {
    const calls: string[] = [];
    const trigger = custom<string, { n: number }>({
      create: () => ({ n: 0 }),
      onRecord: (value, state, context) => {
        state.n++;
        calls.push(`${value} ${state.n} ${context.timestamp} ${context.watermark} ${context.now()} ${context.window.start}`);
        context.onEventTime(5);
        context.onEventTime(5); // asked for twice is called once
        context.onProcessingTime(20);
        return value === 'fire' ? 'fire' : 'continue';
      },
      onEventTime: (at, state, context) => {
        calls.push(`event ${at} ${state.n} ${context.timestamp} ${context.watermark}`);
        return 'fire';
      },
      onProcessingTime: (at) => {
        calls.push(`clock ${at}`);
        return 'fireAndPurge';
      },
    });
    const words = on(trigger, {}, 100)([r(1, 'a'), r(2, 'fire'), W(3), W(7), 21, r(8, 'b'), W(99)]);
    expect(words).toEqual([
      [],
      ['[0,100) a,fire early 0'],
      ['W(3)'],
      ['[0,100) a,fire early 1', 'W(7)'],
      ['[0,100) a,fire early 2'],
      [],
      ['[0,100) b early 3', 'W(99)'], // what is asked for a time in the past comes with the next watermark
    ]);
    expect(calls).toEqual([
      'a 1 1 -Infinity 0 0',
      'fire 2 2 -Infinity 0 0',
      'event 5 2 -Infinity 7',
      'clock 20',
      'b 3 8 7 21 0',
      'event 5 3 -Infinity 99',
    ]);
  });

  it('custom: takes back what it asked for, and nothing of another trigger’s', () => {
    const cancelling = custom<string, null>({
      create: () => null,
      onRecord: (value, _state, context) => {
        context.onEventTime(5);
        context.onProcessingTime(50);
        if (value === 'stop') {
          context.cancelEventTime(5);
          context.cancelEventTime(99); // not its own: the end of the window
          context.cancelProcessingTime(50);
        }
        return 'continue';
      },
      onEventTime: () => 'fire',
      onProcessingTime: () => 'fire',
    });
    expect(fired(cancelling, loss, 100)([r(1), W(5), 51, '|'])).toEqual(['[0,100) 1 early 0', '[0,100) 1 early 1']);
    expect(fired(cancelling, loss, 100)([r(1), r(2, 'stop'), W(5), 51, '|'])).toEqual([]);
    const both = afterWatermark({ early: cancelling });
    expect(fired(both, {}, 100)([r(1), r(2, 'stop'), W(5), 51, W(99)])).toEqual(['[0,100) 1,stop onTime 0']);
  });

  it('custom: purges without firing, and what was in no result is counted', () => {
    const seen = counters();
    const trigger = custom<string, null>({
      create: () => null,
      onRecord: (value) => (value === 'purge' ? 'purge' : value === 'fire' ? 'fire' : 'continue'),
    });
    const words = fired(
      trigger,
      { counters: seen },
      100,
    )([r(1, 'a'), r(2, 'fire'), r(3, 'b'), r(4, 'purge'), r(5, 'fire'), r(6, 'c'), W(99)]);
    expect(words).toEqual(['[0,100) a,fire early 0', '[0,100) fire early 1']);
    expect(seen.discarded).toBe(3); // b and purge when it purges; c, which is left at the end
  });

  it('P053 custom: its state merges and its timers move, that for the end of a part to the end of the whole', () => {
    const trigger = custom<string, { all: string }>({
      create: () => ({ all: '' }),
      onRecord: (value, state, context) => {
        state.all += value;
        context.onEventTime(context.maxTimestamp);
        context.onEventTime(context.timestamp + 5);
        return 'continue';
      },
      onEventTime: (at, state, context) => {
        seen.push(`${state.all} ${at} of ${context.maxTimestamp}`);
        return at === context.maxTimestamp ? 'fire' : 'continue';
      },
      merge: (left, right) => ({ all: left.all + right.all }),
    });
    const seen: string[] = [];
    const words = play<string>(
      () => sessionWindow(10, collect(), { trigger }),
      [r(0, 'a'), r(15, 'b'), r(8, 'c'), W(13), W(24), '|'],
    );
    expect(words).toEqual([[], [], [], ['W(13)'], ['[0,25) a,b,c onTime 0', 'W(24)'], ['W(MAX)', '|']]);
    expect(seen).toEqual(['abc 5 of 24', 'abc 13 of 24', 'abc 20 of 24', 'abc 24 of 24']);
  });

  it('C1 throws: whatever of it fails is one error, unchanged; an answer that is none too', () => {
    const cause = { not: 'an Error' };
    const fail = (): never => {
      throw cause;
    };
    const base = {
      create: () => null,
      onRecord: (_value: string, _state: null, context: TriggerContext<TimeWindow>) => {
        context.onEventTime(5);
        context.onProcessingTime(5);
        return 'continue' as const;
      },
    };
    for (const [spec, steps] of [
      [{ ...base, create: fail }, [r(1)]],
      [{ ...base, onRecord: fail }, [r(1)]],
      [{ ...base, onEventTime: fail }, [r(1), W(5)]],
      [{ ...base, onProcessingTime: fail }, [r(1), 6]],
    ] as const) {
      const source = new Subject<In>();
      const scheduler = new ProbeScheduler();
      const seen: unknown[] = [];
      source.pipe(tumblingWindow(10, count(), { trigger: custom<string, null>(spec), scheduler })).subscribe({
        next: (element) => seen.push(element),
        error: (error: unknown) => seen.push(error),
      });
      for (const step of steps)
        if (typeof step === 'number') scheduler.advanceTo(step);
        else source.next(step);
      expect(seen).toHaveLength(1);
      expect(seen[0]).toBe(cause);
      expect([source.observed, scheduler.pending]).toEqual([false, 0]);
    }
    const answer = custom<string, null>({ create: () => null, onRecord: () => 'stop' as never });
    expect(on(answer)([r(1)])).toEqual([
      [expect.stringMatching(/^#TypeError: triggers.custom: the trigger said stop, it must say 'continue'/)],
    ]);
  });

  it('C1 throws: a distance that fails is one error', () => {
    const cause = new Error('distance');
    const trigger = delta<string>(() => {
      throw cause;
    }, 1);
    expect(on(trigger)([r(1), r(2)])).toEqual([[], ['#Error: distance']]);
  });
});

describe('triggers and the end of the stream', () => {
  it('W9: what waits for the clock fires then, in the order of time; what waits for records is dropped and counted', () => {
    const seen = counters();
    const trigger = afterFirst(afterProcessingTime(100), afterCount(3));
    const words = play<string>(
      (scheduler) => globalWindow(repeatedly(trigger), collect(), { scheduler, counters: seen }),
      [r(1), 50, r(2), '|'],
    );
    expect(words).toEqual([[], [], [], ['1,2 early 0', 'W(MAX)', '|']]);
    expect(seen.discarded).toBe(0);
    expect(
      play<string>((scheduler) => globalWindow(afterCount(3), collect(), { scheduler, counters: seen }), [r(1), r(2), '|']),
    ).toEqual([[], [], ['W(MAX)', '|']]);
    expect(seen.discarded).toBe(2);
  });

  it('W9: MAX ends event-time windows before the clock can: pending calls of the clock are not made for them', () => {
    const seen = counters();
    const words = on(afterProcessingTime(100), { ...loss, counters: seen })([r(1), W(9), 101, '|']);
    expect(words).toEqual([[], ['W(9)'], [], ['W(MAX)', '|']]);
    expect(seen.discarded).toBe(1);
  });

  it('W9: an endless repetition ends with a completion in the middle, and with a MAX before it', () => {
    const repeating = every(1, 'processing', { repeat: true });
    const words = play<string>((scheduler) => globalWindow(repeating, collect(), { scheduler }), [r(1), 2, W(Infinity), 4, '|']);
    expect(words).toEqual([[], ['1 early 0'], ['W(MAX)'], ['1 early 1', '1 early 2'], ['1 early 3', '|']]);
  });

  it('timers: none is left after completion, error, unsubscription, for any trigger with a clock', () => {
    for (const trigger of [
      afterProcessingTime(50),
      every(50, 'processing'),
      every(50, 'processing', { repeat: true }),
      processingTime(),
      timeout(afterCount(5), { after: 50 }),
      afterWatermark({ early: afterProcessingTime(50) }),
    ]) {
      for (const end of ['complete', 'error', 'unsubscribe'] as const) {
        const scheduler = new ProbeScheduler();
        const source = new Subject<In>();
        const subscription = source
          .pipe(tumblingWindow(1_000, count(), { trigger, scheduler, allowDataLoss: true }))
          .subscribe({ error: () => {} });
        source.next(r(1));
        expect(scheduler.pending).toBe(1);
        if (end === 'complete') source.complete();
        else if (end === 'error') source.error(new Error('boom'));
        else subscription.unsubscribe();
        expect([end, scheduler.pending]).toEqual([end, 0]);
      }
    }
  });
});

describe('triggers that lose data', () => {
  const build =
    (trigger: Trigger<unknown, TimeWindow>, config: Config = {}) =>
    () =>
      tumblingWindow<string, number, undefined>(10, count(), { ...config, trigger });
  const refusal = (what: string, why: string) =>
    new TypeError(`tumblingWindow: the trigger ${what} ${why}; set allowDataLoss: true if that is meant`);
  const FINISHES =
    'finishes with a firing after which records may still come, and those would be dropped; wrap it in triggers.repeatedly';

  it('arguments: one that never fires is refused when the operator is built', () => {
    for (const [trigger, what] of [
      [never(), 'never()'],
      [repeatedly(never()), 'repeatedly(never())'],
      [purging(once(never())), 'purging(once(never()))'],
      [allOf(afterCount(1), never()), 'afterAll(afterCount(1), never())'],
      [inOrder(never(), afterCount(1)), 'inOrder(never(), afterCount(1))'],
      [orFinally(never())(never()), 'orFinally(never())(never())'],
      [afterFirst(never(), never()), 'afterFirst(never(), never())'],
    ] as const) {
      expect(build(trigger)).toThrow(refusal(what, 'never fires'));
      expect(build(trigger, loss)).not.toThrow();
    }
  });

  it('arguments: one that finishes while records may come is refused', () => {
    for (const [trigger, what] of [
      [once(afterCount(2)), 'once(afterCount(2))'],
      [afterFirst(afterCount(1), eventTime()), 'afterFirst(afterCount(1), eventTime())'],
      [allOf(afterCount(1), afterProcessingTime(1)), 'afterAll(afterCount(1), afterProcessingTime())'],
      [inOrder(afterCount(1), afterCount(2)), 'inOrder(afterCount(1), afterCount(2))'],
      [orFinally(afterCount(2))(repeatedly(afterCount(1))), 'orFinally(afterCount(2))(repeatedly(afterCount(1)))'],
      [purging(once(afterCount(2))), 'purging(once(afterCount(2)))'],
      [timeout(once(afterCount(2)), { after: 5 }), 'timeout(once(afterCount(2)))'],
      [once(every(5, 'event')), 'once(every())'],
    ] as const) {
      expect(build(trigger)).toThrow(refusal(what, FINISHES));
      expect(build(trigger, loss)).not.toThrow();
    }
  });

  it('arguments: what finishes with the end of the window loses nothing, unless there is a lateness', () => {
    for (const trigger of [
      once(eventTime()),
      once(afterWatermark({ early: afterCount(1) })),
      orFinally(eventTime())(repeatedly(afterCount(2))),
      inOrder(afterCount(1), eventTime()),
      allOf(afterCount(1), eventTime()),
    ]) {
      expect(build(trigger)).not.toThrow();
      expect(build(trigger, { allowedLateness: 1 })).toThrow(/finishes with a firing/);
      expect(build(trigger, { allowedLateness: 1, allowDataLoss: true })).not.toThrow();
      expect(build(repeatedly(trigger), { allowedLateness: 1 })).not.toThrow();
    }
    const kept = once(afterWatermark({ late: repeatedly(afterCount(1)) }));
    expect(build(kept, { allowedLateness: 1 })).not.toThrow();
  });

  it('arguments: what is no trigger is refused, with its place', () => {
    expect(() => tumblingWindow(10, count(), { trigger: 'eventTime' as never })).toThrow(
      /tumblingWindow: trigger is "eventTime"/,
    );
    expect(() => once(5 as never)).toThrow(/once: trigger is 5, it must be a trigger/);
    expect(() => orFinally(undefined as never)(afterCount(1))).toThrow(/orFinally: until is undefined/);
    expect(() => afterFirst(afterCount(1), {} as never)).toThrow(/afterFirst: triggers\[1\] is/);
    expect(() => allOf()).toThrow(/afterAll: triggers is .*at least one trigger/);
    expect(() => afterWatermark({ early: 1 as never })).toThrow(/afterWatermark: early is 1/);
    expect(() => afterCount(0)).toThrow(/afterCount: n is 0, it must be a whole number ≥ 1/);
    expect(() => afterProcessingTime(-1)).toThrow(/delay is -1/);
    expect(() => every(0, 'event')).toThrow(/interval is 0/);
    expect(() => every(5, 'sun' as never)).toThrow(/clock is "sun"/);
    expect(() => delta(5 as never, 1)).toThrow(/distance is 5/);
    expect(() => delta(() => 0, NaN)).toThrow(/threshold is NaN/);
    expect(() => timeout(afterCount(1), { after: 0 })).toThrow(/after is 0/);
    expect(() => custom({ create: () => 0 } as never)).toThrow(/custom: onRecord is undefined, it must be a function/);
  });

  it('C7: triggers are values: equal ones are equal, and show what they are', () => {
    expect(afterWatermark({ early: every(5, 'processing') })).toStrictEqual(afterWatermark({ early: every(5, 'processing') }));
    expect(orFinally(eventTime())(afterCount(2))).toStrictEqual(orFinally(eventTime())(afterCount(2)));
    expect(afterCount(2)).not.toEqual(afterCount(3));
    expect(JSON.parse(JSON.stringify(timeout(purging(afterCount(2)), { after: 5 })))).toMatchObject({
      kind: 'timeout',
      after: 5,
      mergeable: true,
      trigger: { kind: 'purging', trigger: { kind: 'afterCount', n: 2 } },
    });
    expect(delta(() => 1, 0).mergeable).toBe(false);
    expect(once(delta(() => 1, 0)).mergeable).toBe(false);
  });
});

import type { Observable } from 'rxjs';
import {
  type AlignedConfig,
  aggregates,
  ascendingTimestampExtractor,
  assignWatermarks,
  boundedOutOfOrderness,
  boundedOutOfOrdernessTimestampExtractor,
  fromSource,
  keyedRecord,
  MAX_TIMESTAMP,
  mapValue,
  periodicAssigner,
  punctuatedAssigner,
  record,
  type StreamElement,
  type StreamRecord,
  seconds,
  sideOutput,
  tumblingWindow,
  watermark,
} from 'tidemark';
import { describe, it } from 'vitest';
import { keyedWindow, latePane, windowed } from '../helpers/elements.js';
import { marbles } from '../helpers/marbles.js';

// The scenarios that users meet first, told twice: as recorded vectors of a real engine, and here, to be read.

const T0 = Date.parse('2020-05-24T12:00:00+08:00');
const Z = watermark(MAX_TIMESTAMP);

interface Event {
  readonly device: string;
  readonly name: string;
  readonly at: number;
}

/** Nine events of one device; the letter of each is its place in event time. */
const SECONDS = { a: 0, b: 1, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9 };
type Letter = keyof typeof SECONDS;
const at = (letter: Letter): number => T0 + seconds(SECONDS[letter]);
const EVENTS = Object.fromEntries(
  Object.keys(SECONDS).map((letter, i): [string, Event] => [
    letter,
    { device: 'k', name: `event${i + 1}`, at: at(letter as Letter) },
  ]),
) as Record<Letter, Event>;

/** As they arrive, one every 10 ms from frame 0: event3 (c) after event7 (g), event6 (f) after that. */
const ARRIVING = 'a 9ms b 9ms d 9ms e 9ms g 9ms c 9ms f 9ms h 9ms i 9ms |';

const names = (letters: string): string[] => [...letters].map((letter) => EVENTS[letter as Letter].name);
const first = (letters: string, pane?: Parameters<typeof windowed>[3]) =>
  record(windowed(T0, T0 + 5_000, names(letters), pane), T0 + 4_999);
const second = (letters: string) => record(windowed(T0 + 5_000, T0 + 10_000, names(letters)), T0 + 9_999);
const late = record('event3', at('c'));

/** The names, in windows of 5 s. */
const inWindows = (config?: AlignedConfig<string, undefined>) => (source: Observable<StreamElement<Event>>) =>
  source.pipe(
    mapValue((event) => event.name),
    tumblingWindow(seconds(5), aggregates.collect<string>(), config),
  );

/** A source that stamps its events, and after each says that time has come as far as `behind` ms before it. */
const stamping = (events: Observable<Event>, behind = 0) =>
  fromSource<Event>((context) =>
    events.subscribe({
      next(event) {
        context.collectWithTimestamp(event, event.at);
        context.emitWatermark(event.at - behind);
      },
      complete: () => context.complete(),
    }),
  );

/** The periodic assigner of the old days: the largest time seen, from 0. */
const largest = periodicAssigner<Event>(() => {
  let max = 0;
  return {
    extractTimestamp(event) {
      max = Math.max(max, event.at);
      return event.at;
    },
    getCurrentWatermark: () => max,
  };
});

/** What the watermarks of the events are, by capital letter. */
const MARKS = Object.fromEntries(
  Object.keys(SECONDS).map((letter) => [letter.toUpperCase(), watermark(at(letter as Letter))]),
) as Record<string, ReturnType<typeof watermark>>;

describe('nine events of one device, in windows of 5 s', () => {
  it(
    'watermark in the source, its own time after each event: event3 is late, event6 is not',
    marbles((m) => {
      const lateTo = sideOutput<StreamRecord<string>>();
      const source = m.hot<Event>(ARRIVING, EVENTS);
      m.expect(lateTo).toBeObservable('50ms c 39ms |', { c: late });
      m.expect(stamping(source).pipe(inWindows({ lateTo }))).toBeObservable(
        'A 9ms B 9ms D 9ms (xE) 6ms G 29ms H 9ms I 9ms (yZ|)',
        { ...MARKS, x: first('abd'), y: second('egfhi'), Z },
      );
    }),
  );

  it(
    'watermark in the source, in order: nothing is late',
    marbles((m) => {
      const lateTo = sideOutput<StreamRecord<string>>();
      const source = m.hot<Event>('a 9ms b 9ms c 9ms d 9ms e 9ms f 9ms g 9ms h 9ms i 9ms |', EVENTS);
      m.expect(lateTo).toBeObservable('90ms |');
      m.expect(stamping(source).pipe(inWindows({ lateTo }))).toBeObservable(
        'A 9ms B 9ms C 9ms D 9ms (xE) 6ms F 9ms G 9ms H 9ms I 9ms (yZ|)',
        { ...MARKS, x: first('abcd'), y: second('efghi'), Z },
      );
    }),
  );

  it(
    'watermark in the source, 1 ms behind: event5 gives 4999, which is enough; event3 is late all the same',
    marbles((m) => {
      const lateTo = sideOutput<StreamRecord<string>>();
      const source = m.hot<Event>(ARRIVING, EVENTS);
      const behind = Object.fromEntries(Object.entries(MARKS).map(([name, mark]) => [name, watermark(mark.timestamp - 1)]));
      m.expect(lateTo).toBeObservable('50ms c 39ms |', { c: late });
      m.expect(stamping(source, 1).pipe(inWindows({ lateTo }))).toBeObservable(
        'A 9ms B 9ms D 9ms (xE) 6ms G 29ms H 9ms I 9ms (yZ|)',
        { ...behind, x: first('abd'), y: second('egfhi'), Z },
      );
    }),
  );

  it(
    'periodic, with a tick after every event: event3 is late',
    marbles((m) => {
      const lateTo = sideOutput<StreamRecord<string>>();
      const source = m.hot<Event>(`5ms ${ARRIVING}`, EVENTS);
      m.expect(lateTo).toBeObservable('55ms c 39ms |', { c: late });
      m.expect(source.pipe(assignWatermarks(largest, { interval: 10 }), inWindows({ lateTo }))).toBeObservable(
        '10ms A 9ms B 9ms D 9ms (xE) 6ms G 29ms H 9ms I 4ms (yZ|)',
        { ...MARKS, x: first('abd'), y: second('egfhi'), Z },
      );
    }),
  );

  it(
    'periodic, all before the first tick of 200 ms: event3 is not late',
    marbles((m) => {
      const lateTo = sideOutput<StreamRecord<string>>();
      const source = m.hot<Event>('abdegcfhi 291ms |', EVENTS);
      m.expect(lateTo).toBeObservable('300ms |');
      m.expect(source.pipe(assignWatermarks(largest), inWindows({ lateTo }))).toBeObservable('200ms (xI) 96ms (yZ|)', {
        x: first('abdc'),
        I: watermark(at('i')),
        y: second('egfhi'),
        Z,
      });
    }),
  );

  it(
    'punctuated, a watermark with every event: as in the source',
    marbles((m) => {
      const lateTo = sideOutput<StreamRecord<string>>();
      const source = m.hot<Event>(ARRIVING, EVENTS);
      const punctuating = punctuatedAssigner<Event>(() => ({
        extractTimestamp: (event) => event.at,
        checkAndGetNextWatermark: (_event, extracted) => extracted,
      }));
      m.expect(lateTo).toBeObservable('50ms c 39ms |', { c: late });
      m.expect(source.pipe(assignWatermarks(punctuating), inWindows({ lateTo }))).toBeObservable(
        'A 9ms B 9ms D 9ms (xE) 6ms G 29ms H 9ms I 9ms (yZ|)',
        { ...MARKS, x: first('abd'), y: second('egfhi'), Z },
      );
    }),
  );

  it(
    'with a delay of 4 s (the old extractor): event3 makes it',
    marbles((m) => {
      const lateTo = sideOutput<StreamRecord<string>>();
      const source = m.hot<Event>(`5ms ${ARRIVING}`, EVENTS);
      const extractor = boundedOutOfOrdernessTimestampExtractor<Event>(seconds(4), (event) => event.at);
      const behind = Object.fromEntries(
        Object.entries(MARKS).map(([name, mark]) => [name, watermark(mark.timestamp - seconds(4))]),
      );
      m.expect(lateTo).toBeObservable('95ms |');
      m.expect(source.pipe(assignWatermarks(extractor, { interval: 10 }), inWindows({ lateTo }))).toBeObservable(
        '10ms A 9ms B 9ms D 9ms E 9ms G 29ms H 9ms (xI) 1ms (yZ|)',
        { ...behind, x: first('abdc'), y: second('egfhi'), Z },
      );
    }),
  );

  it(
    'with a delay of 2 s (the new strategy, 1 ms more): event7 gives 4999, which fires; event3 is late',
    marbles((m) => {
      const lateTo = sideOutput<StreamRecord<string>>();
      const source = m.hot<Event>(`5ms ${ARRIVING}`, EVENTS);
      const strategy = boundedOutOfOrderness<Event>(seconds(2));
      const behind = Object.fromEntries(Object.entries(MARKS).map(([name, mark]) => [name, watermark(mark.timestamp - 2_001)]));
      m.expect(lateTo).toBeObservable('55ms c 39ms |', { c: late });
      m.expect(
        source.pipe(assignWatermarks(strategy, { timestamp: (event) => event.at, interval: 10 }), inWindows({ lateTo })),
      ).toBeObservable('10ms A 9ms B 9ms D 9ms E 9ms (xG) 26ms H 9ms I 4ms (yZ|)', {
        ...behind,
        x: first('abd'),
        y: second('egfhi'),
        Z,
      });
    }),
  );

  it(
    'with an allowed lateness of 5 s: event3 fires the first window once more',
    marbles((m) => {
      const lateTo = sideOutput<StreamRecord<string>>();
      const source = m.hot<Event>(ARRIVING, EVENTS);
      m.expect(lateTo).toBeObservable('90ms |');
      m.expect(stamping(source).pipe(inWindows({ lateTo, allowedLateness: seconds(5) }))).toBeObservable(
        'A 9ms B 9ms D 9ms (xE) 6ms G 9ms v 19ms H 9ms I 9ms (yZ|)',
        { ...MARKS, x: first('abd'), v: first('abdc', latePane(1)), y: second('egfhi'), Z },
      );
    }),
  );

  it(
    'with an allowed lateness of 2 s: the window is over at 6999, event7 is past that, event3 is late',
    marbles((m) => {
      const lateTo = sideOutput<StreamRecord<string>>();
      const source = m.hot<Event>(ARRIVING, EVENTS);
      m.expect(lateTo).toBeObservable('50ms c 39ms |', { c: late });
      m.expect(stamping(source).pipe(inWindows({ lateTo, allowedLateness: seconds(2) }))).toBeObservable(
        'A 9ms B 9ms D 9ms (xE) 6ms G 29ms H 9ms I 9ms (yZ|)',
        { ...MARKS, x: first('abd'), y: second('egfhi'), Z },
      );
    }),
  );

  it(
    'T6 by processing time: one window of all nine, in frame 5000; event time is nobody’s business',
    marbles((m) => {
      const source = m.hot<Event>(ARRIVING.replace('|', '6000ms |'), EVENTS);
      const untimed = fromSource<Event>(
        (context) =>
          source.subscribe({
            next: (event) => context.collectWithTimestamp(event, event.at),
            complete: () => context.complete(),
          }),
        { time: 'processing' },
      );
      m.expect(untimed.pipe(inWindows({ clock: 'processing' }))).toBeObservable('5000ms x 1089ms (Z|)', {
        x: record(windowed(0, 5_000, names('abdegcfhi')), 4_999),
        Z,
      });
    }),
  );

  it(
    'W9 by processing time, from a source that ends before: in the frame of its end',
    marbles((m) => {
      const source = m.hot<Event>(ARRIVING, EVENTS);
      const assigned = source.pipe(assignWatermarks(largest, { interval: Infinity }));
      m.expect(assigned.pipe(inWindows({ clock: 'processing' }))).toBeObservable('90ms (IZx|)', {
        I: watermark(at('i')), // the assigner is asked once more at its end, and gives MAX; the clock's windows wait for completion
        x: record(windowed(0, 5_000, names('abdegcfhi')), 4_999),
        Z,
      });
    }),
  );
});

interface Click {
  readonly user: string;
  readonly value: number;
  readonly at: number;
}

describe('clicks of user1, times and values 1 to 8', () => {
  const CLICKS = Object.fromEntries(
    [...'abcdefgh'].map((letter, i): [string, Click] => [letter, { user: 'user1', value: i + 1, at: i + 1 }]),
  );
  const STAMPED = Object.fromEntries(
    Object.entries(CLICKS).map(([letter, click]) => [letter, keyedRecord(click, click.at, 'user1')]),
  );
  const key = (click: Click): string => click.user;
  const ONE_A_TICK = '5ms a 9ms b 9ms c 9ms d 9ms e 9ms f 9ms g 9ms h 9ms |';
  const AFTER_EACH = '5ms a 4ms A 4ms b 4ms B 4ms c 4ms C 4ms d 4ms D 4ms e 4ms E 4ms f 4ms F 4ms g 4ms G 4ms h 4ms H 4ms (Z|)';
  const marks = (from: number) => Object.fromEntries([...'ABCDEFGH'].map((letter, i) => [letter, watermark(from + i)]));

  it(
    'punctuated by value % 3: watermarks 3 and 6',
    marbles((m) => {
      const byThree = punctuatedAssigner<Click>(() => ({
        extractTimestamp: (click) => click.at,
        checkAndGetNextWatermark: (click, extracted) => (click.value % 3 === 0 ? extracted : undefined),
      }));
      const source = m.hot<Click>('a 9ms b 9ms c 9ms d 9ms e 9ms f 9ms g 9ms h 9ms |', CLICKS);
      m.expect(source.pipe(assignWatermarks(byThree, { key }))).toBeObservable(
        'a 9ms b 9ms (cC) 6ms d 9ms e 9ms (fF) 6ms g 9ms h 9ms (Z|)',
        {
          ...STAMPED,
          C: watermark(3),
          F: watermark(6),
          Z,
        },
      );
    }),
  );

  it(
    'periodic: a watermark after each, when each has its tick',
    marbles((m) => {
      const source = m.hot<Click>(ONE_A_TICK, CLICKS);
      const assigner = periodicAssigner<Click>(() => {
        let max = 0;
        return {
          extractTimestamp: (click) => (max = Math.max(max, click.at)),
          getCurrentWatermark: () => max,
        };
      });
      m.expect(source.pipe(assignWatermarks(assigner, { key, interval: 10 }))).toBeObservable(AFTER_EACH, {
        ...STAMPED,
        ...marks(1),
        Z,
      });
      // all before the first tick: one watermark
      const burst = m.hot<Click>('abcdefgh 12ms |', CLICKS);
      m.expect(burst.pipe(assignWatermarks(assigner, { key, interval: 10 }))).toBeObservable('abcdefgh--H 9ms (Z|)', {
        ...STAMPED,
        ...marks(1),
        Z,
      });
      // a tick before the first: the maximum that starts at 0 says so
      const waiting = m.hot<Click>('15ms a 9ms |', CLICKS);
      m.expect(waiting.pipe(assignWatermarks(assigner, { key, interval: 10 }))).toBeObservable('10ms O 4ms a 4ms A 4ms (Z|)', {
        ...STAMPED,
        ...marks(1),
        O: watermark(0),
        Z,
      });
    }),
  );

  it(
    'ascending: 1 less each',
    marbles((m) => {
      const source = m.hot<Click>(ONE_A_TICK, CLICKS);
      const extractor = ascendingTimestampExtractor<Click>((click) => click.at);
      m.expect(source.pipe(assignWatermarks(extractor, { key, interval: 10 }))).toBeObservable(AFTER_EACH, {
        ...STAMPED,
        ...marks(0),
        Z,
      });
    }),
  );

  it(
    'bounded by 2 ms: from -1 up',
    marbles((m) => {
      const source = m.hot<Click>(ONE_A_TICK, CLICKS);
      const extractor = boundedOutOfOrdernessTimestampExtractor<Click>(2, (click) => click.at);
      m.expect(source.pipe(assignWatermarks(extractor, { key, interval: 10 }))).toBeObservable(AFTER_EACH, {
        ...STAMPED,
        ...marks(-1),
        Z,
      });
    }),
  );

  it(
    'a source 1 ms behind, counted per second: 1999 closes [1000, 2000), the rest fires at the end',
    marbles((m) => {
      const times = { a: 1_000, b: 1_999, c: 2_000, d: 2_100, e: 2_130 };
      const source = m.hot<number>('a 9ms b 9ms c 9ms d 9ms e 9ms |', times);
      const clicks = fromSource<number, string>(
        (context) =>
          source.subscribe({
            next(time) {
              context.collectWithTimestamp(time, time);
              context.emitWatermark(time - 1);
            },
            complete: () => context.complete(),
          }),
        { key: () => 'user1' },
      );
      m.expect(clicks.pipe(tumblingWindow(1_000, aggregates.count()))).toBeObservable('A 9ms B 9ms (xC) 6ms D 9ms E 9ms (yZ|)', {
        A: watermark(999),
        B: watermark(1_998),
        x: record(keyedWindow('user1', 1_000, 2_000, 2), 1_999),
        C: watermark(1_999),
        D: watermark(2_099),
        E: watermark(2_129),
        y: record(keyedWindow('user1', 2_000, 3_000, 3), 2_999),
        Z,
      });
    }),
  );
});

describe('lines such as 2020-03-01 00:00:00,1', () => {
  const L0 = Date.parse('2020-03-01T00:00:00Z');
  /** The old bounded extractor without a delay, asked every 200 ms, and the sum of 5 s. */
  const sums = (lines: Observable<string>, lateTo: ReturnType<typeof sideOutput<StreamRecord<number>>>) =>
    lines.pipe(
      assignWatermarks(
        boundedOutOfOrdernessTimestampExtractor<string>(0, (line) => Date.parse(`${line.split(',')[0]?.replace(' ', 'T')}Z`)),
      ),
      mapValue((line) => Number(line.split(',')[1])),
      tumblingWindow(seconds(5), aggregates.sum(), { lateTo }),
    );

  it(
    'the line of second 5 closes the first window: 3; the rest is 3 at the end',
    marbles((m) => {
      const lateTo = sideOutput<StreamRecord<number>>();
      const lines = m.hot<string>('100ms a 199ms b 199ms c 199ms |', {
        a: '2020-03-01 00:00:00,1',
        b: '2020-03-01 00:00:04,2',
        c: '2020-03-01 00:00:05,3',
      });
      m.expect(lateTo).toBeObservable('700ms |');
      m.expect(sums(lines, lateTo)).toBeObservable('200ms A 199ms B 199ms (xC) 96ms (yZ|)', {
        A: watermark(L0),
        B: watermark(L0 + 4_000),
        x: record(windowed(L0, L0 + 5_000, 3), L0 + 4_999),
        C: watermark(L0 + 5_000),
        y: record(windowed(L0 + 5_000, L0 + 10_000, 3), L0 + 9_999),
        Z,
      });
    }),
  );

  it(
    'a line of 4.999 is enough for it, and a second one of that time is late',
    marbles((m) => {
      const lateTo = sideOutput<StreamRecord<number>>();
      const lines = m.hot<string>('100ms a 199ms b 199ms c 199ms d 199ms |', {
        a: '2020-03-01 00:00:00,1',
        b: '2020-03-01 00:00:04.999,2',
        c: '2020-03-01 00:00:04.999,4',
        d: '2020-03-01 00:00:05,3',
      });
      m.expect(lateTo).toBeObservable('500ms c 399ms |', { c: record(4, L0 + 4_999) });
      m.expect(sums(lines, lateTo)).toBeObservable('200ms A 199ms (xB) 396ms D 99ms (yZ|)', {
        A: watermark(L0),
        x: record(windowed(L0, L0 + 5_000, 3), L0 + 4_999),
        B: watermark(L0 + 4_999),
        D: watermark(L0 + 5_000),
        y: record(windowed(L0 + 5_000, L0 + 10_000, 3), L0 + 9_999),
        Z,
      });
    }),
  );
});

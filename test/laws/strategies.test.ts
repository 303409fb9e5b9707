import fc from 'fast-check';
import { pipe } from 'fp-ts/lib/function.js';
import { Observable, VirtualTimeScheduler } from 'rxjs';
import {
  ascendingTimestamps,
  assignWatermarks,
  boundedOutOfOrderness,
  boundedOutOfOrdernessTimestampExtractor,
  contramapStrategy,
  fromGenerator,
  idle,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  noWatermarks,
  punctuated,
  reassignWatermarks,
  record,
  type StreamElement,
  type WatermarkStrategy,
  watermark,
  withIdleness,
  withMaxFutureSkew,
} from 'tidemark';
import { watermarkStrategy } from 'tidemark/fp';
import { describe, expect, it } from 'vitest';

/** Something that happened at `at`, and arrived so many ms after the one before. */
interface Event {
  readonly at: number;
  readonly after: number;
}
const event: fc.Arbitrary<Event> = fc.record({ at: fc.integer({ min: -30, max: 30 }), after: fc.integer({ min: 0, max: 9 }) });
const events = fc.array(event, { maxLength: 20 });
const interval = fc.oneof(fc.constant<'record'>('record'), fc.integer({ min: 1, max: 12 }), fc.constant(Infinity));

/** Pushes each item when its time has come, and completes a ms after the last one. */
function arriving<A extends { readonly after: number }>(items: ReadonlyArray<A>, scheduler: VirtualTimeScheduler): Observable<A> {
  return new Observable((subscriber) => {
    let at = 0;
    for (const item of items) {
      at += item.after;
      subscriber.add(scheduler.schedule(() => subscriber.next(item), at));
    }
    subscriber.add(scheduler.schedule(() => subscriber.complete(), at + 1));
  });
}

/** All that comes out, with the frame in which it does. */
function run<A extends { readonly after: number; readonly at: number }>(
  strategy: WatermarkStrategy<A>,
  items: ReadonlyArray<A>,
  config: { readonly interval: number | 'record' },
): Array<readonly [frame: number, element: StreamElement<A>]> {
  const scheduler = new VirtualTimeScheduler();
  const seen: Array<readonly [number, StreamElement<A>]> = [];
  arriving(items, scheduler)
    .pipe(assignWatermarks<A>(strategy, { timestamp: (item) => item.at, scheduler, ...config }))
    .subscribe((element) => seen.push([scheduler.now(), element]));
  scheduler.flush();
  return seen;
}

/** Rules W1 to W3 and W9, read off the arrivals: what a strategy says that knows nothing but the records so far. */
function reference(
  items: ReadonlyArray<Event>,
  every: number | 'record',
  says: (before: ReadonlyArray<Event>) => number,
): Array<readonly [frame: number, element: StreamElement<Event>]> {
  const seen: Array<readonly [number, StreamElement<Event>]> = [];
  const arrivals = items.map((_, i) => items.slice(0, i + 1).reduce((sum, { after }) => sum + after, 0));
  const end = (arrivals.at(-1) ?? 0) + 1;
  let last = MIN_TIMESTAMP;
  const ask = (frame: number, known: number): void => {
    const mark = says(items.slice(0, known));
    if (mark <= last) return;
    last = mark;
    seen.push([frame, watermark(mark)]);
  };
  for (let frame = 0, known = 0; frame <= end; frame++) {
    for (; known < items.length && arrivals[known] === frame; known++) {
      const item = items[known] as Event;
      seen.push([frame, record(item, item.at)]);
      if (every === 'record') ask(frame, known + 1);
    }
    const ticks = every !== 'record' && every !== Infinity && frame > 0 && frame % every === 0 && frame < end;
    if (ticks || frame === end) ask(frame, known);
  }
  seen.push([end, watermark(MAX_TIMESTAMP)]);
  return seen;
}

const greatest = (known: ReadonlyArray<Event>): number => known.reduce((max, { at }) => Math.max(at, max), MIN_TIMESTAMP);

describe('built-in strategies equal a reference written from the rules', () => {
  it('boundedOutOfOrderness says max - delay - 1', () =>
    fc.assert(
      fc.property(events, interval, fc.nat(20), (items, every, delay) => {
        const expected = reference(items, every, (known) => greatest(known) - delay - 1);
        expect(run(boundedOutOfOrderness(delay), items, { interval: every })).toStrictEqual(expected);
      }),
    ));

  it('ascendingTimestamps says max - 1', () =>
    fc.assert(
      fc.property(events, interval, (items, every) => {
        const expected = reference(items, every, (known) => greatest(known) - 1);
        expect(run(ascendingTimestamps(), items, { interval: every })).toStrictEqual(expected);
      }),
    ));

  it('punctuated says what the record says, whatever the interval', () =>
    fc.assert(
      fc.property(events, interval, (items, every) => {
        const expected = reference(items, 'record', (known) =>
          known.at(-1)?.after === 3 ? (known.at(-1)?.at ?? NaN) : MIN_TIMESTAMP,
        );
        const strategy = punctuated<Event>(({ at, after }) => (after === 3 ? at : undefined));
        expect(run(strategy, items, { interval: every })).toStrictEqual(expected);
      }),
    ));

  it('noWatermarks says nothing but the end', () =>
    fc.assert(
      fc.property(events, interval, (items, every) => {
        expect(run(noWatermarks(), items, { interval: every })).toStrictEqual(reference(items, every, () => MIN_TIMESTAMP));
      }),
    ));
});

/** One thing that a generator may say. */
type Word = number | 'idle';
interface Talk extends Event {
  readonly onRecord: ReadonlyArray<Word>;
  readonly onTick: ReadonlyArray<Word>;
}
const word: fc.Arbitrary<Word> = fc.oneof(
  fc.integer({ min: -50, max: 50 }),
  fc.double({ min: -50, max: 50, noNaN: true }),
  fc.constantFrom<Word>(MIN_TIMESTAMP, 'idle', -0, -0.5),
);
const talk: fc.Arbitrary<Talk> = fc.record({
  at: fc.integer({ min: -30, max: 30 }),
  after: fc.integer({ min: 0, max: 9 }),
  onRecord: fc.array(word, { maxLength: 3 }),
  onTick: fc.array(word, { maxLength: 3 }),
});
/** Says what the record before told it to say. */
const talkative = fromGenerator<Talk>(() => {
  let last: Talk | undefined;
  return {
    onRecord(value, _timestamp, output) {
      last = value;
      for (const w of value.onRecord) w === 'idle' ? output.markIdle() : output.emit(w);
    },
    onTick(_now, output) {
      for (const w of last?.onTick ?? []) w === 'idle' ? output.markIdle() : output.emit(w);
    },
  };
});

describe('whatever a generator says', () => {
  it('time rises strictly, or idleness changes; the end is MAX_TIMESTAMP, active (W1, W6, W9)', () =>
    fc.assert(
      fc.property(fc.array(talk, { maxLength: 15 }), interval, (items, every) => {
        let before = { timestamp: MIN_TIMESTAMP, idle: false };
        for (const [, element] of run(talkative, items, { interval: every })) {
          if (element._tag === 'Record') continue;
          expect(Number.isInteger(element.timestamp) || !Number.isFinite(element.timestamp)).toBe(true);
          if (element.timestamp === before.timestamp) expect(element.idle).toBe(!before.idle);
          else expect(element.timestamp).toBeGreaterThan(before.timestamp);
          // an advance and a going idle are two elements
          if (element.idle && !before.idle) expect(element.timestamp).toBe(before.timestamp);
          before = element;
        }
        expect(before).toMatchObject({ timestamp: MAX_TIMESTAMP, idle: false });
      }),
    ));

  it('each word means what it says: a rising one is the watermark and ends idleness, others are nothing (W1, W6, W7)', () =>
    fc.assert(
      fc.property(fc.array(talk, { maxLength: 15 }), (items) => {
        let time = MIN_TIMESTAMP;
        let quiet = false;
        const expected = items.flatMap((item): StreamElement<Talk>[] => [
          record(item, item.at),
          ...[...item.onRecord, ...item.onTick, ...(item === items.at(-1) ? item.onTick : [])].flatMap((w) => {
            if (w === 'idle' ? quiet : Math.floor(w) <= time) return [];
            quiet = w === 'idle';
            time = w === 'idle' ? time : Math.floor(w) + 0;
            return [quiet ? idle(time) : watermark(time)];
          }),
        ]);
        const seen = run(talkative, items, { interval: 'record' }).map(([, element]) => element);
        expect(seen).toStrictEqual([...expected, watermark(MAX_TIMESTAMP)]);
      }),
    ));

  it('records pass, all and in their order', () =>
    fc.assert(
      fc.property(fc.array(talk, { maxLength: 15 }), interval, (items, every) => {
        const records = run(talkative, items, { interval: every }).filter(([, element]) => element._tag === 'Record');
        expect(records.map(([, element]) => element)).toStrictEqual(items.map((item) => record(item, item.at)));
      }),
    ));
});

describe('WatermarkStrategy is Contravariant', () => {
  const { contramap } = watermarkStrategy.Contravariant;
  const strategies: ReadonlyArray<readonly [string, WatermarkStrategy<Event>]> = [
    ['boundedOutOfOrderness', boundedOutOfOrderness(4)],
    ['punctuated', punctuated(({ at, after }) => (after > 3 ? at - after : undefined))],
    ['fromGenerator', lastSeen()],
    ['withIdleness', withIdleness(5)(lastSeen())],
    ['withMaxFutureSkew', withMaxFutureSkew(10)(lastSeen())],
  ];
  const f = ({ at, after }: Event): Event => ({ at: at + after, after: 9 - after });
  const g = ({ at, after }: Event): Event => ({ at: at * 2, after });

  for (const [name, strategy] of strategies) {
    it(`identity: ${name}`, () =>
      fc.assert(
        fc.property(events, interval, (items, every) => {
          const same = contramap(strategy, (e: Event) => e);
          expect(run(same, items, { interval: every })).toStrictEqual(run(strategy, items, { interval: every }));
        }),
      ));

    it(`composition: ${name}`, () =>
      fc.assert(
        fc.property(events, interval, (items, every) => {
          const twice = contramap(contramap(strategy, f), g);
          const once = contramap(strategy, (e: Event) => f(g(e)));
          expect(run(twice, items, { interval: every })).toStrictEqual(run(once, items, { interval: every }));
        }),
      ));
  }

  it('the strategy sees f(value), and the records keep their values', () => {
    const seen = run(
      pipe(
        punctuated<number>((n) => n),
        watermarkStrategy.contramap((e: Event) => e.at * 10),
      ),
      [{ at: 1, after: 0 }],
      {
        interval: 'record',
      },
    );
    expect(seen.map(([, element]) => element)).toStrictEqual([
      record({ at: 1, after: 0 }, 1),
      watermark(10),
      watermark(MAX_TIMESTAMP),
    ]);
  });

  it('a stamped strategy stays stamped, by way of f', () => {
    const stamped = contramapStrategy((line: string) => Number(line))(
      boundedOutOfOrdernessTimestampExtractor<number>(2, (n) => n),
    );
    const seen: unknown[] = [];
    new Observable<string>((s) => {
      s.next('5');
      s.complete();
    })
      .pipe(assignWatermarks(stamped, { interval: 'record' }))
      .subscribe((element) => seen.push(element));
    expect(seen).toStrictEqual([record('5', 5), watermark(3), watermark(MAX_TIMESTAMP)]);
  });

  it('identity holds for a stamped strategy in reassignWatermarks too', () => {
    const stamped = boundedOutOfOrdernessTimestampExtractor<number>(2, (n, previous) => n + previous);
    const results = [stamped, contramap(stamped, (n: number) => n)].map((strategy) => {
      const seen: unknown[] = [];
      new Observable<StreamElement<number>>((s) => {
        s.next(record(5, 100));
        s.complete();
      })
        .pipe(reassignWatermarks(strategy, { interval: 'record' }))
        .subscribe({ next: (element) => seen.push(element), error: (cause) => seen.push(cause) });
      return seen;
    });
    expect(results[0]).toStrictEqual([record(5, 105), watermark(103), watermark(MAX_TIMESTAMP)]);
    expect(results[1]).toStrictEqual(results[0]);
  });
});

function lastSeen(): WatermarkStrategy<Event> {
  return fromGenerator<Event>(() => {
    let last = MIN_TIMESTAMP;
    return {
      onRecord(value) {
        last = value.at;
      },
      onTick(_now, output) {
        output.emit(last);
      },
    };
  });
}

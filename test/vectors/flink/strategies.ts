import {
  ascendingTimestampExtractor,
  ascendingTimestamps,
  boundedOutOfOrderness,
  boundedOutOfOrdernessTimestampExtractor,
  fromGenerator,
  MIN_TIMESTAMP,
  noWatermarks,
  periodicAssigner,
  punctuated,
  punctuatedAssigner,
  type StampedStrategy,
  type WatermarkStrategy,
  withIdleness,
} from 'tidemark';
import type { Json } from '../json.js';
import { NotYetSupported } from '../outcome.js';
import type { Item } from './format.js';

/** Told what the violation handler of the ascending extractor is told. */
export type Violation = (timestamp: number, last: number) => void;

interface StrategySpec extends Json {
  readonly type: string;
  readonly delay?: number;
  readonly modulo?: number;
  readonly idleness?: number;
  readonly timestampAssigner?: string;
  readonly plus?: number;
}

type Strategy = WatermarkStrategy<Item> | StampedStrategy<Item>;

/** The strategies, one line each. */
const STRATEGIES: Readonly<Record<string, (spec: StrategySpec, violation: Violation) => Strategy>> = {
  monotonous: () => ascendingTimestamps(),
  boundedOutOfOrderness: ({ delay = 0 }) => boundedOutOfOrderness(delay),
  none: () => noWatermarks(),
  punctuated: ({ modulo = 1 }) => punctuated<Item>((item, timestamp) => (divides(item, modulo) ? timestamp : undefined)),
  countPeriodic: () => lastTimestamp,
  legacyPeriodic: ({ delay = 0 }) => periodicAssigner(() => maxFromZero(delay)),
  legacyPeriodicNull: () => periodicAssigner(lastTime),
  legacyPunctuated: ({ delay = 0, modulo = 1 }) =>
    punctuatedAssigner<Item>(() => {
      const { extractTimestamp, getCurrentWatermark } = maxFromZero(delay);
      return {
        extractTimestamp,
        checkAndGetNextWatermark: (item) => (divides(item, modulo) ? getCurrentWatermark() : undefined),
      };
    }),
  legacyAscending: (_spec, violation) => ascendingTimestampExtractor(timeOf, violation),
  legacyBounded: ({ delay = 0 }) => boundedOutOfOrdernessTimestampExtractor(delay, timeOf),
};

/** The strategy of an assigner. Batch execution (no progressive watermarks) is `noWatermarks`, for all of them (docs/parity.md). */
export function strategyOf(spec: StrategySpec, progressive: boolean, violation: Violation): Strategy {
  const make = STRATEGIES[spec.type];
  if (make === undefined) throw new NotYetSupported(`the strategy ${spec.type}`);
  const strategy = make(spec, violation);
  if (!progressive) return stampsOnly(strategy);
  return spec.idleness === undefined ? strategy : withIdleness(spec.idleness)(strategy);
}

/** The timestamp function of an assigner; none keeps what a record carries. */
export function stampOf({ timestampAssigner, plus = 0 }: StrategySpec): ((item: Item, previous: number) => number) | undefined {
  switch (timestampAssigner) {
    case undefined:
      return undefined;
    case 'time':
      return timeOf;
    case 'previousPlus':
      return (_item, previous) => previous + plus;
    default:
      throw new NotYetSupported(`the timestamp assigner ${timestampAssigner}`);
  }
}

/** The extractors of Flink 1.x stamp too: in batch execution that is what stays of them. */
function stampsOnly(strategy: Strategy): Strategy {
  if (!('stamped' in strategy)) return noWatermarks();
  const mute = { emit: () => {}, markIdle: () => {}, now: () => 0 };
  return {
    stamped: true,
    create: () => {
      const generator = strategy.create();
      return {
        timestamp: (item: Item, previous: number) => generator.timestamp(item, previous),
        onRecord: (item: Item, timestamp: number) => generator.onRecord(item, timestamp, mute),
        onTick() {},
      };
    },
  };
}

const lastTimestamp = fromGenerator<Item>(() => {
  let last = MIN_TIMESTAMP;
  return {
    onRecord: (_item, timestamp) => {
      last = timestamp;
    },
    onTick: (_now, output) => output.emit(last),
  };
});

function maxFromZero(delay: number) {
  let max = 0;
  return {
    extractTimestamp(item: Item): number {
      const time = timeOf(item);
      max = Math.max(max, time);
      return time;
    },
    getCurrentWatermark: (): number => max - delay,
  };
}

function lastTime() {
  let last: number | undefined;
  return {
    extractTimestamp(item: Item): number {
      last = timeOf(item);
      return last;
    },
    getCurrentWatermark: (): number | undefined => last,
  };
}

function timeOf(item: Item): number {
  return item.time as number;
}

function divides(item: Item, modulo: number): boolean {
  return modulo === 1 || (item.value as number) % modulo === 0; // by 1 also what is no number
}

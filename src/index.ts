// elements
export {
  idle,
  isRecord,
  isWatermark,
  keyedRecord,
  MAX_TIMESTAMP,
  MIN_TIMESTAMP,
  match,
  matchW,
  record,
  type StreamElement,
  type StreamRecord,
  type Watermark,
  watermark,
} from './element/element.js';
export { InvalidTimestampError, MissingTimestampError, TidemarkError } from './element/errors.js';
export type { Same } from './element/same.js';
export type { EventStream } from './internal/eventStream.js';

// time
export { days, hours, minutes, seconds } from './time/durations.js';

// timestamps and watermarks
export {
  type AssignConfig,
  type AssignOptions,
  assignWatermarks,
  type InvalidSink,
  type LenientAssignConfig,
} from './operators/assignWatermarks.js';
export { type ReassignConfig, reassignWatermarks } from './operators/reassignWatermarks.js';
export { closeWhenQuiet, type QuietConfig } from './operators/closeWhenQuiet.js';
export type {
  StampedGenerator,
  StampedStrategy,
  WatermarkGenerator,
  WatermarkOutput,
  WatermarkStrategy,
} from './watermarks/strategy.js';
export { ascendingTimestamps } from './watermarks/ascendingTimestamps.js';
export { boundedOutOfOrderness } from './watermarks/boundedOutOfOrderness.js';
export { punctuated } from './watermarks/punctuated.js';
export { noWatermarks } from './watermarks/noWatermarks.js';
export { fromGenerator } from './watermarks/fromGenerator.js';
export { type AdaptiveConfig, adaptiveOutOfOrderness } from './watermarks/adaptiveOutOfOrderness.js';
export { withIdleness } from './watermarks/withIdleness.js';
export { withMaxFutureSkew } from './watermarks/withMaxFutureSkew.js';
export { contramapStrategy, type StrategyContramap } from './watermarks/contramapStrategy.js';
export type { StrategyEnrichment } from './watermarks/enrich.js';

// Flink 1.x's assigners
export { type PeriodicAssigner, periodicAssigner } from './watermarks/extractors/periodicAssigner.js';
export { type PunctuatedAssigner, punctuatedAssigner } from './watermarks/extractors/punctuatedAssigner.js';
export {
  ascendingTimestampExtractor,
  MonotonyViolatedError,
  type MonotonyViolation,
} from './watermarks/extractors/ascendingTimestampExtractor.js';
export { boundedOutOfOrdernessTimestampExtractor } from './watermarks/extractors/boundedOutOfOrdernessTimestampExtractor.js';

// sources and exits
export { fromElements } from './operators/fromElements.js';
export { fromSource, type SourceConfig, type TimeCharacteristic } from './operators/fromSource.js';
export type { SourceContext } from './operators/shared/SourceStage.js';
export { fromTimestamped } from './operators/fromTimestamped.js';
export { toValues } from './operators/toValues.js';
export { toTimestamped } from './operators/toTimestamped.js';
export { toWatermarks } from './operators/toWatermarks.js';

// record by record
export { mapValue } from './operators/mapValue.js';
export { filterValue, type Truthy } from './operators/filterValue.js';
export { filterMapValue } from './operators/filterMapValue.js';
export { flatMapValue } from './operators/flatMapValue.js';
export { concatMapValue } from './operators/concatMapValue.js';
export { type MergeMapConfig, mergeMapValue } from './operators/mergeMapValue.js';
export { tapValue } from './operators/tapValue.js';
export type { Items } from './operators/shared/items.js';

// keys
export { keyBy } from './operators/keyBy.js';
export { unkey } from './operators/unkey.js';
export { compositeKey } from './element/compositeKey.js';

// windows
export { tumblingWindow } from './operators/tumblingWindow.js';
export { slidingWindow } from './operators/slidingWindow.js';
export { type SessionWindowConfig, sessionWindow } from './operators/sessionWindow.js';
export { cumulativeWindow } from './operators/cumulativeWindow.js';
export { globalWindow } from './operators/globalWindow.js';
export { type CountWindowConfig, countWindow } from './operators/countWindow.js';
export { windowBy } from './operators/windowBy.js';
export { processWindowBy } from './operators/processWindowBy.js';
export { fillGaps, type GapConfig } from './operators/fillGaps.js';
export { OffGridError } from './core/GapCore.js';
export type { LateSink, MergingConfig, WindowConfig, Windowed } from './operators/shared/windowConfig.js';
export type { AlignedConfig } from './operators/shared/alignedConfig.js';
export type { WindowContext, WindowProcess } from './operators/shared/ProcessWindowStage.js';
export type { PaneMode, ResultTime } from './core/WindowCore.js';
export type { Pane, TimeWindow, WindowResult } from './windows/result.js';
export type { MergingAssigner, WindowAssigner } from './windows/assigner.js';
export * as assigners from './windows/assigners/index.js';
export type { GlobalWindow } from './windows/assigners/global.js';

// triggers, evictors, aggregates
export type {
  CustomMergeable,
  CustomTrigger,
  MergeableTrigger,
  Trigger,
  TriggerContext,
  TriggerResult,
} from './windows/trigger.js';
export * as triggers from './windows/triggers/index.js';
export type { Evictor } from './windows/evictor.js';
export * as evictors from './windows/evictors/index.js';
export type { Aggregate, AggregateSpec, MergeableAggregate, MergeableAggregateSpec } from './windows/aggregates/aggregate.js';
export * as aggregates from './windows/aggregates/index.js';

// several streams
export { union } from './operators/union.js';
export { unionWith } from './operators/unionWith.js';
export { unionAll } from './operators/unionAll.js';
export type { KeyOf, UnionConfig, ValueOf } from './operators/shared/UnionStage.js';
export { type Alignment, type AlignmentConfig, alignment } from './operators/shared/alignment.js';
export { AlignmentOverflowError } from './core/AlignmentGate.js';
export { type IntervalJoinConfig, intervalJoinWith } from './operators/intervalJoinWith.js';
export { windowJoinWith } from './operators/windowJoinWith.js';
export { coGroupWith } from './operators/coGroupWith.js';
export { type AsOfJoinConfig, asOfJoinWith } from './operators/asOfJoinWith.js';
export { type TemporalJoinConfig, temporalJoinWith } from './operators/temporalJoinWith.js';
export type { LateSides } from './operators/shared/joinConfig.js';
export type { Joined, JoinKind } from './operators/shared/joinShapes.js';
export type { WindowJoinConfig } from './operators/shared/windowJoin.js';
export type { JoinTime } from './core/IntervalJoinCore.js';
export type { AsOfDirection } from './core/AsOfJoinCore.js';

// order and duplicates
export { type SortConfig, sortByEventTime } from './operators/sortByEventTime.js';
export { type DedupeConfig, dedupe } from './operators/dedupe.js';
export { type FirstPerKeyConfig, firstPerKey } from './operators/firstPerKey.js';
export { type LastPerKeyConfig, lastPerKey } from './operators/lastPerKey.js';
export { type ChangesConfig, changes } from './operators/changes.js';
export type { SortedConfig } from './operators/shared/SortedStage.js';

// your own logic, patterns
export { type ProcessSpec, processWith } from './operators/processWith.js';
export { type CoProcessSpec, coProcessWith } from './operators/coProcessWith.js';
export type { ProcessConfig, ProcessContext, Processed, Timers } from './operators/shared/ProcessStage.js';
export { type PatternConfig, type PatternMatch, type PatternStep, pattern } from './operators/pattern.js';
export type { SoFar } from './core/PatternCore.js';

// RxJS in event time, recordings, hosts
export { type EventTimeConfig, type InEventTime, withEventTime } from './operators/withEventTime.js';
export { EventTimeScheduler, EventTimeStuckError } from './schedulers/eventTimeScheduler.js';
export { type RecordConfig, recordArrivals } from './operators/recordArrivals.js';
export { type ReplayConfig, replay } from './operators/replay.js';
export type { Arrival } from './operators/shared/arrival.js';
export { type OutsideZoneConfig, outsideZone, type ZoneLike } from './schedulers/outsideZone.js';
export { unrefScheduler } from './schedulers/unref.js';

// beside the stream
export { type SideOutput, SideOutputInUseError, sideOutput } from './operators/sideOutput.js';
export { type Counters, counters } from './internal/counters.js';

// elements

export { AlignmentOverflowError } from './core/AlignmentGate.js';
export type { AsOfDirection } from './core/AsOfJoinCore.js';
export { OffGridError } from './core/GapCore.js';
export type { JoinTime } from './core/IntervalJoinCore.js';
export type { SoFar } from './core/PatternCore.js';
export type { PaneMode, ResultTime } from './core/WindowCore.js';
export { compositeKey } from './element/compositeKey.js';
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
// state
export { type Counters, counters } from './internal/counters.js';
export type { EventStream } from './internal/eventStream.js';
// joins
export { type AsOfJoinConfig, asOfJoinWith } from './operators/asOfJoinWith.js';
// watermarks
export {
  type AssignConfig,
  type AssignOptions,
  assignWatermarks,
  type InvalidSink,
  type LenientAssignConfig,
} from './operators/assignWatermarks.js';
// order
export { type ChangesConfig, changes } from './operators/changes.js';
export { closeWhenQuiet, type QuietConfig } from './operators/closeWhenQuiet.js';
export { coGroupWith } from './operators/coGroupWith.js';
export { concatMapValue } from './operators/concatMapValue.js';
export { type CoProcessSpec, coProcessWith } from './operators/coProcessWith.js';
export { type CountWindowConfig, countWindow } from './operators/countWindow.js';
export { cumulativeWindow } from './operators/cumulativeWindow.js';
export { type DedupeConfig, dedupe } from './operators/dedupe.js';
export { fillGaps, type GapConfig } from './operators/fillGaps.js';
export { filterMapValue } from './operators/filterMapValue.js';
// record-wise, keys
export { filterValue, type Truthy } from './operators/filterValue.js';
export { type FirstPerKeyConfig, firstPerKey } from './operators/firstPerKey.js';
export { flatMapValue } from './operators/flatMapValue.js';
// sources and exits
export { fromElements } from './operators/fromElements.js';
export { fromSource, type SourceConfig, type TimeCharacteristic } from './operators/fromSource.js';
export { fromTimestamped } from './operators/fromTimestamped.js';
export { globalWindow } from './operators/globalWindow.js';
export { type IntervalJoinConfig, intervalJoinWith } from './operators/intervalJoinWith.js';
export { keyBy } from './operators/keyBy.js';
export { type LastPerKeyConfig, lastPerKey } from './operators/lastPerKey.js';
export { mapValue } from './operators/mapValue.js';
export { type MergeMapConfig, mergeMapValue } from './operators/mergeMapValue.js';
// patterns
export { type PatternConfig, type PatternMatch, type PatternStep, pattern } from './operators/pattern.js';
export { processWindowBy } from './operators/processWindowBy.js';
export { type ProcessSpec, processWith } from './operators/processWith.js';
export { type ReassignConfig, reassignWatermarks } from './operators/reassignWatermarks.js';
export { type RecordConfig, recordArrivals } from './operators/recordArrivals.js';
export { type ReplayConfig, replay } from './operators/replay.js';
export { type SessionWindowConfig, sessionWindow } from './operators/sessionWindow.js';
export type { AlignedConfig } from './operators/shared/alignedConfig.js';
export { type Alignment, type AlignmentConfig, alignment } from './operators/shared/alignment.js';
export type { Arrival } from './operators/shared/arrival.js';
export type { Items } from './operators/shared/items.js';
export type { LateSides } from './operators/shared/joinConfig.js';
export type { Joined, JoinKind } from './operators/shared/joinShapes.js';
export type { ProcessConfig, ProcessContext, Processed, Timers } from './operators/shared/ProcessStage.js';
export type { WindowContext, WindowProcess } from './operators/shared/ProcessWindowStage.js';
export type { SortedConfig } from './operators/shared/SortedStage.js';
export type { SourceContext } from './operators/shared/SourceStage.js';
export type { KeyOf, UnionConfig, ValueOf } from './operators/shared/UnionStage.js';
export type { LateSink, MergingConfig, WindowConfig, Windowed } from './operators/shared/windowConfig.js';
export type { WindowJoinConfig } from './operators/shared/windowJoin.js';
// windows
export { type SideOutput, SideOutputInUseError, sideOutput } from './operators/sideOutput.js';
export { slidingWindow } from './operators/slidingWindow.js';
export { type SortConfig, sortByEventTime } from './operators/sortByEventTime.js';
export { tapValue } from './operators/tapValue.js';
export { type TemporalJoinConfig, temporalJoinWith } from './operators/temporalJoinWith.js';
export { toTimestamped } from './operators/toTimestamped.js';
export { toValues } from './operators/toValues.js';
export { toWatermarks } from './operators/toWatermarks.js';
export { tumblingWindow } from './operators/tumblingWindow.js';
export { union } from './operators/union.js';
export { unionAll } from './operators/unionAll.js';
export { unionWith } from './operators/unionWith.js';
export { unkey } from './operators/unkey.js';
export { windowBy } from './operators/windowBy.js';
export { windowJoinWith } from './operators/windowJoinWith.js';
export { type EventTimeConfig, type InEventTime, withEventTime } from './operators/withEventTime.js';
export { EventTimeScheduler, EventTimeStuckError } from './schedulers/eventTimeScheduler.js';
export { type OutsideZoneConfig, outsideZone, type ZoneLike } from './schedulers/outsideZone.js';
export { unrefScheduler } from './schedulers/unref.js';
// time
export { days, hours, minutes, seconds } from './time/durations.js';
export { type AdaptiveConfig, adaptiveOutOfOrderness } from './watermarks/adaptiveOutOfOrderness.js';
export { ascendingTimestamps } from './watermarks/ascendingTimestamps.js';
export { boundedOutOfOrderness } from './watermarks/boundedOutOfOrderness.js';
export { contramapStrategy, type StrategyContramap } from './watermarks/contramapStrategy.js';
export type { StrategyEnrichment } from './watermarks/enrich.js';
export {
  ascendingTimestampExtractor,
  MonotonyViolatedError,
  type MonotonyViolation,
} from './watermarks/extractors/ascendingTimestampExtractor.js';
export { boundedOutOfOrdernessTimestampExtractor } from './watermarks/extractors/boundedOutOfOrdernessTimestampExtractor.js';
export { type PeriodicAssigner, periodicAssigner } from './watermarks/extractors/periodicAssigner.js';
export { type PunctuatedAssigner, punctuatedAssigner } from './watermarks/extractors/punctuatedAssigner.js';
export { fromGenerator } from './watermarks/fromGenerator.js';
export { noWatermarks } from './watermarks/noWatermarks.js';
export { punctuated } from './watermarks/punctuated.js';
export type {
  StampedGenerator,
  StampedStrategy,
  WatermarkGenerator,
  WatermarkOutput,
  WatermarkStrategy,
} from './watermarks/strategy.js';
export { withIdleness } from './watermarks/withIdleness.js';
export { withMaxFutureSkew } from './watermarks/withMaxFutureSkew.js';
export type { Aggregate, AggregateSpec, MergeableAggregate, MergeableAggregateSpec } from './windows/aggregates/aggregate.js';
export * as aggregates from './windows/aggregates/index.js';
export type { MergingAssigner, WindowAssigner } from './windows/assigner.js';
export type { GlobalWindow } from './windows/assigners/global.js';
export * as assigners from './windows/assigners/index.js';
export type { Evictor } from './windows/evictor.js';
export * as evictors from './windows/evictors/index.js';
export type { Pane, TimeWindow, WindowResult } from './windows/result.js';
export type {
  CustomMergeable,
  CustomTrigger,
  MergeableTrigger,
  Trigger,
  TriggerContext,
  TriggerResult,
} from './windows/trigger.js';
export * as triggers from './windows/triggers/index.js';
